/**
 * The language of the bus: inputs come in, facts follow, effects are asked for, outcomes answer callers.
 * Everything here is a plain value. Time is a number that the engine puts beside each input.
 */
import type { Approval } from "./approvals.js";
import type { Delivery } from "./delivery.js";
import type { CallId, DeliveryId, TerminalId } from "./ids.js";
import type { Refusal } from "./refusal.js";
import type { Exit, HoldReason, Prompt, Remedy, Terminal, TerminalRecord } from "./terminal.js";
import type { TurnEnd } from "./turn.js";

/** Milliseconds since the epoch, from a clock that never goes back while one engine lives. */
export type Millis = number;

/** Who speaks: a terminal by its token, or the person (as You, or in the name of an agent). */
export type Caller =
  | { readonly kind: "terminal"; readonly id: TerminalId }
  | { readonly kind: "person"; readonly as: TerminalId | null; readonly project: string | null };

/** What an adapter understood from a signal of its CLI. Sources: the authority table of docs/architecture.md. */
export type Observation =
  /**
   * The CLI's prompt is up and its bridge speaks. `cleared`: a new session replaced the old one (/clear). Without a
   * session: OSC alone says so, for a CLI whose bridge cannot.
   */
  | { readonly kind: "ready"; readonly cliSession: string | null; readonly cleared: boolean }
  | {
      readonly kind: "turnStarted";
      readonly cliTurn: string;
      readonly prompt: string;
      /** The CLI itself prompted (a background task reported), nobody typed. */
      readonly automatic: boolean;
      /** When it began, where the CLI says so: it may be told of long after. */
      readonly at?: Millis;
      /** The same words under the same turn were told of before: a hook that ran twice, or a person or message that said it again. */
      readonly again?: boolean;
    }
  /** A sign that this turn still goes on (a tool, a batch, a message): it withdraws an end that was proposed. */
  | { readonly kind: "turnContinued"; readonly cliTurn: string | null }
  | {
      readonly kind: "turnStopped";
      readonly cliTurn: string | null;
      readonly end: TurnEnd;
      readonly subagentsRunning: boolean;
    }
  | { readonly kind: "toolStarted"; readonly tool: string; readonly name: string }
  | { readonly kind: "toolEnded"; readonly tool: string; readonly autoApproved: boolean }
  | { readonly kind: "promptRaised"; readonly prompt: Omit<Prompt, "since"> }
  | { readonly kind: "promptClosed"; readonly source: Prompt["source"] }
  | {
      readonly kind: "programStatus";
      readonly state: "idle" | "working" | "blocked" | "done" | "error" | "cleared";
      readonly about: Prompt["about"] | null;
      readonly text: string;
      /** The text is an answer that was cut off at this many characters. */
      readonly cutAt?: number;
    }
  /** The byte stream had a gap: OSC is unknown until its next report. */
  | { readonly kind: "programStatusLost" }
  /** A state file of the CLI (registry), read during a resync or because it changed. */
  | {
      readonly kind: "registryStatus";
      readonly state: "idle" | "busy" | "waiting" | "gone";
      readonly text: string;
      /** What the transcript says of the last turn, when the registry is idle and a turn is still open here. */
      readonly lastEnd: TurnEnd | null;
    }
  | { readonly kind: "resyncFailed" }
  /** What tells of the CLI's turns is there, before any session begins. */
  | { readonly kind: "reporterHeard" }
  /** It cannot be reached any more, or never could. */
  | { readonly kind: "reporterLost" }
  /** A setting of the person switches the CLI's hooks off: `by` names it and its file. */
  | { readonly kind: "bridgeSwitchedOff"; readonly by: string };

export type Input =
  | {
      readonly kind: "send";
      readonly call: CallId;
      readonly delivery: DeliveryId;
      readonly caller: Caller;
      readonly target: string;
      readonly text: string;
      readonly wait: boolean;
      /** From a person: type it as it is, without the check of its first character. */
      readonly raw: boolean;
    }
  | {
      readonly kind: "broadcast";
      readonly call: CallId;
      /** Delivery ids are made from this: `<base>-1`, `<base>-2` … */
      readonly base: string;
      readonly caller: Caller;
      readonly text: string;
    }
  /** A message was stored for the agent in this terminal, by an agent named `from`, in the terminal `sender` or in none. */
  | {
      readonly kind: "mailCame";
      readonly delivery: DeliveryId;
      readonly terminal: TerminalId;
      readonly from: string;
      readonly sender: TerminalId | null;
    }
  | { readonly kind: "cancelDelivery"; readonly delivery: DeliveryId }
  /** A person says that the line which holds it is free. */
  | { readonly kind: "typeNow"; readonly delivery: DeliveryId }
  /** The caller hung up or was cancelled: its wait ends, its delivery does not. */
  | { readonly kind: "callerGone"; readonly call: CallId }
  /** The outcome of a call about this delivery reached its caller. */
  | { readonly kind: "responseWritten"; readonly delivery: DeliveryId }
  | { readonly kind: "terminalLaunched"; readonly terminal: TerminalRecord }
  | { readonly kind: "terminalExited"; readonly terminal: TerminalId; readonly exit: Omit<Exit, "at"> }
  | { readonly kind: "terminalForgotten"; readonly terminal: TerminalId }
  | { readonly kind: "outputSeen"; readonly terminal: TerminalId }
  | { readonly kind: "tmuxReachable"; readonly reachable: boolean }
  /** The text is on the line, alone, as the echo shows: Enter may follow. */
  | { readonly kind: "pasted"; readonly terminal: TerminalId; readonly delivery: DeliveryId }
  | { readonly kind: "entered"; readonly terminal: TerminalId; readonly delivery: DeliveryId }
  /** Nothing of it was typed; it may be tried again. `why` null: its line is free, but it is not between turns any more. */
  | {
      readonly kind: "typingHeld";
      readonly terminal: TerminalId;
      readonly delivery: DeliveryId;
      readonly why: HoldReason | null;
    }
  /** The text was pasted and Enter cannot be pressed: it stays on the line. */
  | {
      readonly kind: "pasteStranded";
      readonly terminal: TerminalId;
      readonly delivery: DeliveryId;
      readonly why: string;
      readonly screen: string;
    }
  | {
      readonly kind: "typingFailed";
      readonly terminal: TerminalId;
      readonly delivery: DeliveryId;
      readonly why: string;
    }
  /** tmux did not answer: nobody knows what was typed until the markers are read. */
  | { readonly kind: "typingUnknown"; readonly terminal: TerminalId; readonly delivery: DeliveryId }
  /** The markers of the pane after a fence: they are final. */
  | {
      readonly kind: "markersRead";
      readonly terminal: TerminalId;
      readonly delivery: DeliveryId;
      readonly typed: "nothing" | "pasted" | "entered";
    }
  /** `pressed`: null when tmux gave no clear answer; its marker knows, and lets it happen once. */
  | {
      readonly kind: "enteredAgain";
      readonly terminal: TerminalId;
      readonly delivery: DeliveryId;
      readonly pressed: boolean | null;
    }
  /** What the line of a held terminal shows now. */
  | { readonly kind: "lineSeen"; readonly terminal: TerminalId; readonly hold: HoldReason | null }
  /** `onLine`: the text still stands on the line, so it was not submitted. */
  | {
      readonly kind: "evidenceCaptured";
      readonly delivery: DeliveryId;
      readonly screen: string;
      readonly onLine: boolean;
    }
  /** A rule covered what the CLI asked leave for, and its hook is about to be told so. */
  | {
      readonly kind: "permissionAnswered";
      readonly id: string;
      readonly terminal: TerminalId;
      readonly what: string;
      /** The text of the prompt that its dialog raised. */
      readonly dialog: string;
      readonly rule: string;
      readonly source: string;
    }
  | { readonly kind: "observed"; readonly terminal: TerminalId; readonly observation: Observation }
  /** First input after a start: waits of the predecessor are abandoned, then everything is pumped. */
  | { readonly kind: "engineStarted" }
  /** Another engine took the tmux server: type nothing any more. */
  | { readonly kind: "fencedOut"; readonly holder: string }
  | { readonly kind: "alarm" };

export type Fact =
  | { readonly kind: "terminalAdded"; readonly at: Millis; readonly terminal: TerminalRecord }
  | { readonly kind: "terminalEnded"; readonly at: Millis; readonly terminal: TerminalId; readonly exit: Exit }
  | { readonly kind: "terminalDropped"; readonly at: Millis; readonly terminal: TerminalId }
  | {
      readonly kind: "terminalChanged";
      readonly at: Millis;
      readonly terminal: TerminalId;
      readonly patch: TerminalPatch;
    }
  | { readonly kind: "deliveryAccepted"; readonly at: Millis; readonly delivery: Delivery }
  | {
      readonly kind: "deliveryChanged";
      readonly at: Millis;
      readonly delivery: DeliveryId;
      readonly patch: DeliveryPatch;
    }
  | { readonly kind: "deliveryDropped"; readonly at: Millis; readonly delivery: DeliveryId }
  | { readonly kind: "waitOpened"; readonly at: Millis; readonly wait: Wait }
  | { readonly kind: "waitClosed"; readonly at: Millis; readonly call: CallId }
  | { readonly kind: "approvalGiven"; readonly at: Millis; readonly approval: Approval }
  | { readonly kind: "approvalsDropped"; readonly at: Millis; readonly ids: readonly string[] }
  | { readonly kind: "typingStopped"; readonly at: Millis; readonly holder: string };

export type TerminalPatch = Partial<Omit<Terminal, keyof TerminalRecord>>;
export type DeliveryPatch = Partial<Omit<Delivery, "id" | "from" | "to" | "text" | "typed" | "acceptedAt">>;

/** One call of a sender. Settled exactly once. */
export type Wait = {
  readonly call: CallId;
  readonly caller: Caller;
  /** receipt: until typed, queued or failed. reply: until the turn it starts ends. notices: one receipt per peer. */
  readonly mode: "receipt" | "reply" | "notices";
  readonly deliveries: readonly DeliveryId[];
  /** When it is settled in any case: 58 s after the call was received. Null: none (a receipt ends with the typing). */
  readonly deadline: Millis | null;
  /** The target cannot reply: the receipt says so, with this remedy. */
  readonly remedy: Remedy | null;
};

export type Effect =
  /** Read the line, paste when it is empty, wait for the echo. Answered by pasted, typingHeld, pasteStranded, typingFailed or typingUnknown. */
  | { readonly kind: "paste"; readonly terminal: TerminalId; readonly delivery: DeliveryId; readonly text: string }
  /** Answered by entered, pasteStranded, typingFailed or typingUnknown. */
  | { readonly kind: "enter"; readonly terminal: TerminalId; readonly delivery: DeliveryId; readonly text: string }
  /** Press Enter once more, if the first one only broke the line. Answered by enteredAgain. */
  | { readonly kind: "enterAgain"; readonly terminal: TerminalId; readonly delivery: DeliveryId; readonly text: string }
  /** Reconnect, fence, read the markers. Answered by markersRead or terminalExited. */
  | { readonly kind: "probe"; readonly terminal: TerminalId; readonly delivery: DeliveryId }
  /** Look at the line until it may be typed on; answered by lineSeen. Asked again while it is held. */
  | { readonly kind: "watchLine"; readonly terminal: TerminalId }
  | { readonly kind: "captureEvidence"; readonly terminal: TerminalId; readonly delivery: DeliveryId }
  | { readonly kind: "resync"; readonly terminal: TerminalId }
  | {
      readonly kind: "settle";
      readonly call: CallId;
      readonly outcome: Outcome;
      readonly deliveries: readonly DeliveryId[];
    }
  | { readonly kind: "toast"; readonly toast: Toast };

export type Toast = { readonly at: Millis; readonly text: string };

/** What a call comes to. Worded in mcp/wording.ts for models and in the command line for people. */
export type Outcome =
  | { readonly kind: "reply"; readonly to: string; readonly text: string; readonly cutAt?: number }
  | { readonly kind: "dispatched"; readonly to: string }
  | { readonly kind: "queued"; readonly to: string; readonly why: string }
  | { readonly kind: "stillWorking"; readonly to: string }
  /** `circle`: the names of a circle of waits that this one would close. */
  | { readonly kind: "stillQueued"; readonly to: string; readonly circle: readonly string[] }
  | {
      readonly kind: "endedWithoutAnswer";
      readonly to: string;
      readonly how: "interrupted" | "cleared" | "joined" | "failed" | "lost";
      readonly detail: string;
    }
  | {
      readonly kind: "cannotReply";
      readonly to: string;
      readonly remedy: Remedy;
      readonly queued: boolean;
      readonly cause?: string;
    }
  | { readonly kind: "reporterLost"; readonly to: string; readonly remedy: Remedy; readonly cause?: string }
  | { readonly kind: "targetExited"; readonly to: string }
  | { readonly kind: "deliveryFailed"; readonly to: string; readonly why: string }
  | { readonly kind: "abandoned" }
  | {
      readonly kind: "broadcast";
      readonly reached: readonly string[];
      readonly holding: readonly string[];
      readonly failed: readonly string[];
    }
  | { readonly kind: "refused"; readonly refusal: Refusal };

export type Decision = { readonly facts: readonly Fact[]; readonly effects: readonly Effect[] };
