/**
 * A coding CLI as a description: what it is, how it is launched, how its line is read, what its signals mean.
 * Pure: no I/O, no clock. One file per CLI; no `if (kind === …)` anywhere else.
 */
import type { ApprovalRequest } from "../bus/approval-rule.js";
import type { Millis, Observation } from "../bus/protocol.js";
import type { Level, RunKind, Traits } from "../bus/terminal.js";
import type { TurnEnd } from "../bus/turn.js";

/** One reading of a pane: `capture-pane -p -e` with the cursor, from the same step. Cells are 0-based. */
export type Screen = {
  readonly ansi: string;
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean };
  readonly cols: number;
  readonly rows: number;
};

export type LineState = "empty" | "occupied" | "unknown";

/** ours: our text alone stands on the line. mixed: our text with something before it. none: it is not there. */
export type Echo = "ours" | "mixed" | "none";

/** How a CLI's line (its composer) is read and typed on. Facts: facts/composers-*.md, tested on real screens. */
export type LineRules = {
  line(screen: Screen): LineState;
  /** Does the line show this text, that was pasted into an empty line? */
  echo(screen: Screen, text: string): Echo;
  /** The dialog or menu that is open, by its kind; null when none. Enter is never pressed on one. */
  dialog(screen: Screen): string | null;
  /** What is pasted for this text, with what closes a menu that its end would open. Default: the text. */
  readonly pasted?: (text: string) => string;
  /** The text whose tail must stand on the screen for Enter, checked inside tmux in the same step; null: it is not shown in full. */
  gate(text: string): string | null;
  /**
   * Our text stands alone on the line with a line break behind it: an Enter that came too soon after the paste was
   * taken for text, and one more will submit it. Left out: no second Enter is ever pressed there.
   */
  readonly brokenBehind?: (screen: Screen, text: string) => boolean;
  /** Two reads that both say empty must lie this far apart before a paste, in ms. */
  readonly settleMs: number;
  /** How long an echo may take before the paste counts as stranded, in ms. */
  readonly echoMs: number;
};

export type HookSignal = {
  readonly kind: "hook";
  /** The event's name, such as Stop. */
  readonly event: string;
  /** The CLI's own JSON; unknown keys pass. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** Process id of the CLI that fired it, as its environment says; null when it does not. */
  readonly cliPid: number | null;
};

export type ProgramStatusSignal = {
  readonly kind: "programStatus";
  readonly state: "idle" | "working" | "blocked" | "done" | "error" | "clear";
  /** Record id; "" is the root. */
  readonly id: string;
  readonly about: "permission" | "question" | "auth" | null;
  readonly msg: string;
};

export type FileSignal = {
  readonly kind: "registry";
  readonly status: "idle" | "busy" | "waiting" | "gone";
  readonly waitingFor: string;
  readonly cliSession: string | null;
  readonly transcriptTail: readonly unknown[];
};

/** What a CLI's own record of its session says that was not read before. */
export type LogSignal = {
  readonly kind: "log";
  /** The session that it records; null: no such file could be found or read. */
  readonly session: string | null;
  /** Its lines as JSON, oldest first. */
  readonly entries: readonly unknown[];
  /** Turns that were over by then are known, or older than the terminal; ms since the epoch. */
  readonly since: Millis;
  /** The bus wants to know what the CLI does now. */
  readonly asked: boolean;
  /** It is not read again for what asked for it. */
  readonly isLast: boolean;
};

export type ServerEvent = { readonly type: string; readonly properties: Readonly<Record<string, unknown>> };

/** What the bus knows of a terminal's turns: what its server tells after a gap is held against it. */
export type KnownTurns = {
  readonly cliSession: string | null;
  /** The open turn and those that ended last, by the CLI's own ids. */
  readonly turns: readonly { readonly id: string; readonly end: TurnEnd["kind"] | "open" }[];
  /** When the terminal was launched: what its CLI did before was another terminal's. */
  readonly since: Millis;
};

/** One event of the server that a CLI runs; null: what the server says when it is asked, after a connect or a gap. */
export type ServerSignal = {
  readonly kind: "server";
  readonly event: ServerEvent | null;
  /** What was read from it for this event, by the names that `ServerRules.reads` gave; null: the server has no such thing. */
  readonly read: Readonly<Record<string, unknown>>;
  readonly known: KnownTurns;
};

export type Signal =
  | HookSignal
  | ProgramStatusSignal
  | FileSignal
  | LogSignal
  | ServerSignal
  /** The server that a CLI runs could not be reached, for longer than a start or a hiccup takes. */
  | { readonly kind: "serverLost" }
  | { readonly kind: "gap" };

/** What a signal, or a part of it, means; `M`: the form that an adapter gives its memory. */
export type Meaning<M extends Memory = Memory> = {
  readonly memory: M;
  readonly observations: readonly Observation[];
};

export type Interpretation = Meaning & {
  /** The session's record should be read now, or once more: what it says is still missing. */
  readonly readLog?: boolean;
};

/** What an adapter remembers of one terminal between signals; plain data, kept by the engine, lost on a restart. */
export type Memory = Readonly<Record<string, unknown>>;

export type LaunchInput = {
  readonly id: string;
  readonly name: string;
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly prompt: string | null;
  /** Resume this session of the CLI (relaunch). */
  readonly resume: string | null;
  /** A new session id, for CLIs that let the caller choose it. */
  readonly newSession: string;
  /** Program from the setting `adapters.<kind>.command`; null: the CLI's usual name. */
  readonly command: string | null;
  /** The person's own settings of the CLI: texts of the adapter's `settings` files that are there, the strongest first. */
  readonly settings?: readonly string[];
  /** The environment that the terminal's own one is laid over: what the person exported for all programs. */
  readonly inherited?: Readonly<Record<string, string | undefined>>;
  /** For a CLI that runs a server: a port that nobody listens on now, and a password made for it. */
  readonly server?: { readonly port: number; readonly password: string };
  /** The level that a setting chose, where the CLI has a choice (`raised`); absent: its usual one. */
  readonly level?: Level | undefined;
  readonly wiring: Wiring;
};

/** Where a peer finds its tools and leaves its events. Secrets go into the environment, never into an argv. */
export type Wiring = {
  readonly mcpUrl: string;
  readonly eventsUrl: string;
  readonly token: string;
  readonly eventSecret: string;
  readonly spoolDir: string;
  /** Folder of the files that the CLI loads (plugin, hooks, extension). */
  readonly assetsDir: string;
  /** The bridge is switched off for this terminal (setting, or a test of its absence). */
  readonly bridge: boolean;
};

export type LaunchPlan = {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly unsetEnv: readonly string[];
  /** Names in env whose values are secrets. */
  readonly secrets: readonly string[];
  /** Where the server that this CLI runs can be read; null or left out: it runs none, or none that can be reached. */
  readonly door?: ServerDoor | null;
};

/** A CLI's own server on 127.0.0.1, behind HTTP Basic. */
export type ServerDoor = {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** The session that the CLI was started with; null: a new one. */
  readonly cliSession: string | null;
};

/** How a CLI's server is read. Paths begin with a slash. */
export type ServerRules = {
  readonly health: string;
  /** Its stream of events (SSE, one JSON object each: type, properties). */
  readonly events: string;
  /** Does this type of event mean anything? All others are dropped unread. */
  readonly heeds: (type: string) => boolean;
  /** The paths to read, by name, before this event is interpreted (null: before the state is). */
  readonly reads: (memory: Memory, event: ServerEvent | null, known: KnownTurns) => Readonly<Record<string, string>>;
};

/** What a CLI asks leave for, as its hook says it. */
export type PermissionAsked = ApprovalRequest & {
  /** One line for people, cut: the text of the prompt that the dialog raises. */
  readonly dialog: string;
  /** The same without the verb, for the trail. */
  readonly what: string;
};

export type Adapter = {
  readonly kind: RunKind;
  readonly title: string;
  /** The program looked for on PATH when no setting names another; null: the user's shell. */
  readonly program: string | null;
  readonly traits: Traits;
  /** What the setting `adapters.<kind>.level` may make of it; absent: it has one level only. */
  readonly raised?: Traits;
  /** null: typed without looking (no composer to read). */
  readonly line: LineRules | null;
  /** ms between the echo and Enter. */
  readonly enterAfterMs: number;
  /** Quay answers its OSC 7501 query, from this private mode (`?2031h`) on that the CLI sets before it asks, or (null) when it asks. Null: never. */
  readonly programStatus: { readonly answerAt: string | null } | null;
  /** Why such a seat cannot be started, with what to do; null when it can. Default: it can. */
  readonly seatFault?: (seat: Pick<LaunchInput, "args" | "prompt" | "command">) => string | null;
  launch(input: LaunchInput): LaunchPlan;
  /** Files of the CLI with settings of the person that the launch has to respect. Default: none. */
  readonly settings?: (env: Readonly<Record<string, string | undefined>>, args: readonly string[]) => readonly string[];
  interpret(memory: Memory, signal: Signal): Interpretation;
  /** How its permission requests can be answered by rule, without a key; left out: they cannot. */
  readonly permission?: {
    /** Null: this signal asks for nothing, or for what only a person can answer. */
    asked(signal: HookSignal): PermissionAsked | null;
    /** What its hook prints to say yes, as JSON. */
    readonly yes: unknown;
  };
  /** Settings of the person that keep the bridge silent, read at the launch; null: there are none. */
  readonly bridgeSwitch: {
    /** Files of the CLI that may hold it, the strongest first. */
    readonly files: (env: Readonly<Record<string, string | undefined>>, cwd: string) => readonly string[];
    /** Name of the setting, when this content switches hooks off; null when it does not. */
    readonly offIn: (content: Readonly<Record<string, unknown>>) => string | null;
  } | null;
  /** Files that say what the CLI does after a gap; null: none. */
  readonly resync: {
    readonly registry: (env: Readonly<Record<string, string | undefined>>, pid: number) => string;
    /** Where the transcript is that this registry file speaks of; null when it names none. */
    readonly transcript: (registry: string, content: Readonly<Record<string, unknown>>) => string | null;
  } | null;
  /** The record that the CLI writes while its session runs, one JSON object a line. Default: none is read. */
  readonly log?: SessionLog;
  /** The CLI runs a server that tells of its turns; left out: it does not. */
  readonly server?: ServerRules;
};

/** The file is found among those that the CLI holds open. */
export type SessionLog = {
  /** The session whose record this path is; null: it is no record. */
  sessionOf(path: string): string | null;
  /** Is the record with this first line that of the person's own session, and no subagent's? */
  isMain(head: unknown): boolean;
  /** Is this line worth taking apart? */
  keeps(line: string): boolean;
};
