/** One message on its way to one terminal. Its states and their order are the delivery table of docs/architecture.md. */
import type { DeliveryId, TerminalId } from "./ids.js";
import type { Millis } from "./protocol.js";

export type Sender =
  | { readonly kind: "terminal"; readonly id: TerminalId; readonly name: string; readonly viaPerson: boolean }
  | { readonly kind: "person" }
  /** The mailbox, whose notice says that mail came. */
  | { readonly kind: "mailbox" };

export type DeliveryState =
  | "queued"
  | "pasting"
  | "entering"
  | "dispatched"
  | "unconfirmed"
  | "confirmed"
  | "completed"
  | "failed";

/** How it ended. The first six are endings of its turn (Completed), the others mean it was not carried out (Failed). */
export type DeliveryEnd =
  | { readonly kind: "answered"; readonly text: string; readonly cutAt?: number }
  | { readonly kind: "turn failed"; readonly text: string }
  | { readonly kind: "interrupted" }
  | { readonly kind: "cleared" }
  | { readonly kind: "lost" }
  | { readonly kind: "joined" }
  | { readonly kind: "exited"; readonly why: string }
  | { readonly kind: "not typed"; readonly why: string }
  | { readonly kind: "not submitted"; readonly why: string }
  | { readonly kind: "cancelled" };

/** What stays after the end, and what a trail entry is read from. */
export type Delivery = {
  readonly id: DeliveryId;
  readonly form: "message" | "notice";
  /** Deliveries of one broadcast share this. */
  readonly broadcast: string | null;
  readonly from: Sender;
  readonly to: TerminalId;
  readonly toName: string;
  readonly project: string;
  /** The message as sent, cleaned. */
  readonly text: string;
  /** What is typed: the text with its header. */
  readonly typed: string;
  readonly hops: number;
  readonly wantsReply: boolean;
  /** A wait that ran out: a later answer is labelled Answer, not Reply. */
  readonly waitRanOut: boolean;
  /** The sender's call got its answer written to it (DECISIONS A4: the same call again is a new message then). */
  readonly responded: boolean;
  /** The turn end of this target cannot be seen: no timer, no wait. */
  readonly blind: boolean;
  readonly state: DeliveryState;
  readonly acceptedAt: Millis;
  readonly typedAt: Millis | null;
  /** When missing turn evidence makes it unconfirmed. */
  readonly evidenceBy: Millis | null;
  readonly endedAt: Millis | null;
  readonly end: DeliveryEnd | null;
  readonly turn: string | null;
  readonly turnStartedAt: Millis | null;
  readonly notes: readonly string[];
  /** "asked": claimed, and carried out at most once by its marker in tmux; "pressed", or "left" alone with reason. */
  readonly secondEnter: "none" | "asked" | "pressed" | "left";
  /** What the screen showed when it could not be typed or was not confirmed. */
  readonly evidence: string | null;
  /** Bounded tries of a paste that the pane refused. */
  readonly tries: number;
};

const OVER: readonly DeliveryState[] = ["completed", "failed"];
export const isOver = (delivery: Delivery): boolean => OVER.includes(delivery.state);
