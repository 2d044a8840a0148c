/** Lists of blocks (one per agent or entry, some rows each) in a pane of fixed height: which of them are seen. Pure. */
import type { Line } from "../line.js";

export type Block = readonly Line[];

/**
 * The rows of `blocks` from the first, or from further down when the chosen one would not be seen whole.
 * Returns the rows and the indexes of the blocks that have a row among them.
 */
export const windowOf = (
  blocks: readonly Block[],
  chosen: number,
  height: number,
): { readonly rows: readonly Line[]; readonly first: number; readonly last: number } => {
  if (height <= 0 || blocks.length === 0) return { rows: [], first: 0, last: -1 };
  const at = Math.min(Math.max(0, chosen), blocks.length - 1);
  let first = at;
  let used = (blocks[at] as Block).length;
  while (first > 0 && used + (blocks[first - 1] as Block).length <= height) {
    first -= 1;
    used += (blocks[first] as Block).length;
  }
  const rows: Line[] = [];
  let last = first - 1;
  for (let index = first; index < blocks.length && rows.length < height; index += 1) {
    rows.push(...(blocks[index] as Block).slice(0, height - rows.length));
    last = index;
  }
  return { rows, first, last };
};

/** A long text from row `scroll` on; the scroll is held inside it. */
export const scrollOf = (rows: readonly Line[], scroll: number, height: number): readonly Line[] => {
  const from = Math.min(scroll, Math.max(0, rows.length - height));
  return rows.slice(from, from + height);
};
