/**
 * What the bus knows of one terminal, and the words for it. The traits are what its adapter says of the CLI,
 * copied into the record at launch, so that the bus needs no list of CLIs.
 */
import type { DeliveryId, TerminalId } from "./ids.js";
import type { Millis } from "./protocol.js";
import type { ClosingTurn, Turn } from "./turn.js";

/** The CLI kinds a person can launch; an adapter stands behind each. */
export type RunKind =
  | "claude"
  | "codex"
  | "opencode"
  | "pig"
  | "antigravity"
  | "pi"
  | "copilot"
  | "kiro"
  | "gemini"
  | "grok"
  | "aider"
  | "shell"
  | "custom"
  | "archon"
  | "demo";

export type Level = "full peer" | "responder" | "listener" | "not a peer";
export type Status = "starting" | "working" | "waiting" | "idle" | "exited" | "unknown";

/** What to tell a sender whose target cannot reply: the reason picks the sentence. */
export type Remedy =
  | "file mailbox"
  | "relaunch with the bridge"
  | "relaunch with its server"
  | "compare the PiG version"
  | "compare the Pi version";

/** The version of Pi whose extension interface Quay's extension was tested with. PiG says which it follows: `PIG+PI`. */
export const TESTED_PI = "1.6.0";

export type Traits = {
  readonly level: Level;
  readonly typing: "between turns" | "at once" | "never";
  /** Who says where turns begin and end: the CLI's own bridge, its OSC 7501 records, or nobody. */
  readonly turns: "bridge" | "osc" | "none";
  /**
   * How long after the first output the bridge may stay unheard, in ms, and what to advise then. `tells` "ends": it says
   * how turns end and nothing else, so OSC 7501 says that the CLI is ready and that a turn began.
   */
  readonly reporter: { readonly graceMs: number; readonly remedy: Remedy; readonly tells?: "ends" } | null;
  /** The CLI keeps a file that tells busy from idle: the witness that OSC, which a `cat` can forge, is held against. */
  readonly registry?: boolean;
};

export type Reporter = "silent" | "heard" | "lost";

/** Something of the CLI waits on a person: an approval, a question, a login, a dialog. */
export type Prompt = {
  readonly about: "permission" | "question" | "auth" | "dialog";
  readonly text: string;
  readonly since: Millis;
  /** `hook`: provisional until OSC confirms it; `osc`, `registry`, `screen`: stands until that source takes it back. */
  readonly source: "hook" | "osc" | "registry" | "screen";
};

/** The root record of OSC 7501, reduced to episodes: one runs from a `working` to the next state that ends it. */
export type ProgramState = {
  readonly state: "unknown" | "idle" | "working" | "blocked" | "done" | "error";
  readonly since: Millis;
  /** Set when a turn of the bridge covered this working episode: it opens no turn of its own any more. */
  readonly covered: boolean;
};

export type HoldReason =
  | "a person is typing"
  | "a dialog is open"
  | "the pane is in a mode"
  | "input is off"
  | "the screen is not understood";

export type Exit = {
  readonly at: Millis;
  readonly status: number | null;
  readonly signal: number | null;
  readonly why: string;
};

/** The part that never changes after the launch. */
export type TerminalRecord = {
  readonly id: TerminalId;
  readonly name: string;
  readonly kind: RunKind;
  readonly project: string;
  readonly cwd: string;
  readonly traits: Traits;
  readonly launchedAt: Millis;
  /** The terminal that this one was relaunched from. */
  readonly succeeds: TerminalId | null;
  /** What `quay relaunch` starts again. */
  readonly relaunch: { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };
  readonly preset: string | null;
  /** Rules of its seat by which Quay answers its permission requests; left out: none. */
  readonly approve?: readonly string[];
};

export type Terminal = TerminalRecord & {
  readonly exit: Exit | null;
  readonly firstOutputAt: Millis | null;
  readonly reporter: Reporter;
  /** When the grace for a silent reporter ends; null while a dialog stops that clock. */
  readonly graceEndsAt: Millis | null;
  readonly ready: boolean;
  /** The setting that keeps the bridge silent, and its file (DECISIONS A13); null: none is known. */
  readonly switchedOffBy: string | null;
  readonly cliSession: string | null;
  readonly turn: Turn | null;
  readonly closing: readonly ClosingTurn[];
  readonly prompt: Prompt | null;
  readonly program: ProgramState;
  readonly tools: readonly { readonly tool: string; readonly name: string }[];
  readonly endedTools: readonly string[];
  readonly taskTitle: string | null;
  readonly autoApproved: number;
  readonly line: "free" | "occupied";
  readonly hold: HoldReason | null;
  /** Since when its queue is held by the line, and whether a toast told so. */
  readonly held: { readonly since: Millis; readonly told: boolean } | null;
  readonly queue: readonly DeliveryId[];
  /** The delivery being pasted or entered: the lock. */
  readonly typing: DeliveryId | null;
  /** Entered, and no turn seen yet. */
  readonly unconfirmed: DeliveryId | null;
  /** Hops of the message last typed here: what it sends outside a turn that we see counts from there. */
  readonly lastHops: number | null;
  /** tmux does not answer: the last status stands with a mark, typing is held. */
  readonly stale: boolean;
  /** Last sign of life (signal or output), for the resync after 120 s. */
  readonly lastSignAt: Millis;
  /** A resync could not tell what the CLI does. */
  readonly doubtful: boolean;
};
