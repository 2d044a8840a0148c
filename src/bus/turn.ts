/**
 * A turn of a CLI: what opened it, which deliveries it carries, and how it ended.
 * Keyed by (terminal, cliSession, the CLI's own turn id). See "Turns" in docs/architecture.md.
 */
import type { DeliveryId } from "./ids.js";
import type { Millis } from "./protocol.js";

export type TurnCause = "delivery" | "person" | "cli" | "unknown";

export type TurnEnd =
  /** `cutAt`: the CLI reports no more than this many characters of an answer, and this one fills them. */
  | { readonly kind: "answered"; readonly text: string; readonly cutAt?: number }
  | { readonly kind: "failed"; readonly text: string }
  | { readonly kind: "interrupted" }
  | { readonly kind: "cleared" }
  | { readonly kind: "lost" };

export type Turn = {
  /** Unique on its terminal: the CLI's turn id, or one made from the clock when only OSC told of it. */
  readonly key: string;
  /** The CLI's own ids that belong to this turn: an automatic turn continues a held one under a new id. */
  readonly cliTurns: readonly string[];
  readonly cause: TurnCause;
  readonly deliveries: readonly DeliveryId[];
  /** Deliveries that joined while the turn ran: provisional until 1.5 s after its end. */
  readonly joined: readonly DeliveryId[];
  readonly hops: number;
  readonly startedAt: Millis;
  /** Subagents run on after the CLI's Stop: the turn is not over. */
  readonly heldBySubagents: boolean;
  /** The end that a Stop proposes; `at` is when it becomes final unless the turn goes on. */
  readonly candidate: { readonly end: TurnEnd; readonly at: Millis } | null;
  /** OSC said idle while the turn was open: an interrupt, unless a hook of this turn comes before `at`. */
  readonly interruptAt: Millis | null;
  /** OSC said done or error and no end signal came: the reporter contradicts itself at `at`. */
  readonly contradictionAt: { readonly at: Millis; readonly end: TurnEnd } | null;
  /** The end that OSC alone tells of, while the CLI's own registry is asked whether it is true. */
  readonly doubt: TurnEnd | null;
};

/** A turn that is over and still remembered: late Stops amend it, joined deliveries may move on. */
export type ClosingTurn = {
  readonly turn: Turn;
  readonly end: TurnEnd;
  readonly endedAt: Millis;
};
