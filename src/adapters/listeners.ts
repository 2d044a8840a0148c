/**
 * The listeners: CLIs that can be sent a message and tell nothing back. Launched with the person's own flags and no
 * wiring; typed at once, each by a recipe that was tried on it, or by the careful one where none could be.
 * Some of them have hooks of their own that could tell more (Gemini, Copilot): the product text makes them listeners.
 * Source: "Peers and Their Levels" of the product text; facts/other-clis.md sections 2, 3, 5 and 6; DECISIONS A11.
 */
import type { Adapter, LaunchInput, LaunchPlan, LineRules } from "./adapter.js";
import { copilotLine } from "./copilot-line.js";
import { geminiLine } from "./gemini-line.js";
import { wirePeer } from "./launch-wiring.js";

/** ms before Enter. Gemini takes one within 30 ms of a paste for a line feed; 300 was enough for every CLI tried. */
const CAREFUL_MS = 300;

type Listener = {
  readonly kind: Adapter["kind"];
  readonly title: string;
  readonly program: string;
  /** null: its screens were never seen, so it is typed without looking. */
  readonly line: LineRules | null;
  readonly enterAfterMs: number;
  /** What stands before the person's arguments. */
  readonly first?: readonly string[];
  /** The flags by which it takes its first prompt and stays; null: it has none. */
  readonly promptArgs: ((prompt: string) => readonly string[]) | null;
};

const planOf = (cli: Listener, input: LaunchInput): LaunchPlan => ({
  argv: [
    input.command ?? cli.program,
    ...(cli.first ?? []).filter((word) => word !== input.args[0]),
    ...input.args,
    ...(input.prompt === null ? [] : (cli.promptArgs?.(input.prompt) ?? [])),
  ],
  // Its events would go nowhere, and an outer terminal's must not be taken for its own.
  ...wirePeer(input, false),
});

const listener = (cli: Listener): Adapter => ({
  kind: cli.kind,
  title: cli.title,
  program: cli.program,
  traits: { level: "listener", typing: "at once", turns: "none", reporter: null },
  line: cli.line,
  enterAfterMs: cli.enterAfterMs,
  programStatus: null,
  seatFault: ({ prompt }) =>
    prompt === null || cli.promptArgs !== null
      ? null
      : `${cli.title} has no flag for a first prompt. Launch it without one, and send the prompt as a message.`,
  launch: (input) => planOf(cli, input),
  interpret: (memory) => ({ memory, observations: [] }),
  bridgeSwitch: null,
  resync: null,
});

export const copilot = listener({
  kind: "copilot",
  title: "Copilot CLI",
  program: "copilot",
  line: copilotLine,
  enterAfterMs: 0,
  promptArgs: (prompt) => ["-i", prompt],
});

export const kiro = listener({
  kind: "kiro",
  title: "Kiro CLI",
  program: "kiro-cli",
  line: null,
  enterAfterMs: CAREFUL_MS,
  first: ["chat"],
  promptArgs: (prompt) => ["--", prompt],
});

export const gemini = listener({
  kind: "gemini",
  title: "Gemini CLI",
  program: "gemini",
  line: geminiLine,
  enterAfterMs: CAREFUL_MS,
  promptArgs: (prompt) => ["-i", prompt],
});

export const grok = listener({
  kind: "grok",
  title: "Grok Build",
  program: "grok",
  line: null,
  enterAfterMs: CAREFUL_MS,
  promptArgs: null,
});

export const aider = listener({
  kind: "aider",
  title: "Aider",
  program: "aider",
  line: null,
  enterAfterMs: CAREFUL_MS,
  // Its --message does one thing and ends.
  promptArgs: null,
});
