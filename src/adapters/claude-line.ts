/**
 * How Claude Code's line, its echo and its dialogs are read from a screen (measured on 2.1.332; facts/composers-*.md).
 * The line is the box between the last two full-width rules; the cursor must stand in it, or nothing is claimed.
 * A screen is only ever a reason to refuse: it never says that a turn began or ended. Pure.
 */
import type { Echo, LineRules, LineState, Screen } from "./adapter.js";
import { nameClaudeDialog } from "./claude-dialog.js";
import { compareEcho, compareScrolledEcho } from "./line-text.js";
import { cellAt, inkFrom, isBlank, isRule, parseScreen, type Row, textFrom } from "./screen.js";

/** A row may end this many columns short of the edge and be full. */
const WRAP_ROOM = 8;
/** Text starts here; column 0 holds the sign, column 1 a blank. */
const TEXT_COLUMN = 2;

type Box = {
  readonly top: number;
  readonly bottom: number;
  /** `hidden`: the draft is taller than the box, so its first row, with the sign, may be scrolled away. */
  readonly sign: "prompt" | "shell" | "hidden";
  readonly rowsAbove: number;
};

const findBox = (rows: readonly Row[], cols: number): Box | null => {
  const lower = rows.findLastIndex((row) => isRule(row, cols));
  const upper = rows.findLastIndex((row, y) => y < lower && isRule(row, cols));
  if (upper < 0 || lower - upper < 2) return null;
  const place = { top: upper + 1, bottom: lower - 1 };
  const above = /^─+ ↑ (\d+) more ─+$/.exec(rows[upper]?.text.trimEnd() ?? "");
  const below = /^─+ ↓ \d+ more ─+$/.test(rows[lower]?.text.trimEnd() ?? "");
  const first = rows[upper + 1];
  const sign = cellAt(first, 0)?.text;
  const gap = cellAt(first, 1)?.text ?? " ";
  if (above !== null || below) {
    const shell = sign === "!" || /^\s*! for shell mode/.test(rows[lower + 1]?.text ?? "");
    return { ...place, sign: shell ? "shell" : "hidden", rowsAbove: Number(above?.[1] ?? 0) };
  }
  if ((sign !== "❯" && sign !== "!") || !isBlank(gap)) return null;
  return { ...place, sign: sign === "!" ? "shell" : "prompt", rowsAbove: 0 };
};

type Reading = { readonly rows: readonly Row[]; readonly box: Box | null; readonly state: LineState };

const readLine = (screen: Screen): Reading => {
  const rows = parseScreen(screen.ansi);
  const box = findBox(rows, screen.cols);
  return { rows, box, state: box === null ? "unknown" : judge(rows, box, screen.cursor) };
};

const judge = (rows: readonly Row[], box: Box, cursor: Screen["cursor"]): LineState => {
  if (cursor.y < box.top || cursor.y > box.bottom || cursor.x < TEXT_COLUMN) return "unknown";
  // Shell mode with nothing typed is no empty line: what is pasted there would be run.
  if (box.sign !== "prompt") return "occupied";
  if (cursor.x !== TEXT_COLUMN || cursor.y !== box.top) return "occupied";
  const ink = rows
    .slice(box.top, box.bottom + 1)
    .flatMap((row, y) => inkFrom(row, TEXT_COLUMN).map((cell) => ({ cell, y })));
  // A draft of newlines only has no ink, but a second row.
  if (ink.length === 0) return box.bottom === box.top ? "empty" : "occupied";
  const first = cellAt(rows[box.top], TEXT_COLUMN);
  const rest = ink.filter(({ cell, y }) => y > 0 || cell.x !== TEXT_COLUMN);
  const isGhost = rest.length > 0 && rest.every(({ cell }) => cell.style.dim);
  return isGhost && (first?.style.inverse === true || first?.style.dim === true) ? "empty" : "occupied";
};

const shownRows = (rows: readonly Row[], box: Box): readonly string[] =>
  rows.slice(box.top, box.bottom + 1).map((row) => textFrom(row, TEXT_COLUMN));

/** Longest text shown in full: 800 UTF-16 units and two line feeds. */
const chipOf = (text: string): RegExp | null => {
  const lineFeeds = text.split("\n").length - 1;
  if (text.length <= 800 && lineFeeds <= 2) return null;
  return lineFeeds === 0 ? /\[Pastedtext#\d+\]/ : new RegExp(`\\[Pastedtext#\\d+\\+${lineFeeds}lines\\]`);
};

/** Claude wraps five columns short of the pane; one more or less is allowed for. */
const wrapWidths = (cols: number): readonly number[] => [cols - 5, cols - 4, cols - 6];

const echo = (screen: Screen, text: string): Echo => {
  const { rows, box, state } = readLine(screen);
  // A ghost may use our very words, and Enter in shell mode would run them.
  if (box === null || state !== "occupied" || box.sign === "shell") return "none";
  const shown = shownRows(rows, box);
  if (box.sign === "prompt") return compareEcho(shown.join(""), text, chipOf(text));
  const scrolled = compareScrolledEcho(shown, text, box.rowsAbove, wrapWidths(screen.cols));
  if (scrolled !== "none") return scrolled;
  return compareEcho(shown.join(""), text, chipOf(text)) === "none" ? "none" : "mixed";
};

const dialog = (screen: Screen): string | null => {
  const { rows, box, state } = readLine(screen);
  if (box === null || state === "unknown") return nameClaudeDialog(rows, screen);
  if (box.sign === "shell") return "mode";
  if (isHelp(rows.slice(box.bottom + 2))) return "help";
  return state === "occupied" && isMenuOpen(rows, box, screen.cursor) ? "menu" : null;
};

const isHelp = (footer: readonly Row[]): boolean =>
  footer.some((row) => row.text.includes("/ for commands")) &&
  footer.some((row) => row.text.includes("@ for file paths"));

/** Choices stand directly above the box while a `/command` or an `@name` is being typed: Enter would take one. */
const isMenuOpen = (rows: readonly Row[], box: Box, cursor: Screen["cursor"]): boolean => {
  const behind = rows[cursor.y]?.cells.filter((cell) => cell.x >= TEXT_COLUMN && cell.x < cursor.x) ?? [];
  const typed = behind.map((cell) => cell.text).join("");
  const isAsking = /^\s*[/@]/.test(shownRows(rows, box)[0] ?? "") || /(^|\s)[/@]\S*\s?$/.test(typed);
  const nearest = rows[box.top - 2]?.text ?? "";
  return isAsking && /^ {2}(❯ | {2})[/@+*◇]/u.test(nearest);
};

/**
 * The cursor at the start of a blank last row, below our text. A text that fills its row looks the same without a line
 * break, so the row above must end well short of the edge.
 */
const brokenBehind = (screen: Screen, text: string): boolean => {
  const { rows, box } = readLine(screen);
  if (box === null || box.bottom === box.top || echo(screen, text) !== "ours") return false;
  const isAtStart = screen.cursor.y === box.bottom && screen.cursor.x === TEXT_COLUMN;
  const last = inkFrom(rows[box.bottom - 1], TEXT_COLUMN).at(-1);
  const isBlankBelow = inkFrom(rows[box.bottom], 0).length === 0;
  return isAtStart && isBlankBelow && last !== undefined && last.x + last.width < screen.cols - WRAP_ROOM;
};

export const claudeLine: LineRules = {
  line: (screen) => readLine(screen).state,
  echo,
  dialog,
  gate: (text) => (chipOf(text) === null ? text : null),
  brokenBehind,
  settleMs: 150,
  echoMs: 3000,
};
