/**
 * How the line of GitHub Copilot CLI is read from a screen (measured on 1.0.102; facts/composers-*.md). It stands
 * between the two rules around the cursor, with its sign in column 0; the sidebar and dialogs move or replace that
 * sign, and some overlays leave a line that only looks empty. A screen is only ever a reason to refuse. Pure.
 */
import type { Echo, LineRules, LineState, Screen } from "./adapter.js";
import { compareEcho, compareScrolledEcho } from "./line-text.js";
import { isBlank, parseScreen, type Row, rulesAround, textFrom } from "./screen.js";

/** Text starts here; column 0 holds the sign. */
const TEXT_COLUMN = 2;

type Box = { readonly body: readonly Row[]; readonly foot: string };

const findBox = (rows: readonly Row[], { cursor, cols }: Screen): Box | null => {
  const rules = rulesAround(rows, cols, cursor.y);
  if (rules === null) return null;
  const foot = rows.slice(rules.below + 1).map((row) => row.text.trimEnd());
  return { body: rows.slice(rules.above + 1, rules.below), foot: foot.join("\n") };
};

type Reading = { readonly rows: readonly Row[]; readonly box: Box | null; readonly state: LineState };

/** The footer while there is text, also blanks that a capture trims. */
const FOOT_OF_TEXT = /@ files · # issues|ctrl\+q enqueue|\/help show help/;
/** The first key closes the help and is lost. */
const FOOT_OF_HELP = /any key close help/;

const judge = ({ body, foot }: Box, { cursor }: Screen): LineState => {
  const first = body[0]?.text.trimEnd() ?? "";
  if (!cursor.visible || !/^❯(?: |$)/.test(first) || FOOT_OF_HELP.test(foot)) return "unknown";
  if (/\(reverse-i-search\)/.test(foot) || body.some((row) => /^\(reverse-i-search\)/.test(row.text))) return "unknown";
  const isEmpty = body.length === 1 && first === "❯" && cursor.x === TEXT_COLUMN && !FOOT_OF_TEXT.test(foot);
  return isEmpty ? "empty" : "occupied";
};

const readLine = (screen: Screen): Reading => {
  const rows = parseScreen(screen.ansi);
  const box = findBox(rows, screen);
  return { rows, box, state: box === null ? "unknown" : judge(box, screen) };
};

/** Longest text shown in full, in lines; characters do not count. */
const CHIP_ABOVE_LINES = 10;

const chipOf = (text: string): RegExp | null => {
  const lines = text.split("\n").length;
  return lines <= CHIP_ABOVE_LINES ? null : new RegExp(`\\[Paste#\\d+-${lines}lines\\]`);
};

/** It wraps six columns short of the pane, at all four sizes that were measured; one more or less is allowed for. */
const wrapWidths = (cols: number): readonly number[] => [cols - 6, cols - 5, cols - 7];

const echo = (screen: Screen, text: string): Echo => {
  const { box, state } = readLine(screen);
  if (box === null || state !== "occupied") return "none";
  const shown = box.body.map((row) => textFrom(row, TEXT_COLUMN));
  const whole = compareEcho(shown.join(""), text, chipOf(text));
  if (whole !== "mixed" || chipOf(text) !== null) return whole;
  // A tall line scrolls, and nothing says how many rows are out of sight: ours must fill whole ones.
  return compareScrolledEcho(shown, text, null, wrapWidths(screen.cols));
};

/** First match wins. Anything else in the line's place stays unnamed: "not understood". */
const KINDS: readonly (readonly [kind: string, test: RegExp])[] = [
  ["trust", /Confirm folder trust|Do you trust the files in this folder\?/],
  ["question", /^ ?Copilot needs information\./m],
  ["permission", /Do you want to (?:run|create|edit)|^│ ❯ 1\. Yes/m],
  ["model", /Search models…/],
  ["picker", /(?:↑\/↓|↑↓) (?:to )?(?:navigate|select)|\besc (?:to )?(?:cancel|close)|enter (?:to )?select/],
];

const dialog = (screen: Screen): string | null => {
  const { rows, box, state } = readLine(screen);
  if (state !== "unknown") return null;
  // The line is there, in a mode of its own.
  if (box !== null && screen.cursor.visible && /^[!❯]/.test(box.body[0]?.text ?? "")) return null;
  const text = rows
    .filter((row) => !isBlank(row.text))
    .map((row) => row.text)
    .join("\n");
  return KINDS.find(([, test]) => test.test(text))?.[0] ?? null;
};

export const copilotLine: LineRules = {
  line: (screen) => readLine(screen).state,
  echo,
  dialog,
  gate: (text) => (chipOf(text) === null ? text : null),
  settleMs: 100,
  // It holds a paste back for 200 ms and more; 405 ms were seen on a busy machine.
  echoMs: 3_000,
};
