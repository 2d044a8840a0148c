/**
 * How the line of Pi and of PiG, its rebuild in Go, is read from a screen (measured on Pi 1.6.0; facts/composers-*.md).
 * The line has no sign of its own: it is what stands between the two rules around the cursor, and so is every dialog,
 * which is told apart by the blank row that it begins with and the keys that it ends with.
 * A screen is only ever a reason to refuse: it never says that a turn began or ended. Pure.
 */
import type { Echo, LineRules, LineState, Screen } from "./adapter.js";
import { compareEcho, compareScrolledEcho } from "./line-text.js";
import { isBlank, isRule, parseScreen, type Row, rulesAround } from "./screen.js";

type Box = {
  readonly body: readonly string[];
  /** Index of the row below the lower rule. */
  readonly below: number;
  readonly rowsAbove: number;
};

const HIDDEN_ROWS = / ↑ (\d+) more /;

const findBox = (rows: readonly Row[], { cursor, cols }: Screen): Box | null => {
  const rules = rulesAround(rows, cols, cursor.y);
  if (rules === null) return null;
  const hidden = HIDDEN_ROWS.exec(rows[rules.above]?.text ?? "");
  return {
    body: rows.slice(rules.above + 1, rules.below).map((row) => row.text.trimEnd()),
    below: rules.below + 1,
    rowsAbove: Number(hidden?.[1] ?? 0),
  };
};

/** What dialogs say in their last rows; facts/composers-*.md section 5. */
const KEYS =
  /^tab scope · |escape\/ctrl\+c cancel|Escape\/Ctrl\+C to cancel|Esc to cancel|(?:↑↓|↑\/↓) (?:navigate|move)|enter (?:select|submit)/;

/** First match wins: what an extension can write as a title comes last. */
const KINDS: readonly (readonly [kind: string, test: RegExp])[] = [
  ["trust", /Trust project folder\?/],
  ["auth", /Select authentication method|Connect a Provider/],
  ["model", /Only showing models|Search models/],
  ["picker", /Resume Session|Session Tree|Thinking Level|Type to search/],
  ["permission", /^ *→ Yes\n +No$/m],
  ["question", /enter (?:select|submit)/],
];

const nameDialog = (body: readonly string[]): string =>
  KINDS.find(([, test]) => test.test(body.join("\n")))?.[0] ?? "picker";

/** A draft that begins with a blank row and ends like a dialog is taken for one: the safe side. */
const isDialog = (body: readonly string[]): boolean => {
  const rows = body.filter((row) => row !== "");
  const opensAsOne = isBlank(body[0] ?? "") || /^ *Session Tree$/.test(rows[0] ?? "");
  return opensAsOne && rows.length > 1 && body.some((row) => KEYS.test(row));
};

type Reading = { readonly rows: readonly Row[]; readonly box: Box | null; readonly state: LineState };

const readLine = (screen: Screen): Reading => {
  const rows = parseScreen(screen.ansi);
  const box = findBox(rows, screen);
  return { rows, box, state: box === null ? "unknown" : judge(box, screen.cursor) };
};

const judge = ({ body, rowsAbove }: Box, cursor: Screen["cursor"]): LineState => {
  if (rowsAbove === 0 && isDialog(body)) return "unknown";
  // Blanks are told from nothing by the cursor alone: the capture trims them.
  return body.length === 1 && body[0] === "" && cursor.x === 0 ? "empty" : "occupied";
};

const CHIP_ABOVE_LINES = 10;
const CHIP_ABOVE_CHARACTERS = 1_000;

/** The chip tells lines, or characters after TABs became four blanks. */
const chipOf = (text: string): RegExp | null => {
  const lines = text.split("\n").length;
  const shown = text.replaceAll("\t", "    ");
  if (lines <= CHIP_ABOVE_LINES && shown.length <= CHIP_ABOVE_CHARACTERS) return null;
  const sizes = [text.length, shown.length, [...text].length, [...shown].length];
  return lines > CHIP_ABOVE_LINES
    ? new RegExp(`\\[paste#\\d+\\+${lines}lines\\]`)
    : new RegExp(`\\[paste#\\d+(?:${[...new Set(sizes)].join("|")})chars\\]`);
};

/** Pi leaves the last column to the cursor. */
const wrapWidths = (cols: number): readonly number[] => [cols - 1, cols, cols - 2];

const echo = (screen: Screen, text: string): Echo => {
  const { box, state } = readLine(screen);
  if (box === null || state !== "occupied") return "none";
  if (box.rowsAbove === 0) return compareEcho(box.body.join(""), text, chipOf(text));
  const scrolled = compareScrolledEcho(box.body, text, box.rowsAbove, wrapWidths(screen.cols));
  if (scrolled !== "none") return scrolled;
  // Rows out of sight may hold somebody's words.
  return compareEcho(box.body.join(""), text, chipOf(text)) === "none" ? "none" : "mixed";
};

/** Choices stand right below the box while a `/command` or an `@name` is typed: Enter would take one. */
const isMenuOpen = (rows: readonly Row[], box: Box): boolean => rows[box.below]?.text.startsWith("→ ") ?? false;

/** Dialogs without a field leave the cursor on the rule below them. */
const dialogAbove = (rows: readonly Row[], { cols, cursor }: Screen): string | null => {
  if (!isRule(rows[cursor.y], cols)) return null;
  const top = rows.findLastIndex((row, at) => at < cursor.y && isRule(row, cols));
  const body = rows.slice(top + 1, cursor.y).map((row) => row.text.trimEnd());
  return body.some((row) => KEYS.test(row)) ? nameDialog(body) : null;
};

const dialog = (screen: Screen): string | null => {
  const { rows, box, state } = readLine(screen);
  if (box === null) return dialogAbove(rows, screen);
  if (state === "unknown") return nameDialog(box.body);
  return state === "occupied" && isMenuOpen(rows, box) ? "menu" : null;
};

export const piLine: LineRules = {
  line: (screen) => readLine(screen).state,
  echo,
  dialog,
  gate: (text) => (chipOf(text) === null ? text : null),
  settleMs: 60,
  echoMs: 1_500,
};
