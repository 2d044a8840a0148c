/**
 * Names the dialog of Codex that is open, once the line is known not to be. Only the bottom of the screen is read, and
 * its own foot or title must stand there: a transcript may quote any dialog. Anything that is not recognised stays
 * null, which the caller must take as "not understood", never as "nothing is open". Pure.
 */
import { isBlank, type Row } from "./screen.js";

/** A dialog's question may stand this far above its foot, in rows. */
const TALLEST = 23;

type Panel = {
  /** Rows as lines, without blanks at their ends. */
  readonly lines: string;
  /** The whole as one line: narrow panes wrap feet and options anywhere. */
  readonly flat: string;
  /** The last rows as one line: where a foot stands. */
  readonly foot: string;
};

const flatten = (lines: readonly string[]): string => lines.join(" ").replace(/\s+/g, " ").trim();

const readPanel = (rows: readonly Row[]): Panel => {
  const last = rows.findLastIndex((row) => !isBlank(row.text));
  const lines = rows.slice(Math.max(0, last - TALLEST + 1), last + 1).map((row) => row.text.trimEnd());
  return { lines: lines.join("\n"), flat: flatten(lines), foot: flatten(lines.slice(-3)) };
};

/** First match wins. What a model can write (a question, a command) comes after what only the CLI writes. */
const KINDS: readonly (readonly [kind: string, test: (panel: Panel) => boolean])[] = [
  ["history", ({ lines }) => /^\s*reverse-i-search/m.test(lines)],
  ["rewind", ({ foot }) => /Browsing transcript\b/.test(foot)],
  ["transcript", ({ foot }) => /\bq close\b|\bq to quit\b/.test(foot)],
  ["resume", ({ foot }) => /\benter resume\b/.test(foot)],
  ["agents", ({ foot }) => /\? help esc back\b/.test(foot)],
  ["warnings", ({ lines }) => /^\s*Warnings · \d+ of \d+/m.test(lines)],
  ["question", ({ lines, foot }) => /^\s*Question \d+\/\d+/m.test(lines) && /enter to submit/.test(foot)],
  ["permission", ({ foot }) => /enter to confirm or esc to cancel/.test(foot)],
  [
    "permission",
    ({ lines }) => /^\s*› 1\. Allow\b/m.test(lines) && /^\s*(option \d+\/\d+ \| )?enter to submit/m.test(lines),
  ],
  ["trust", ({ flat }) => /Trust this folder\?|Do you trust the contents/.test(flat)],
  ["hooks", ({ flat }) => /Hooks need review/.test(flat)],
  ["login", ({ flat }) => /Sign in with ChatGPT/.test(flat)],
  ["update", ({ flat }) => /Update available .*1\. Update now/.test(flat)],
  ["limit", ({ flat }) => /Approaching rate limits .*1\. Switch to/.test(flat)],
  ["plan", ({ flat }) => /Implement this plan\?/.test(flat)],
  ["model", ({ flat }) => /Select Model|Select Reasoning/.test(flat)],
  ["settings", ({ foot }) => /\b(press )?(enter|space)\b.*\besc\b/i.test(foot)],
  ["settings", ({ foot }) => /\bpress enter to continue$/i.test(foot)],
];

/** The dialog's kind; null when none of the CLI is recognised. */
export const nameCodexDialog = (rows: readonly Row[]): string | null => {
  const panel = readPanel(rows);
  return KINDS.find(([, test]) => test(panel))?.[0] ?? null;
};
