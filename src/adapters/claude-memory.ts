/**
 * What the Claude Code adapter remembers of one terminal between signals, and whose events count.
 * Plain data with bounded lists: the engine keeps it, and it is lost on a restart.
 */
import type { HookSignal, Memory } from "./adapter.js";
import type { Blocked } from "./osc-interpret.js";

type OpenTool = { readonly name: string; readonly asked: boolean };

export type ClaudeMemory = {
  /** The CLI process whose events count; null: none yet, or it said that it ends. */
  readonly bound: { readonly pid: number | null } | null;
  /** The process that was bound last and ended its session. */
  readonly left: { readonly pid: number | null } | null;
  readonly cliSession: string | null;
  readonly cliTurn: string | null;
  /** Prompts already seen, by turn and text: the same file read twice is one prompt. */
  readonly prompts: readonly string[];
  readonly open: Readonly<Record<string, OpenTool>>;
  readonly ended: readonly string[];
  readonly batches: readonly string[];
  /** Names of tools whose approval was asked for and not seen answered. */
  readonly asking: readonly string[];
  readonly blocked: Blocked;
};

const EMPTY: ClaudeMemory = {
  bound: null,
  left: null,
  cliSession: null,
  cliTurn: null,
  prompts: [],
  open: {},
  ended: [],
  batches: [],
  asking: [],
  blocked: null,
};

/** The engine starts every terminal with an empty record. */
export const remembered = (memory: Memory): ClaudeMemory => ({ ...EMPTY, ...memory });

const KEEP = 200;
export const remember = (list: readonly string[], more: readonly string[]): readonly string[] =>
  more.length === 0 ? list : [...list, ...more].slice(-KEEP);

/**
 * The process that a signal comes from, checked against the bound one; null: the event does not count.
 * A CLI started below ours inherits its environment and its hooks: the first process counts while it lives. After its
 * SessionEnd, only a SessionStart binds another, or itself again. A fresh memory (a restart) binds whoever speaks first.
 */
export const bind = (memory: ClaudeMemory, signal: HookSignal): ClaudeMemory | null => {
  const pid = signal.cliPid;
  if (memory.bound !== null) return memory.bound.pid === pid ? memory : null;
  const begins =
    signal.event === "SessionStart" && (signal.payload.source === "startup" || signal.payload.source === "resume");
  if (memory.left === null || memory.left.pid === pid || begins) return { ...memory, bound: { pid }, left: null };
  return null;
};
