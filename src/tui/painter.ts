/**
 * Which bytes turn the rows that a terminal shows into the rows that it should show: only cells that differ, placed
 * absolutely. After foreign characters the column is set again, so that a terminal that measures one differently than
 * text.ts does not shift what follows it. Pure; it never clears the screen and never scrolls.
 */
import { applySgr } from "./sgr.js";
import { pointWidth } from "./text.js";

export type Size = { readonly columns: number; readonly rows: number };
/** 0-based cell where the terminal's own cursor stands; null hides it. */
export type CursorPlace = { readonly row: number; readonly column: number } | null;
export type Frame = { readonly rows: readonly string[]; readonly cursor: CursorPlace };

/** `text` is empty in the second cell of a wide character. */
type PaintCell = { text: string; readonly sgr: string };

const BLANK: PaintCell = { text: " ", sgr: "" };
/** Characters of our own frames that every terminal draws in one cell. */
const TRUSTED = /^[\x20-\x7e\u00a0-\u00ff│─→›●○…▌·↵]$/;
/** Changed cells that lie at most this far apart are written in one go: moving costs about as much. */
const JOIN_GAP = 6;

const parseRow = (row: string, columns: number): readonly PaintCell[] => {
  const cells: PaintCell[] = [];
  let active: readonly string[] = [];
  let sgr = "";
  for (const part of row.split(/(\x1b\[[\d;]*m)/)) {
    const code = /^\x1b\[([\d;]*)m$/.exec(part);
    if (code !== null) {
      active = applySgr(active, code[1] as string);
      sgr = [...active].sort().join(";");
      continue;
    }
    for (const point of part) {
      const width = pointWidth(point);
      const last = cells.at(-1);
      if (width === 0) {
        const base = last?.text === "" ? cells.at(-2) : last;
        if (base !== undefined) base.text += point;
        continue;
      }
      if (cells.length + width > columns) return cells;
      cells.push({ text: point, sgr });
      if (width === 2) cells.push({ text: "", sgr });
    }
  }
  return cells;
};

const isSame = (a: PaintCell, b: PaintCell): boolean => a.text === b.text && a.sgr === b.sgr;

type Run = { from: number; to: number };

/** Columns to rewrite, as [from, to) runs that begin and end at whole characters in both rows. */
const changedRuns = (before: readonly PaintCell[], after: readonly PaintCell[], columns: number): readonly Run[] => {
  const runs: Run[] = [];
  const at = (cells: readonly PaintCell[], column: number): PaintCell => cells[column] ?? BLANK;
  const splits = (column: number): boolean => at(before, column).text === "" || at(after, column).text === "";
  for (let column = 0; column < columns; column += 1) {
    if (isSame(at(before, column), at(after, column))) continue;
    let from = column;
    while (from > 0 && splits(from)) from -= 1;
    let to = column + 1;
    while (to < columns && splits(to)) to += 1;
    const last = runs.at(-1);
    if (last !== undefined && from - last.to <= JOIN_GAP) last.to = Math.max(last.to, to);
    else runs.push({ from, to });
  }
  return runs;
};

const lastUsed = (cells: readonly PaintCell[]): number => cells.findLastIndex((cell) => !isSame(cell, BLANK)) + 1;

const paintRow = (before: readonly PaintCell[], after: readonly PaintCell[], row: number, columns: number): string => {
  let bytes = "";
  let sgr = "";
  const style = (next: string): void => {
    if (next === sgr) return;
    bytes += next === "" ? "\x1b[m" : sgr === "" ? `\x1b[${next}m` : `\x1b[0;${next}m`;
    sgr = next;
  };
  const end = lastUsed(after);
  for (const run of changedRuns(before, after, columns)) {
    bytes += `\x1b[${row + 1};${run.from + 1}H`;
    const erases = run.to > end + 3;
    let drifted = false;
    for (let column = run.from; column < (erases ? Math.max(end, run.from) : run.to); column += 1) {
      const cell = after[column] ?? BLANK;
      if (cell.text === "") continue;
      if (drifted && TRUSTED.test(cell.text)) {
        bytes += `\x1b[${column + 1}G`;
        drifted = false;
      }
      style(cell.sgr);
      bytes += cell.text;
      if (!TRUSTED.test(cell.text)) drifted = true;
    }
    if (erases) {
      if (drifted) bytes += `\x1b[${Math.max(end, run.from) + 1}G`;
      style("");
      bytes += "\x1b[K";
    }
  }
  style("");
  return bytes;
};

const placeCursor = (cursor: CursorPlace): string =>
  cursor === null ? "\x1b[?25l" : `\x1b[${cursor.row + 1};${cursor.column + 1}H\x1b[?25h`;

/**
 * Bytes from `before` to `after`; empty when nothing differs. `before` null: nothing is known of the screen, each row
 * is written and the rest of it erased (used at the start, after a resize and after another program had the terminal).
 */
export const paint = (before: Frame | null, after: Frame, size: Size): string => {
  let rows = "";
  for (let row = 0; row < size.rows; row += 1) {
    const next = after.rows[row] ?? "";
    if (before === null) rows += `\x1b[${row + 1}H\x1b[m\x1b[K`;
    const known = before === null ? "" : (before.rows[row] ?? "");
    if (next !== known)
      rows += paintRow(parseRow(known, size.columns), parseRow(next, size.columns), row, size.columns);
  }
  const was = before?.cursor ?? null;
  const sameCursor = was?.row === after.cursor?.row && was?.column === after.cursor?.column;
  if (rows === "") return before !== null && sameCursor ? "" : placeCursor(after.cursor);
  // Hidden while cells are written, so that it is not seen running over the screen.
  return `${was === null ? "" : "\x1b[?25l"}${rows}${after.cursor === null && before !== null ? "" : placeCursor(after.cursor)}`;
};
