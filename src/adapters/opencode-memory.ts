/**
 * What the OpenCode adapter remembers of one terminal between signals. Plain data with bounded lists: the engine keeps
 * it, it is lost on a restart, and made anew from what the server says.
 */
import type { TurnEnd } from "../bus/turn.js";
import type { Memory } from "./adapter.js";

/** A message of the user's side, and what stands in it so far. */
export type SeenPrompt = { readonly id: string; readonly texts: Readonly<Record<string, string>> };

export type Asking = {
  readonly id: string;
  readonly about: "permission" | "question";
  readonly text: string;
  /** The tool call that it is asked for; "" when it names none. */
  readonly call: string;
};

export type OpencodeMemory = {
  /** The main session: the last one that a person or Quay prompted. Subagents have sessions of their own. */
  readonly session: string | null;
  readonly children: readonly string[];
  /** Prompts whose turn has not begun, oldest first. */
  readonly pending: readonly SeenPrompt[];
  /** Of these, those that the running turn was told of. */
  readonly joined: readonly string[];
  /** The running turn: its prompt, then those that OpenCode put behind it by itself. */
  readonly turn: readonly string[] | null;
  /** Prompts that need no turn any more. */
  readonly done: readonly string[];
  /** An error of the main session since its turn began. */
  readonly failure: TurnEnd | null;
  readonly tools: Readonly<Record<string, string>>;
  readonly endedTools: readonly string[];
  readonly asking: readonly Asking[];
  /** Tool calls for which a person was asked. */
  readonly asked: readonly string[];
};

export const EMPTY: OpencodeMemory = {
  session: null,
  children: [],
  pending: [],
  joined: [],
  turn: null,
  done: [],
  failure: null,
  tools: {},
  endedTools: [],
  asking: [],
  asked: [],
};

/** The engine starts every terminal with an empty record. */
export const remembered = (memory: Memory): OpencodeMemory => ({ ...EMPTY, ...memory });

const KEEP = 200;
export const keep = <T>(list: readonly T[], more: readonly T[]): readonly T[] => [...list, ...more].slice(-KEEP);

export const promptTextOf = (prompt: SeenPrompt | undefined): string => Object.values(prompt?.texts ?? {}).join("\n");
