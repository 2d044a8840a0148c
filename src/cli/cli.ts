/**
 * What a verb works with: the streams, the environment, and the doors to the outside world (engine, screen, spawn).
 * Types only, and the exit codes. A verb touches nothing but this, so that a test hands it streams and doors of its own.
 */

import type { PresetView, Snapshot } from "../bus/views.js";
import type { Facts } from "../doctor/facts.js";
import type { Place, ProbeInput } from "../doctor/probe.js";
import type { Endpoint, EngineClient } from "../engine/client.js";
import type { EngineOptions, RunningEngine } from "../engine/compose.js";
import type { MailboxFile } from "../engine/compose-mailbox.js";
import type { openSettings } from "../engine/compose-reading.js";

/** 0 done, 1 refused or failed, 2 wrong usage, 3 no engine can be reached, 130 ended by Ctrl-C. */
export const EXIT = { ok: 0, failed: 1, usage: 2, noEngine: 3, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The engine as this process started it, and what it was started with. */
export type StartedEngine = RunningEngine;
export type StartOptions = EngineOptions;

/** A tmux server that only this run has. */
export type PrivateTmux = {
  readonly socket: string;
  readonly pid: number;
  readonly version: string;
  /** Quiet when it is gone already. */
  end(): Promise<void>;
};

export type Sink = {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Cells of a terminal's line; 80 when unknown. */
  readonly columns: number;
  /** Aborted when nobody reads it any more (a closed pipe, a lost terminal). Writes are dropped from then on. */
  readonly closed: AbortSignal;
};

/** Why a screen was left. `lost`: its terminal went away. */
export type ScreenEnd = "left" | "lost" | "gone";

export type OpenedSettings = ReturnType<typeof openSettings>;

export type Doors = {
  startEngine(options: StartOptions): Promise<StartedEngine>;
  connect(address: { readonly url: string; readonly token: string }): Promise<EngineClient>;
  readStore(env: NodeJS.ProcessEnv): Promise<Snapshot | null>;
  readEndpoint(env: NodeJS.ProcessEnv): Promise<{ readonly endpoint: Endpoint; readonly token: string } | null>;
  /** Starts `quay serve` in a session of its own, its output going to the log. */
  spawnServe(cli: Cli): Promise<Spawned>;
  /** Resolves when the screen was left. */
  missionControl(client: EngineClient, options: ScreenOptions): Promise<ScreenEnd>;
  liveTrail(client: EngineClient, options: ScreenOptions): Promise<ScreenEnd>;
  /** Runs a program on this terminal and waits for it: its exit status, 1 when a signal ended it. */
  run(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number>;
  /** Runs a program without a terminal, with this text as its input: what it printed. Throws QuayError with what it said when it fails. */
  feed(argv: readonly string[], input: string, env: NodeJS.ProcessEnv): Promise<string>;
  /** The working tree root of a folder, or its real path. Throws QuayError when it is not there. */
  projectOf(folder: string): Promise<string>;
  /** The package's presets, the user's, and those of a folder's project; needs no engine. */
  readPresets(env: NodeJS.ProcessEnv, cwd: string): Promise<readonly PresetView[]>;
  /** The settings, to read and to change. */
  openSettings(env: NodeJS.ProcessEnv): Promise<OpenedSettings>;
  /** Settings and stored port, for the doctor. */
  readPlace(env: NodeJS.ProcessEnv): Promise<Place>;
  /** The mailbox's own file, with an engine beside it or none. To be closed. */
  openMailbox(env: NodeJS.ProcessEnv): Promise<OpenedMailbox>;
  /** What the doctor judges by; looks only. */
  probe(input: ProbeInput): Promise<Facts>;
  /** Starts a tmux server at this socket with the person's own configuration. */
  privateTmux(socket: string, env: NodeJS.ProcessEnv): Promise<PrivateTmux>;
  isAlive(pid: number): boolean;
  /** Ends a tmux server that only this run used, and removes its socket. Quiet when there is none. */
  removeTmuxServer(socket: string, env: NodeJS.ProcessEnv): Promise<void>;
};

export type OpenedMailbox = Pick<MailboxFile, "accounts" | "upkeep" | "desk" | "close">;

export type ScreenOptions = {
  /** Socket of the tmux that the person is in; null outside. */
  readonly insideTmux: string | null;
  /** Ends the screen from outside. It ends by itself on SIGHUP, SIGTERM and SIGINT. */
  readonly until: AbortSignal;
  /** Where a person launches agents. */
  readonly cwd: string;
  /** Puts a text on the clipboard by way of the tmux around the screen; null outside tmux. */
  readonly copyText: ((text: string) => Promise<void>) | null;
  /** Shows the person what they saw before the screen, which stays; null where leaving it ends it. */
  readonly goBack: (() => Promise<void>) | null;
  /** Gives the terminal to another program until that ends. */
  readonly openTerminal: (argv: readonly string[], unsetEnv: readonly string[]) => Promise<void>;
};

export type Spawned = {
  readonly pid: number;
  /** Null while it runs. */
  exitStatus(): number | null;
  /** What it wrote to the log since it was started. */
  log(): Promise<string>;
  readonly logFile: string;
};

export type Cli = {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly socket: string | null;
  readonly out: Sink;
  readonly err: Sink;
  readonly inputIsTerminal: boolean;
  /** Standard input to its end, as UTF-8. */
  readInput(): Promise<string>;
  /** One line that a person types after the question. */
  ask(question: string): Promise<string>;
  /** Called on SIGINT, SIGTERM or SIGHUP while a verb listens; returns the way to stop listening. */
  onSignal(listener: (signal: "SIGINT" | "SIGTERM" | "SIGHUP") => void): () => void;
  readonly doors: Doors;
  /** Milliseconds since the epoch. */
  now(): number;
};
