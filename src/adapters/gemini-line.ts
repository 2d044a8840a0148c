/**
 * How the line of Gemini CLI is read from a screen (measured on 0.61.0; facts/composers-*.md). It draws past prompts in
 * the very box of the line, so the box is looked for around the cursor, which stays in it; for some time after its start
 * the hidden cursor is parked below everything instead. A screen is only ever a reason to refuse: it never says that a
 * turn began or ended. Pure.
 */
import type { Echo, LineRules, LineState, Screen } from "./adapter.js";
import { compareEcho } from "./line-text.js";
import { isBlank, isRule, parseScreen, type Row, textFrom } from "./screen.js";

/** Text starts here; the sign stands in column 1. */
const TEXT_COLUMN = 3;

const isEdge = (row: Row | undefined, character: "▄" | "▀", cols: number): boolean => {
  const text = row?.text.trimEnd() ?? "";
  return text.length >= cols - 2 && text === character.repeat(text.length);
};

const hasSign = (row: Row | undefined): boolean => /^ (?:[>*!]|\(r:\))(?: |$)/.test(row?.text.trimEnd() ?? "");

/** Below everything that is drawn, hidden, in the first column: it says nothing of the line then. */
const isParked = (rows: readonly Row[], cursor: Screen["cursor"]): boolean =>
  !cursor.visible && cursor.x === 0 && cursor.y > 0 && rows.slice(cursor.y).every((row) => isBlank(row.text));

/** The box of the line, when it is the last thing above the footer: past prompts have neither rule nor footer. */
const findLastBox = (rows: readonly Row[], cols: number): readonly Row[] | null => {
  const bottom = rows.findLastIndex((row) => isEdge(row, "▀", cols));
  const top = rows.findLastIndex((row, y) => y < bottom && isEdge(row, "▄", cols));
  const foot = rows.slice(bottom + 1).filter((row) => !isBlank(row.text));
  const hasFoot = foot.length > 0 && foot.length <= 2 && !isBlank(rows[bottom + 1]?.text ?? "");
  return top >= 2 && hasFoot && isRule(rows[top - 2], cols) ? rows.slice(top + 1, bottom) : null;
};

/** The rows of the box around the cursor; null when there is none. */
const findBox = (rows: readonly Row[], { cursor, cols }: Screen): readonly Row[] | null => {
  if (isParked(rows, cursor)) return findLastBox(rows, cols);
  const top = rows.findLastIndex((row, y) => y < cursor.y && isEdge(row, "▄", cols));
  const bottom = rows.findIndex((row, y) => y > cursor.y && isEdge(row, "▀", cols));
  if (top >= 0 && bottom >= 0) {
    const between = rows.slice(top + 1, bottom);
    // An edge of another box between them: the cursor is in none.
    return between.some((row) => isEdge(row, "▀", cols) || isEdge(row, "▄", cols)) ? null : between;
  }
  return findPlainBox(rows, cursor.y, cols);
};

/** With few colours the edges are blank rows, without any they are rules. */
const findPlainBox = (rows: readonly Row[], y: number, cols: number): readonly Row[] | null => {
  const isBorder = (row: Row | undefined): boolean => row === undefined || isBlank(row.text) || isRule(row, cols);
  const first = rows.findLastIndex((row, at) => at <= y && hasSign(row) && isBorder(rows[at - 1]));
  if (first < 0) return null;
  const end = rows.findIndex((row, at) => at > first && isBorder(row));
  const bottom = end < 0 ? rows.length : end;
  // Wide characters may leave the cursor one row below the text.
  return y <= bottom ? rows.slice(first, bottom) : null;
};

type Reading = { readonly rows: readonly Row[]; readonly box: readonly Row[] | null; readonly state: LineState };

const PLACEHOLDER = /^ [>*] {3}Type your message or @path\/to\/file$/;

const judge = (box: readonly Row[], rows: readonly Row[], { cursor }: Screen): LineState => {
  const first = box[0]?.text.trimEnd() ?? "";
  if (!/^ [>*](?: |$)/.test(first)) return "unknown";
  const isOne = box.slice(1).every((row) => isBlank(row.text));
  const isHome = cursor.x === TEXT_COLUMN || isParked(rows, cursor);
  if (box.length === 1 && PLACEHOLDER.test(first) && isHome) return "empty";
  // No ink and the cursor at home: half drawn.
  return isOne && isBlank(first.slice(2)) && isHome ? "unknown" : "occupied";
};

const readLine = (screen: Screen): Reading => {
  const rows = parseScreen(screen.ansi);
  const box = findBox(rows, screen);
  return { rows, box, state: box === null ? "unknown" : judge(box, rows, screen) };
};

/** Longest text shown in full. */
const CHIP_ABOVE_LINES = 5;
const CHIP_ABOVE_CHARACTERS = 500;

const chipOf = (text: string): RegExp | null => {
  const lines = text.split("\n").length;
  if (lines > CHIP_ABOVE_LINES) return new RegExp(`\\[PastedText:${lines}lines(?:#\\d+)?\\]`);
  if (text.length <= CHIP_ABOVE_CHARACTERS) return null;
  return new RegExp(`\\[PastedText:(?:${text.length}|${[...text].length})chars(?:#\\d+)?\\]`);
};

const echo = (screen: Screen, text: string): Echo => {
  const { box, state } = readLine(screen);
  if (box === null || state !== "occupied") return "none";
  return compareEcho(box.map((row) => textFrom(row, TEXT_COLUMN)).join(""), text, chipOf(text));
};

/** First match wins. Anything else in the line's place stays unnamed: "not understood". */
const KINDS: readonly (readonly [kind: string, test: RegExp])[] = [
  ["trust", /Do you trust the files in this folder\?/],
  ["auth", /How would you like to authenticate/],
  ["question", /│ +Answer Questions|Enter to (?:select|submit) · .*Esc to cancel/],
  ["permission", /Allow execution of|Apply this change\?|● 1\. Allow once/],
  ["model", /Select Model/],
  ["picker", /\((?:Use |Press )?(?:Enter|Esc) to (?:select|close)|Esc to close\)|Navigate: ↑\/↓/],
];

/** Rows that a dialog may fill, counted from the last one with ink. */
const TALLEST = 30;

const dialog = (screen: Screen): string | null => {
  const { rows, state } = readLine(screen);
  if (state !== "unknown") return null;
  const last = rows.findLastIndex((row) => !isBlank(row.text));
  const text = rows
    .slice(Math.max(0, last + 1 - TALLEST), last + 1)
    .map((row) => row.text)
    .join("\n");
  return KINDS.find(([, test]) => test.test(text))?.[0] ?? null;
};

export const geminiLine: LineRules = {
  line: (screen) => readLine(screen).state,
  echo,
  dialog,
  gate: (text) => (chipOf(text) === null ? text : null),
  // It draws its line before it listens: what is pasted in the first second is lost.
  settleMs: 1_500,
  // 95 of 100 came within 62 ms on an idle machine.
  echoMs: 3_000,
};
