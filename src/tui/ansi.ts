/**
 * A captured screen as rows: its SGR codes become checked styles, every other sequence and control becomes a mark. The
 * bytes are a stranger's: nothing of them reaches the terminal but cleaned text and the codes that sgr.ts lists. Pure.
 */
import { type Line, type Span, span } from "./line.js";
import { applySgr, isColour } from "./sgr.js";
import { clean } from "./text.js";

const styled = (text: string, codes: readonly string[]): Span => ({
  ...span(text),
  sgr: {
    weight: codes.filter((code) => !isColour(code)).join(";"),
    colours: codes.filter(isColour),
  },
});

export const ansiLines = (ansi: string): readonly Line[] => {
  // tmux carries a style over from row to row.
  let active: readonly string[] = [];
  return ansi.split("\n").map((row) => {
    const spans: Span[] = [];
    for (const part of row.split(/(\x1b\[[\d;:]*m)/)) {
      const codes = /^\x1b\[([\d;:]*)m$/.exec(part);
      if (codes !== null) active = applySgr(active, codes[1] as string);
      else if (part !== "") spans.push(active.length === 0 ? span(clean(part)) : styled(clean(part), active));
    }
    return spans;
  });
};
