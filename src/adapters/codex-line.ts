/**
 * How Codex's line, its echo and its dialogs are read from a screen (measured on 0.171.0; facts/composers-*.md).
 * There is no box: the line begins at the last bold `›` in the first column, and ends above the footer. While anything
 * else is open the cursor is hidden, or outside of it. A screen is only ever a reason to refuse. Pure.
 */
import type { Echo, LineRules, LineState, Screen } from "./adapter.js";
import { nameCodexDialog } from "./codex-dialog.js";
import { compareEcho, compareScrolledEcho } from "./line-text.js";
import { cellAt, inkFrom, isBlank, parseScreen, type Row, textFrom } from "./screen.js";

/** Text starts here; column 0 holds the sign, column 1 a blank. */
const TEXT_COLUMN = 2;

type Place = {
  readonly top: number;
  readonly bottom: number;
  readonly sign: "prompt" | "shell";
  /** The first rows of a draft taller than the pane are out of sight, or the last ones are. */
  readonly scrolled: boolean;
};

/** Prompts of the transcript carry the same sign, bold and dim. */
const hasSign = (row: Row): boolean => {
  const cell = cellAt(row, 0);
  return cell !== undefined && /^[›!]$/u.test(cell.text) && cell.style.bold && !cell.style.dim;
};

const lastInked = (rows: readonly Row[]): number => rows.findLastIndex((row) => !isBlank(row.text));

/** Its keys are bold and its places coloured; a draft is plain. */
const isFooter = (row: Row): boolean =>
  /^\s*reverse-i-search/.test(row.text) || inkFrom(row, 0).some(({ style }) => style.bold || style.fg !== "");

const findPlace = (rows: readonly Row[], { cursor, cols }: Screen): Place | null => {
  const top = rows.findLastIndex(hasSign);
  if (top < 0) return null;
  const foot = lastInked(rows);
  const gap = rows.findLastIndex((row, y) => y < foot && isBlank(row.text));
  // The footer is what stands below the last blank row; a draft that fills the pane pushes it off.
  const hasFooter = gap > top && (cursor.y < gap || rows.slice(gap + 1).some(isFooter));
  const bottom = hasFooter ? gap - 1 : Math.max(foot, cursor.y);
  const sign = cellAt(rows[top], 0)?.text === "!" ? "shell" : "prompt";
  const scrolled = rows.slice(top, bottom + 1).some((row) => hasScrollMark(row, cols));
  return { top, bottom, sign, scrolled };
};

/** An arrow in the last column, where a draft goes on out of sight. */
const hasScrollMark = (row: Row, cols: number): boolean => /^[↑↓]$/u.test(cellAt(row, cols - 1)?.text ?? "");

const judge = (rows: readonly Row[], place: Place, cursor: Screen["cursor"]): LineState => {
  if (!cursor.visible || cursor.y < place.top || cursor.y > place.bottom || cursor.x < TEXT_COLUMN) return "unknown";
  // Shell mode with nothing typed is no empty line: what is pasted there would be run.
  if (place.sign === "shell") return "occupied";
  const ink = rows.slice(place.top, place.bottom + 1).flatMap((row) => inkFrom(row, TEXT_COLUMN));
  const atOrigin = cursor.x === TEXT_COLUMN && cursor.y === place.top;
  // An empty line always shows its ghost, all of it dim. With no ink at all it is a draft of blanks, or half drawn.
  if (atOrigin && ink.length > 0 && ink.every((cell) => cell.style.dim)) return "empty";
  return ink.length === 0 && atOrigin && place.bottom === place.top ? "unknown" : "occupied";
};

type Reading = { readonly rows: readonly Row[]; readonly place: Place | null; readonly state: LineState };

const readLine = (screen: Screen): Reading => {
  const rows = parseScreen(screen.ansi);
  const place = findPlace(rows, screen);
  return { rows, place, state: place === null ? "unknown" : judge(rows, place, screen.cursor) };
};

const shownRows = (rows: readonly Row[], { top, bottom }: Place, cols: number): readonly string[] =>
  rows.slice(top, bottom + 1).map((row) => {
    const text = textFrom(row, TEXT_COLUMN);
    return hasScrollMark(row, cols) ? text.slice(0, -1) : text;
  });

/** Longest text shown in full, in code points, whatever its lines. */
const LONGEST_SHOWN = 1000;

const chipOf = (text: string): RegExp | null => {
  const points = [...text].length;
  return points <= LONGEST_SHOWN ? null : new RegExp(`\\[PastedContent${points}chars\\](#\\d+)?`);
};

/** Codex wraps three columns short of the pane; one more or less is allowed for. */
const wrapWidths = (cols: number): readonly number[] => [cols - 3, cols - 2, cols - 4];

const echo = (screen: Screen, text: string): Echo => {
  const { rows, place, state } = readLine(screen);
  // A ghost may use our very words, and Enter in shell mode would run them.
  if (place === null || state !== "occupied" || place.sign === "shell") return "none";
  const shown = shownRows(rows, place, screen.cols);
  if (!place.scrolled) return compareEcho(shown.join(""), text, chipOf(text));
  // How many rows are out of sight it does not say: ours must fill whole ones.
  return compareScrolledEcho(shown, text, null, wrapWidths(screen.cols));
};

/** Choices stand above the line while a command, a file or a skill is being named: Enter would take one. */
const isMenuOpen = (rows: readonly Row[], { top }: Place): boolean =>
  rows
    .slice(Math.max(0, top - 3), top)
    .some((row) => /^\s*enter(\/tab)? \S.*\besc close\b/.test(row.text) || /^\s*tab complete\b/.test(row.text));

const dialog = (screen: Screen): string | null => {
  const { rows, place, state } = readLine(screen);
  if (place === null || state === "unknown") return nameCodexDialog(rows);
  if (place.sign === "shell") return "mode";
  if (isMenuOpen(rows, place)) return "menu";
  return /\? \/ esc close/.test(rows[lastInked(rows)]?.text ?? "") ? "help" : null;
};

export const codexLine: LineRules = {
  line: (screen) => readLine(screen).state,
  echo,
  dialog,
  // A name that is being typed at the end opens a menu, and Enter takes its first choice; Codex trims the blank.
  pasted: (text) => (/(?:^|\s)[@$]\S*$/u.test(text) ? `${text} ` : text),
  gate: (text) => (chipOf(text) === null ? text : null),
  settleMs: 150,
  echoMs: 3000,
};
