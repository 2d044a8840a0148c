/**
 * Names the dialog of Claude Code that is open, once the line is known not to be. Only the panel at the bottom is read:
 * a transcript may quote any dialog. Anything that is not recognised stays null, which the caller must take as
 * "not understood", never as "nothing is open". Pure.
 */
import type { Screen } from "./adapter.js";
import { cellAt, isBlank, isRule, type Row } from "./screen.js";

type Panel = {
  /** First row with text, without its indent. */
  readonly title: string;
  /** Rows as lines, no-break blanks made plain. */
  readonly lines: string;
  /** The whole as one line: narrow panes wrap feet and options anywhere. */
  readonly flat: string;
};

/** First match wins. What a model can write (a question, a command) comes after what only the CLI writes. */
const KINDS: readonly (readonly [kind: string, test: (panel: Panel) => boolean])[] = [
  ["question", ({ title, flat }) => /^(← +)?[☐☒☑✔] ?/u.test(title) && /Esc to cancel|Submit/.test(flat)],
  ["model", ({ title }) => title.startsWith("Select model")],
  ["resume", ({ title }) => title.startsWith("Resume session")],
  ["rewind", ({ title }) => /^Rewind\b/.test(title)],
  ["history", ({ title }) => title.startsWith("Search prompts")],
  ["transcript", ({ title }) => title.startsWith("Showing detailed transcript")],
  ["apikey", ({ title }) => title.startsWith("Detected a custom API key")],
  ["trust", ({ lines, flat }) => /Accessing workspace:/.test(flat) && hasOption(lines, "Yes, I trust this folder")],
  ["bypass", ({ lines, flat }) => /Bypass Permissions mode/.test(flat) && hasOption(lines, "Yes, I accept")],
  ["plan", ({ flat }) => /Exit plan mode\?|Ready to code\?|ready to execute\. Would you like to proceed\?/.test(flat)],
  ["permission", ({ lines }) => /^ *Do you want to [\s\S]{1,300}?\? *\n(?: *\n)? *(?:❯ )?1\. Yes/m.test(lines)],
  ["login", ({ flat }) => /Select login method:/.test(flat)],
  ["limit", ({ flat }) => /Stop and wait for limit to reset/.test(flat)],
  ["question", ({ flat }) => /Enter to select · (↑|Tab).* Esc to cancel|Review your answers/.test(flat)],
  ["settings", ({ flat }) => /Esc to (cancel|close|exit|go back|clear|return)\b/i.test(flat)],
  ["settings", ({ flat }) => /Enter to (confirm|select|continue|save|use|view|open|copy)\b/i.test(flat)],
];

const hasOption = (lines: string, option: string): boolean =>
  lines.split("\n").some((line) => line.replace(/^\s*(❯\s*)?/u, "").trimEnd() === option);

/** The dialog's kind; null when no panel of the CLI is recognised. */
export const nameClaudeDialog = (rows: readonly Row[], screen: Screen): string | null => {
  const top = findPanelTop(rows, screen.cols);
  const panel = readPanel(rows.slice(top + 1));
  // Its top is out of sight only when the panel is taller than the pane. Then nothing but the selection mark under the
  // cursor tells it from a quotation: with a shell in front, the cursor stands behind a prompt.
  if (top < 0 && cellAt(rows[screen.cursor.y], screen.cursor.x)?.text !== "❯") return null;
  return KINDS.find(([, test]) => test(panel))?.[0] ?? null;
};

/**
 * Panels begin below `▔▔▔`, or below a rule in the first column. A rule may also close the panel (a named session), or
 * part a question from the choice that starts a chat: neither is its top. -1: no top in sight.
 */
const findPanelTop = (rows: readonly Row[], cols: number): number => {
  const overlay = rows.findLastIndex((row) => /^▔{8,}/u.test(row.text) && row.text.trimEnd().length >= cols - 2);
  if (overlay >= 0) return overlay;
  return rows.findLastIndex((row, y) => isRule(row, cols) && !isInnerRule(rows.slice(y + 1)));
};

const isInnerRule = (below: readonly Row[]): boolean =>
  below.every((row) => isBlank(row.text)) || /^\s*(❯\s*)?\d+\. Chat about this/u.test(plain(below[0]));

const plain = (row: Row | undefined): string => (row?.text ?? "").replace(/\u00a0/g, " ").trimEnd();

const readPanel = (rows: readonly Row[]): Panel => {
  const lines = rows.map(plain);
  const title = lines.find((line) => line !== "")?.trim() ?? "";
  return { title, lines: lines.join("\n"), flat: lines.join(" ").replace(/\s+/g, " ").trim() };
};
