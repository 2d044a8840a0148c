/** What is stored: agents, sessions, messages. Plain values; times are milliseconds since the epoch. */

export type AgentRecord = {
  readonly id: string;
  /** As `nameOf` (name.ts) makes it; one agent per account and name. */
  readonly name: string;
  readonly description: string | null;
  readonly kind: string | null;
  readonly registeredAt: number;
  readonly activeAt: number;
  /** Kept counters: received and not read, and sessions begun. */
  readonly unread: number;
  readonly sessions: number;
  /** The terminal of Quay that registered it last; null: a client with an account key. */
  readonly terminal: string | null;
};

export type SessionRecord = {
  readonly id: string;
  readonly label: string | null;
  readonly startedAt: number;
  readonly activeAt: number;
};

export type Party = { readonly id: string; readonly name: string };

export type Marks = { readonly readAt: number | null; readonly ackAt: number | null };

export type MessageRecord = Marks & {
  readonly id: string;
  readonly thread: string;
  readonly replyTo: string | null;
  readonly from: Party;
  readonly to: Party;
  /** The thread's. */
  readonly subject: string | null;
  readonly content: string;
  /** A JSON object, as its text. */
  readonly metadata: string | null;
  readonly scanId: string | null;
  readonly sentAt: number;
};

/** Messages that one agent got from one sender; kept counters. */
export type SenderTally = { readonly from: Party; readonly total: number; readonly unread: number };

export type ThreadRecord = {
  readonly id: string;
  readonly subject: string | null;
  readonly startedAt: number;
  readonly lastAt: number;
  /** Kept counter. */
  readonly messages: number;
};
