/** What a reader sees of the bus. Made from the state on every read, never stored; plain JSON, so it crosses /api as it is. */
import type { Millis } from "./protocol.js";
import type { Level, RunKind, Status } from "./terminal.js";

export type AgentView = {
  readonly id: string;
  readonly name: string;
  readonly kind: RunKind;
  readonly level: Level;
  /** The level it has when its reporter is heard. */
  readonly fullLevel: Level;
  /** Why the level is lower than the full one, with the remedy; null when it is not. */
  readonly demoted: string | null;
  readonly status: Status;
  /** tmux does not answer: the status is the last one known. */
  readonly stale: boolean;
  readonly taskTitle: string | null;
  readonly currentTool: string | null;
  readonly autoApproved: number;
  readonly project: string;
  readonly cwd: string;
  readonly preset: string | null;
  readonly launchedAt: Millis;
  /** What it waits on a person for. */
  readonly prompt: { readonly about: string; readonly text: string; readonly since: Millis } | null;
  /** Why nothing can be typed now, though messages wait. */
  readonly held: string | null;
  readonly queued: number;
  readonly exit: { readonly at: Millis; readonly why: string } | null;
};

export type TrailStatus = "Queued" | "Dispatched" | "Completed" | "Failed";

export type TrailView = {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly toId: string;
  readonly project: string;
  /** Approval: no message, but a permission request that a rule of Quay answered; from is Quay. */
  readonly tag: "Broadcast" | "Mailbox" | "Approval" | null;
  readonly text: string;
  readonly status: TrailStatus;
  readonly acceptedAt: Millis;
  readonly typedAt: Millis | null;
  readonly endedAt: Millis | null;
  /** counting: since when; took: how long the turn took, in ms. */
  readonly timer:
    | { readonly kind: "none" }
    | { readonly kind: "counting"; readonly since: Millis }
    | { readonly kind: "took"; readonly ms: number };
  readonly label: "Reply:" | "Answer:";
  readonly response: string | null;
  readonly notes: readonly string[];
};

export type Snapshot = {
  /** Grows with every change; equal numbers mean equal snapshots. */
  readonly revision: number;
  readonly now: Millis;
  readonly agents: readonly AgentView[];
  /** Newest first; the older part is read from the store. */
  readonly trail: readonly TrailView[];
  readonly engine: {
    readonly pid: number;
    readonly socket: string;
    readonly tmuxSession: string;
    readonly home: string;
    readonly mcpUrl: string;
    /** Set when this engine types nothing any more, and why. */
    readonly stopped: string | null;
  };
  /** Presets found, and files that could not be read, with the error. */
  readonly presets: readonly PresetView[];
  /** What can be launched alone. */
  readonly runKinds: readonly string[];
};

export type PresetView = {
  readonly name: string;
  readonly description: string;
  readonly origin: "built in" | "user" | "project";
  readonly path: string;
  readonly seats: readonly { readonly name: string; readonly kind: string }[];
  readonly error: string | null;
};
