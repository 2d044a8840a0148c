/**
 * How OpenCode's line, its echo and its dialogs are read from a screen (measured on 1.18.33; facts/composers-*.md).
 * The line is the block of `┃` rows on top of the last `╹▀▀▀` row, with the agent's row at its foot; the cursor must stand
 * in it: overlays leave the block painted and empty-looking beside them. A screen is only ever a reason to refuse. Pure.
 */
import type { Echo, LineRules, LineState, Screen } from "./adapter.js";
import { compareEcho } from "./line-text.js";
import { nameOpencodeDialog } from "./opencode-dialog.js";
import { cellAt, inkFrom, isBlank, parseScreen, type Row, textFrom } from "./screen.js";

type Box = {
  /** First and last row of the text. */
  readonly top: number;
  readonly bottom: number;
  /** Where the text begins: three columns right of the bar. */
  readonly column: number;
  readonly isShell: boolean;
  /** Colour of what the person did not write: that of the dot in the agent's row; null: there is none. */
  readonly muted: string | null;
};

const BAR = "┃";

/** A row of the menu that `/` or `@` opens stands between two bars, its text one column nearer to the first. */
const isMenuRow = (row: Row | undefined, bar: number): boolean => {
  const text = row?.text.trimEnd() ?? "";
  return text.endsWith(BAR) && text.length > bar + 6 && !isBlank(cellAt(row, bar + 2)?.text ?? " ");
};

const findBox = (rows: readonly Row[]): Box | null => {
  const foot = rows.findLastIndex((row) => /╹▀{5,}/u.test(row.text));
  const bar = rows[foot]?.cells.find((cell) => cell.text === "╹")?.x;
  if (bar === undefined) return null;
  let top = foot;
  while (top > 0 && cellAt(rows[top - 1], bar)?.text === BAR && !isMenuRow(rows[top - 1], bar)) top -= 1;
  // A blank row, the text, a blank row, the agent's row.
  if (foot - top < 4) return null;
  const agent = rows[foot - 1];
  return {
    top: top + 1,
    bottom: foot - 3,
    column: bar + 3,
    isShell: /^Shell\b/.test(textFrom(agent, bar + 3)),
    muted: agent?.cells.find((cell) => cell.text === "·")?.style.fg ?? null,
  };
};

/** A row that Enter would take; `No matching items` is none. */
const isChoice = (row: Row | undefined, bar: number): boolean =>
  isMenuRow(row, bar) && /^[/@]\S/.test(textFrom(row, bar + 2));

type Reading = { readonly rows: readonly Row[]; readonly box: Box | null; readonly state: LineState };

const readLine = (screen: Screen): Reading => {
  const rows = parseScreen(screen.ansi);
  const box = findBox(rows);
  return { rows, box, state: box === null ? "unknown" : judge(rows, box, screen.cursor) };
};

const shownRows = (rows: readonly Row[], box: Box): readonly string[] =>
  rows.slice(box.top, box.bottom + 1).map((row) => textFrom(row, box.column));

/** The placeholders of the home screen and of the shell mode; their examples vary. */
const PLACEHOLDER = /^(Ask anything|Run a command)….*$/u;

const judge = (rows: readonly Row[], box: Box, cursor: Screen["cursor"]): LineState => {
  if (!cursor.visible || cursor.y < box.top || cursor.y > box.bottom || cursor.x < box.column) return "unknown";
  // Shell mode with nothing typed is no empty line: what is pasted there would be run.
  if (box.isShell) return "occupied";
  if (cursor.x !== box.column || cursor.y !== box.top) return "occupied";
  const ink = rows.slice(box.top, box.bottom + 1).flatMap((row) => inkFrom(row, box.column));
  if (ink.length === 0) return box.bottom === box.top ? "empty" : "occupied";
  const isPlaceholder = PLACEHOLDER.test(shownRows(rows, box).join(" ").trim());
  const under = cellAt(rows[cursor.y], cursor.x);
  const isMuted = box.muted === null || ink.every((cell) => cell === under || cell.style.fg === box.muted);
  return isPlaceholder && isMuted ? "empty" : "occupied";
};

/** Shown in full up to 150 UTF-16 units and two lines, counted without the blanks around it. */
const chipOf = (text: string): RegExp | null => {
  const trimmed = text.trim();
  const lines = trimmed.split("\n").length;
  return trimmed.length <= 150 && lines < 3 ? null : new RegExp(`\\[Pasted~${lines}lines\\]`);
};

const echo = (screen: Screen, text: string): Echo => {
  const { rows, box, state } = readLine(screen);
  // A placeholder may use our very words, and Enter in shell mode would run them.
  if (box === null || state !== "occupied" || box.isShell) return "none";
  return compareEcho(shownRows(rows, box).join(""), text, chipOf(text));
};

const dialog = (screen: Screen): string | null => {
  const { rows, box, state } = readLine(screen);
  if (box === null || state === "unknown") return nameOpencodeDialog(rows, box !== null);
  if (box.isShell) return "mode";
  return state === "occupied" && isChoice(rows[box.top - 2], box.column - 3) ? "menu" : null;
};

export const opencodeLine: LineRules = {
  line: (screen) => readLine(screen).state,
  echo,
  dialog,
  gate: (text) => (chipOf(text) === null ? text : null),
  // Keys that come as a burst stay unseen until all are taken: its reads must lie further apart than others'.
  settleMs: 300,
  echoMs: 3000,
};
