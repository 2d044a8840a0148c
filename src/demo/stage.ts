/**
 * What a script may do: speak, pause, use a tool, send a message. The scripts know nothing of terminals, events or
 * HTTP; the conversation gives them a stage of its own for each turn.
 */
import type { ToolAnswer } from "./bus-tools.js";
import type { IncomingPrompt } from "./prompt.js";

/** The person pressed Escape: the turn ends here, without an answer. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

export type Stage = {
  readonly cwd: string;
  /** Name of the terminal that gets the hand-off. */
  readonly peer: string;
  readonly signal: AbortSignal;
  say(text: string): void;
  /** A pause that lets a person follow; none with --fast. Throws Interrupted. */
  pause(): Promise<void>;
  /** Runs one step as a tool of the agent, shown and reported by this name. Throws what `run` throws. */
  tool<T>(name: string, title: string, run: () => Promise<T>): Promise<T>;
  /** quay_send_message with wait_for_reply: false. */
  send(target: string, message: string): Promise<ToolAnswer>;
};

export type Script = {
  /** One sentence for a person who types something else. */
  readonly understands: string;
  /** Resolves to the answer of the turn. */
  play(prompt: IncomingPrompt, stage: Stage): Promise<string>;
};

export const unknownPrompt = (role: string, understands: string): string =>
  `I am a scripted demo in the role ${role}: there is no model behind me, so I cannot read that. ${understands}`;
