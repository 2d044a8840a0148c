/** The preview: an agent's screen as tmux holds it, cut to the room there is; its last rows when it is taller. Pure. */
import { ansiLines } from "../ansi.js";
import { cutLine, type Line, line, span } from "../line.js";
import { clean } from "../text.js";
import type { Reach } from "../ui.js";

export const lookView = (
  name: string,
  ansi: string | null,
  width: number,
  height: number,
): { readonly rows: readonly Line[]; readonly reach: Reach } => {
  const head: Line = [span(`Screen of ${clean(name)}`, "title"), span("  live; Esc goes back", "faint")];
  const all = ansi === null ? [line("Looking…", "faint")] : ansiLines(ansi);
  const used = all.findLastIndex((row) => row.some((part) => part.text.trim() !== "")) + 1;
  const room = Math.max(1, height - 1);
  const shown = all.slice(Math.max(0, used - room), Math.max(used, 1));
  return { rows: [cutLine(head, width), ...shown.map((row) => cutLine(row, width))], reach: { page: room, end: 0 } };
};
