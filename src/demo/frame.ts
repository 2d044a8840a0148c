/**
 * What the screen shows, as rows: the conversation, and below it the composer between two rules with a footer.
 * Pure: sizes in, rows and the cursor's place out. The marks are those that the adapter's line rules look for.
 */
import { DEMO_PROMPT, DEMO_RULE, DEMO_SCROLLED } from "../adapters/demo-line.js";
import { columnsOf, showable, wrapCells } from "./cells.js";

export type Size = { readonly columns: number; readonly rows: number };

/** One entry of the conversation. `mark` is one cell; nothing of an entry ever stands in column 0 but its mark. */
export type Entry = { readonly mark: string; readonly text: string; readonly dim: boolean };

/** The composer block; `x` and `y` say where the cursor stands in it, 0-based. */
export type Composer = { readonly rows: readonly string[]; readonly x: number; readonly y: number };

const INDENT = 2;
const ROWS_AROUND_DRAFT = 6;

export const entryRows = (entry: Entry, columns: number): readonly string[] => {
  const width = Math.max(8, columns - INDENT - 1);
  const rows = showable(entry.text)
    .split("\n")
    .flatMap((line) => wrapCells(line, width).map((row, index) => (index === 0 ? row : row.trimStart())));
  const painted = rows.map((row, index) => `${index === 0 ? entry.mark : " "} ${row}`.trimEnd());
  return entry.dim ? painted.map((row) => `\u001b[2m${row}\u001b[22m`) : painted;
};

/** The bottom block. A draft that is too tall shows its end, with a mark where the prompt was. */
export const composerBlock = (shown: string, footer: string, size: Size): Composer => {
  const width = Math.max(8, size.columns - DEMO_PROMPT.length - 1);
  const all = showable(shown)
    .split("\n")
    .flatMap((line) => wrapCells(line, width));
  const kept = all.slice(-Math.max(1, size.rows - ROWS_AROUND_DRAFT));
  const sign = kept.length === all.length ? DEMO_PROMPT : DEMO_SCROLLED;
  const rule = DEMO_RULE.repeat(size.columns);
  const last = kept.at(-1) ?? "";
  return {
    rows: [
      rule,
      ...kept.map((row, index) => (index === 0 ? sign : " ".repeat(DEMO_PROMPT.length)) + row),
      rule,
      `  ${wrapCells(footer, Math.max(8, size.columns - INDENT - 1))[0] ?? ""}`,
    ],
    x: DEMO_PROMPT.length + columnsOf(last),
    y: kept.length,
  };
};
