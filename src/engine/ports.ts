/**
 * The ports of the engine: interfaces only. Each edge implements one and knows no other edge.
 */
import type { Screen, ServerDoor } from "../adapters/adapter.js";
import type { CallId, DeliveryId, TerminalId } from "../bus/ids.js";
import type { Fact, Millis } from "../bus/protocol.js";
import type { Level } from "../bus/terminal.js";
import type { PresetView } from "../bus/views.js";
import type { SeatRequest } from "./client.js";

export type Clock = {
  /** Never goes back while the process lives; milliseconds since the epoch. */
  now(): Millis;
  /** One alarm at a time: setting a new one replaces the old. Returns nothing; `null` clears it. */
  alarm(at: Millis | null, ring: () => void): void;
};

export type Ids = { terminal(): TerminalId; delivery(): DeliveryId; call(): CallId; secret(): string };

/** The journal: facts in order, durable when `append` resolves. Contract: test/contract/journal.ts. */
export type Journal = {
  /** Appends in one transaction (synchronous=FULL). Calls made while one is under way are committed together. */
  append(facts: readonly Fact[]): Promise<void>;
  /** The last checkpoint, or null, and the facts after it, in order. */
  load(): Promise<{ readonly checkpoint: unknown | null; readonly facts: readonly Fact[] }>;
  /** Replaces the checkpoint and drops the facts before it. */
  checkpoint(state: unknown): Promise<void>;
  close(): Promise<void>;
};

export type PaneLaunch = {
  readonly terminal: TerminalId;
  readonly name: string;
  readonly cwd: string;
  /** Program and arguments, executed directly, without a shell. */
  readonly argv: readonly string[];
  /** Given to the pane by a private file, never in an argv or in tmux's log. */
  readonly env: Readonly<Record<string, string>>;
  /** Taken out of the pane's environment. */
  readonly unsetEnv: readonly string[];
};

/** A pane with our identity, as tmux lists it. */
export type PaneSeen = {
  readonly terminal: TerminalId;
  readonly pid: number;
  readonly dead: boolean;
  readonly status: number | null;
  readonly signal: number | null;
  /** Ids of the deliveries last pasted and entered there, by the markers; null when none. */
  readonly pastedMarker: DeliveryId | null;
  readonly enteredMarker: DeliveryId | null;
  /** The Enter of that delivery was pressed a second time. */
  readonly enteredTwice: boolean;
};

export type PasteReply =
  | { readonly kind: "pasted" }
  | { readonly kind: "refused"; readonly reason: "stale epoch" | "gone" | "input off" | "mode" | "already pasted" }
  | { readonly kind: "unknown" };

export type EnterReply =
  | { readonly kind: "entered" }
  | {
      readonly kind: "refused";
      readonly reason:
        | "stale epoch"
        | "gone"
        | "input off"
        | "already entered"
        | "not pasted"
        | "not entered"
        | "no echo";
    }
  | { readonly kind: "unknown" };

/** What tmux itself compares in the very step that presses Enter; anything else is refused with "no echo". */
export type EnterGate = {
  /** The text whose tail must stand on the screen; null: it is not shown in full. */
  readonly echoTail: string | null;
  /** Where the cursor stood when the line was read, 0-based; null: anywhere. */
  readonly cursor: { readonly x: number; readonly y: number } | null;
};

export type HostEvent =
  | { readonly kind: "output"; readonly terminal: TerminalId; readonly bytes: Uint8Array }
  /** Bytes of this terminal were lost (pause, reconnect). */
  | { readonly kind: "gap"; readonly terminal: TerminalId }
  | {
      readonly kind: "exited";
      readonly terminal: TerminalId;
      readonly status: number | null;
      readonly signal: number | null;
      readonly why: string;
    }
  /** tmux stopped answering, or answers again. */
  | { readonly kind: "reachable"; readonly reachable: boolean }
  | { readonly kind: "fencedOut"; readonly holder: string };

/** One tmux server that holds our terminals. Contract: test/contract/terminal-host.ts. */
export type TerminalHost = {
  /**
   * Starts the server when needed, attaches, fences (compare-and-set of the epoch), ends the clients of a
   * predecessor, and returns the panes that carry our identity. Throws QuayError when another engine holds it.
   */
  start(): Promise<readonly PaneSeen[]>;
  /** The server that is attached: process id and start time, which the store keeps beside each terminal. */
  server(): {
    readonly pid: number;
    readonly startedAt: number;
    readonly socket: string;
    readonly tmuxSession: string;
    readonly version: string;
  };
  on(listener: (event: HostEvent) => void): void;
  launch(plan: PaneLaunch): Promise<{ readonly pid: number }>;
  panes(): Promise<readonly PaneSeen[]>;
  /** Pid of the program of this terminal's pane; null when it is not there. */
  pidOf(terminal: TerminalId): number | null;
  /** tmux's id of this terminal's pane (`%7`), as its programs see it in TMUX_PANE; null when it is not there. */
  paneOf(terminal: TerminalId): string | null;
  screen(terminal: TerminalId): Promise<Screen | null>;
  /** A person's client shows this pane and had a key within the last two seconds. */
  personAt(terminal: TerminalId): Promise<boolean>;
  /** Guarded, marker first; refuses unless epoch, identity, life and input are as expected, and in any mode. */
  paste(terminal: TerminalId, delivery: DeliveryId, text: string): Promise<PasteReply>;
  /** Guarded carriage return; null: no gate inside tmux. */
  enter(terminal: TerminalId, delivery: DeliveryId, gate: EnterGate | null): Promise<EnterReply>;
  /** A second carriage return, only after the first one of this delivery and once ("already entered" after that). */
  enterAgain(terminal: TerminalId, delivery: DeliveryId, gate: EnterGate): Promise<EnterReply>;
  /** Raises the epoch on a new command client and reads the markers: what was written before can no longer run. */
  fence(): Promise<readonly PaneSeen[]>;
  /** Fixed-alphabet answer to a terminal query, as raw bytes; dropped in a mode, when dead or input is off. */
  answerQuery(terminal: TerminalId, bytes: Uint8Array): Promise<void>;
  /** Ends the program: SIGHUP by kill-pane, and removes the pane. */
  kill(terminal: TerminalId): Promise<void>;
  /** Removes the dead pane of a terminal whose record is kept elsewhere, and its markers. */
  bury(terminal: TerminalId): Promise<void>;
  /** What a person runs to see this terminal. `inside`: the socket path of the tmux they are in, if any. */
  attachCommand(
    terminal: TerminalId,
    inside: string | null,
  ): { readonly argv: readonly string[]; readonly unsetEnv: readonly string[] };
  /** Shows a line to people attached to Quay's own server; does nothing on a user's server. */
  displayMessage(text: string): Promise<void>;
  /** Lets go of the server: terminals go on. Key bindings of ours are taken back. */
  stop(): Promise<void>;
};

/** Small durable facts beside the journal, in the same database. */
export type Vault = {
  /** SHA-256 of the two secrets of a terminal: tokens survive a restart, and are not stored in the clear. */
  putSecrets(terminal: TerminalId, hashes: { readonly tool: string; readonly event: string }): void;
  secrets(): readonly { readonly terminal: TerminalId; readonly tool: string; readonly event: string }[];
  dropSecrets(terminal: TerminalId): void;
  /** Which tmux server (process id, start time) a terminal's pane belongs to: another server means it is gone. */
  putPlace(terminal: TerminalId, place: { readonly serverPid: number; readonly serverStartedAt: number }): void;
  places(): readonly { readonly terminal: TerminalId; readonly serverPid: number; readonly serverStartedAt: number }[];
  dropPlace(terminal: TerminalId): void;
  get(key: string): string | null;
  set(key: string, value: string): void;
  drop(key: string): void;
};

/** Where the servers that CLIs run are, with their passwords: kept privately while their terminals live. */
export type ServerDoors = {
  put(terminal: TerminalId, door: ServerDoor): void;
  /** null: its CLI runs none that can be read. */
  get(terminal: TerminalId): ServerDoor | null;
  drop(terminal: TerminalId): void;
};

/** Presets of the package, of the user and of projects, re-read when their files change. */
export type PresetShelf = {
  /** Those that a person in this folder sees: built in, the user's, and `.quay/presets/` of the project. A bad file is listed with its error. */
  list(project: string | null): readonly PresetView[];
  /** Throws QuayError (unknown name, bad file) with the reason. Seats come with absolute folders. */
  seats(name: string, cwd: string): readonly SeatRequest[];
  watchProject(project: string): void;
  on(changed: () => void): void;
  close(): Promise<void>;
};

export type Settings = {
  readonly adapters: Readonly<
    Record<
      string,
      {
        readonly command: string | null;
        readonly bridge: boolean;
        readonly approve?: readonly string[] | undefined;
        readonly level?: Level | undefined;
      }
    >
  >;
  /** Loopback port of the bridge; null: chosen once, then kept. */
  readonly port: number | null;
  /** `notify`: a short line is typed when mail comes for an agent that runs here. */
  readonly mailbox: { readonly notify: boolean };
};

/** Files that hooks left for us, oldest first. A file is removed only after `taken` says that its facts are durable. */
export type Spool = {
  on(arrived: () => void): void;
  drain(): Promise<readonly SpooledEvent[]>;
  taken(events: readonly SpooledEvent[]): Promise<void>;
  prepare(terminal: TerminalId): string;
  drop(terminal: TerminalId): Promise<void>;
  close(): Promise<void>;
};

export type SpooledEvent = {
  readonly file: string;
  readonly terminal: TerminalId;
  readonly secret: string;
  readonly pane: string | null;
  readonly cliPid: number | null;
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly writtenAt: Millis;
};
