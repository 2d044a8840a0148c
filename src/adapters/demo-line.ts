/**
 * How the demo agent's composer is read, and the few marks that the agent draws it with: one place for both.
 * The composer stands between two full-width rules, a footer row below. Everything the agent prints above it is
 * indented, so text of a conversation cannot draw a second composer. Pure: a screen in, a verdict out.
 */
import type { Echo, LineRules, LineState, Screen } from "./adapter.js";
import { compareEcho, squash } from "./line-text.js";
import { parseScreen } from "./screen.js";

export const DEMO_PROMPT = "demo> ";
export const DEMO_RULE = "─";
/** Stands where the prompt stood when a tall draft has scrolled inside the composer. */
export const DEMO_SCROLLED = "  ... ";

const CHIP_ABOVE_LINES = 3;
const CHIP_ABOVE_CHARACTERS = 400;

/** What the composer shows instead of a long paste: above 3 lines or 400 code points. Null: the text itself. */
export const demoPasteChip = (text: string): string | null => {
  const lines = text.split("\n").length;
  const characters = [...text].length;
  if (lines <= CHIP_ABOVE_LINES && characters <= CHIP_ABOVE_CHARACTERS) return null;
  return `[Pasted ${lines} ${lines === 1 ? "line" : "lines"}, ${characters} characters]`;
};

type Box = {
  readonly top: number;
  readonly bottom: number;
  /** What stands right of the prompt, row by row. */
  readonly text: readonly string[];
  readonly scrolled: boolean;
};

const isRule = (row: string, cols: number): boolean =>
  row.length >= cols - 1 && [...row].every((cell) => cell === DEMO_RULE);

/** The composer, when the screen ends in: rule, rows, rule, one footer row. */
const locate = (screen: Screen): Box | null => {
  const rows = parseScreen(screen.ansi).map((row) => row.text.trimEnd());
  const rules = rows.flatMap((row, index) => (isRule(row, screen.cols) ? [index] : []));
  const upper = rules.at(-2);
  const lower = rules.at(-1);
  if (upper === undefined || lower === undefined || lower === upper + 1) return null;
  const below = rows.slice(lower + 1).filter((row) => row !== "");
  if (below.length !== 1 || !below[0]?.startsWith("  ")) return null;
  const inside = rows.slice(upper + 1, lower);
  const scrolled = inside[0]?.startsWith(DEMO_SCROLLED.trimEnd()) ?? false;
  if (!scrolled && !inside[0]?.startsWith(DEMO_PROMPT.trimEnd())) return null;
  return { top: upper + 1, bottom: lower - 1, text: inside.map((row) => row.slice(DEMO_PROMPT.length)), scrolled };
};

const lineIn = (box: Box | null, { x, y, visible }: Screen["cursor"]): LineState => {
  if (box === null || !visible || y < box.top || y > box.bottom || x < DEMO_PROMPT.length) return "unknown";
  const blank = box.text.length === 1 && box.text[0] === "" && x === DEMO_PROMPT.length;
  return blank && !box.scrolled ? "empty" : "occupied";
};

const chipPattern = (text: string): RegExp | null => {
  const chip = demoPasteChip(text);
  return chip === null ? null : new RegExp(squash(chip).replace(/[[\]]/g, "\\$&"));
};

const echo = (screen: Screen, text: string): Echo => {
  const box = locate(screen);
  if (box === null || lineIn(box, screen.cursor) !== "occupied") return "none";
  const seen = compareEcho(box.text.join(""), text, chipPattern(text));
  // Rows out of sight may hold somebody's words.
  return seen === "ours" && box.scrolled ? "mixed" : seen;
};

export const demoLine: LineRules = {
  line: (screen) => lineIn(locate(screen), screen.cursor),
  echo,
  /** The demo agent opens no dialogs and no menus. */
  dialog: () => null,
  gate: (text) => (demoPasteChip(text) === null ? text : null),
  settleMs: 60,
  echoMs: 1_500,
};
