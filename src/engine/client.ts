/**
 * All that a screen, the command line or the tool server may know of the engine. Two forms: in process, and over
 * /api to an engine elsewhere on this host.
 */
import type { Caller, Outcome, Toast } from "../bus/protocol.js";
import type { AgentView, Snapshot, TrailView } from "../bus/views.js";
import type { DeskAnswer, DeskAsk } from "../mailbox/rules/desk.js";
import type { Proof } from "./explain.js";

export type Change =
  | { readonly kind: "snapshot" }
  | { readonly kind: "toast"; readonly toast: Toast }
  | { readonly kind: "gone"; readonly why: string };

export type Command =
  /** `receivedAt` starts the 58 s of a wait; the engine's clock when left out. `signal` ends the wait, not the delivery. */
  | {
      readonly kind: "send";
      readonly caller: Caller;
      readonly target: string;
      readonly text: string;
      readonly wait: boolean;
      readonly raw: boolean;
    }
  | { readonly kind: "broadcast"; readonly caller: Caller; readonly text: string }
  | { readonly kind: "status"; readonly caller: Caller; readonly target: string }
  | { readonly kind: "launch"; readonly seat: SeatRequest }
  | { readonly kind: "up"; readonly preset: string; readonly cwd: string }
  /** Ends agents: those of a preset, one by name or id, or all. */
  | { readonly kind: "down"; readonly target: string | null; readonly project: string | null }
  | { readonly kind: "kill"; readonly target: string }
  | { readonly kind: "relaunch"; readonly target: string }
  | { readonly kind: "forget"; readonly target: string }
  | { readonly kind: "cancel"; readonly delivery: string }
  /** A person says that the line which holds this message is free: it is looked at anew, and typed when it is. */
  | { readonly kind: "typeNow"; readonly delivery: string }
  /** argv and environment changes of the command that shows this terminal to a person. */
  | { readonly kind: "attach"; readonly target: string; readonly insideTmux: string | null }
  /** What the screen of this terminal shows now, for a preview. */
  | { readonly kind: "look"; readonly target: string }
  | { readonly kind: "trail"; readonly limit: number; readonly before: string | null }
  /** The proof of one message; null: the newest one. */
  | { readonly kind: "explain"; readonly delivery: string | null }
  /** The mailbox, for a person or a terminal: `account` null is the machine's own, `as` the name that a person writes under. */
  | {
      readonly kind: "mailbox";
      readonly caller: Caller;
      readonly account: string | null;
      readonly as: string | null;
      readonly ask: DeskAsk;
    }
  | { readonly kind: "stop" };

export type SeatRequest = {
  readonly name: string;
  readonly kind: string;
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly prompt: string | null;
  readonly preset: string | null;
  /** Rules by which Quay answers its permission requests; left out: none. */
  readonly approve?: readonly string[] | undefined;
};

export type SeatResult = {
  readonly name: string;
  readonly kind: string;
  readonly result: "started" | "already running" | "failed";
  readonly id: string | null;
  readonly why: string | null;
};

/** A plain failure for people: what went wrong and what to do. */
export type Failure = { readonly ok: false; readonly code: string; readonly message: string };

export type Answers = {
  send: { readonly ok: true; readonly outcome: Outcome; readonly delivery: string };
  broadcast: { readonly ok: true; readonly outcome: Outcome };
  status: { readonly ok: true; readonly agent: AgentView };
  launch: { readonly ok: true; readonly seat: SeatResult };
  up: { readonly ok: true; readonly seats: readonly SeatResult[] };
  down: { readonly ok: true; readonly ended: readonly string[] };
  kill: { readonly ok: true; readonly ended: readonly string[] };
  relaunch: { readonly ok: true; readonly seat: SeatResult };
  forget: { readonly ok: true; readonly forgotten: readonly string[] };
  cancel: { readonly ok: true };
  /** `held`: what held it until then. */
  typeNow: { readonly ok: true; readonly held: string };
  attach: { readonly ok: true; readonly argv: readonly string[]; readonly unsetEnv: readonly string[] };
  /** Rows joined by line breaks, with SGR codes as tmux captures them; strangers wrote it. */
  look: { readonly ok: true; readonly ansi: string };
  trail: { readonly ok: true; readonly entries: readonly TrailView[] };
  explain: { readonly ok: true; readonly proof: Proof };
  mailbox: { readonly ok: true; readonly answer: DeskAnswer };
  /** `agentsLeft`: shells are not counted. */
  stop: { readonly ok: true; readonly agentsLeft: number };
};

export type Answer<K extends Command["kind"]> = Answers[K] | Failure;

export type EngineClient = {
  snapshot(): Snapshot;
  /** Calls back on every change; returns the way to stop it. */
  subscribe(listener: (change: Change) => void): () => void;
  /** `signal` aborts a wait (the caller is gone), never a delivery. */
  dispatch<C extends Command>(command: C, options?: { readonly signal?: AbortSignal }): Promise<Answer<C["kind"]>>;
  close(): Promise<void>;
};

/** Where a running engine is: the file that it keeps in its state folder. */
export type Endpoint = {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Path of the tmux socket on which its terminals are. */
  readonly socket: string;
  readonly home: string;
};

/** What the tool server needs beyond that: who a token stands for, and that an answer reached its caller. */
export type CallerDirectory = {
  /** The live terminal whose tool token this is; constant-time. */
  callerOf(token: string): { readonly id: string; readonly name: string } | null;
  /** The terminal whose event secret this is. */
  eventSourceOf(secret: string): { readonly id: string } | null;
  /** The person's own token (0600 file in the state folder). */
  isOwner(token: string): boolean;
  /** The answer about this delivery was handed to its caller's connection: the same call again is a new message (DECISIONS A4). */
  answered(delivery: string): void;
  /** An event file was written for this terminal: drain the spool now. */
  poke(terminal: string): void;
  /** What the hook that left this event file prints, as JSON; null: nothing. `signal`: the hook has gone. */
  answerOf(terminal: string, file: string, signal: AbortSignal): Promise<unknown>;
};
