/**
 * Rows of a frame as values: spans of cleaned text with a style by meaning, and their way to SGR codes.
 * Our own colours: the 16 of the terminal only, and never a light one on the default background, so that both light and
 * dark themes stay readable. A terminal without colours is left weight and inversion.
 */
import { type Depth, fitColours } from "./colours.js";
import { cellWidth, cut } from "./text.js";

export type Style = "plain" | "strong" | "faint" | "good" | "bad" | "busy" | "note" | "alarm" | "chosen" | "title";

type Codes = { readonly weight: string; readonly colours: readonly string[] };

/** `text` is cleaned; `text.ts` measures it. */
export type Span = {
  readonly text: string;
  readonly style: Style;
  /** SGR parameters of a foreign screen, checked; they take the place of the style. */
  readonly sgr?: Codes;
};
export type Line = readonly Span[];

export const span = (text: string, style: Style = "plain"): Span => ({ text, style });
export const line = (text: string, style: Style = "plain"): Line => [span(text, style)];

const CODES: Readonly<Record<Style, Codes>> = {
  plain: { weight: "", colours: [] },
  strong: { weight: "1", colours: [] },
  faint: { weight: "2", colours: [] },
  good: { weight: "", colours: ["32"] },
  bad: { weight: "1", colours: ["31"] },
  busy: { weight: "", colours: ["34"] },
  note: { weight: "", colours: ["35"] },
  alarm: { weight: "1;7", colours: ["33"] },
  chosen: { weight: "7", colours: [] },
  title: { weight: "1;4", colours: [] },
};

export const lineWidth = (spans: Line): number => spans.reduce((sum, part) => sum + cellWidth(part.text), 0);

/** Cuts a line to `width` cells; the cut shows as …. */
export const cutLine = (spans: Line, width: number): Line => {
  if (lineWidth(spans) <= width) return spans;
  const kept: Span[] = [];
  let room = width;
  for (const part of spans) {
    const partWidth = cellWidth(part.text);
    if (partWidth >= room) {
      // A span that fits exactly is cut too when something follows it.
      const text = cut(partWidth === room ? `${part.text}  ` : part.text, room);
      kept.push({ ...part, text });
      return kept;
    }
    kept.push(part);
    room -= partWidth;
  }
  return kept;
};

/** Cuts or fills a line to exactly `width` cells. */
export const fitLine = (spans: Line, width: number): Line => {
  const kept = cutLine(spans, width);
  const missing = width - lineWidth(kept);
  return missing > 0 ? [...kept, span(" ".repeat(missing))] : kept;
};

/** Left and right ends of one row; the right end gives way when both do not fit. */
export const spread = (left: Line, right: Line, width: number): Line => {
  const gap = width - lineWidth(left) - lineWidth(right);
  return gap >= 1 ? [...left, span(" ".repeat(gap)), ...right] : cutLine(left, width);
};

/** Two columns with a rule between them, each as tall as `height`. */
export const beside = (
  left: readonly Line[],
  right: readonly Line[],
  leftWidth: number,
  height: number,
): readonly Line[] =>
  Array.from({ length: height }, (_, row) => [
    ...fitLine(left[row] ?? [], leftWidth),
    span("│", "faint"),
    ...(right[row] ?? []),
  ]);

/** The row as a terminal wants it: SGR codes and text, closed at its end. */
export const toAnsi = (spans: Line, depth: Depth): string =>
  spans
    .map(({ text, style, sgr: given }) => {
      const codes = given ?? CODES[style];
      const sgr = [codes.weight, ...fitColours(codes.colours, depth)].filter((code) => code !== "").join(";");
      return sgr === "" || text === "" ? text : `\x1b[${sgr}m${text}\x1b[0m`;
    })
    .join("");
