/**
 * What people do with the mailbox, from the command line and the screen. A person sees every mailbox of an account, and looking
 * stamps nobody; a terminal of Quay acts as the agent that it registered, and sees what that agent may. Types and small rules.
 */
import type { MarkStatus } from "./thread.js";
import type { AgentRow, MailboxAnswers, Sent } from "./views.js";

export type DeskAsk =
  | { readonly kind: "agents" }
  /** The threads with the newest messages. */
  | { readonly kind: "threads"; readonly limit: number }
  /** One agent's mailbox; null: one's own. */
  | {
      readonly kind: "mail";
      readonly agent: string | null;
      readonly unreadOnly: boolean;
      readonly limit: number | null;
    }
  /** A thread, by its id or a message's. */
  | { readonly kind: "read"; readonly id: string }
  | {
      readonly kind: "send";
      readonly to: string;
      readonly content: string;
      readonly subject: string | null;
    }
  | { readonly kind: "reply"; readonly replyTo: string; readonly content: string }
  | { readonly kind: "mark"; readonly ids: readonly string[]; readonly status: MarkStatus };

export type ThreadRow = {
  readonly threadId: string;
  readonly subject: string | null;
  /** Who began it, and with whom. */
  readonly between: readonly [string, string];
  readonly messageCount: number;
  readonly unreadCount: number;
  readonly lastAt: string;
};

export type DeskAnswers = {
  readonly agents: { readonly agents: readonly (AgentRow & { readonly terminal: string | null })[] };
  readonly threads: { readonly threads: readonly ThreadRow[] };
  readonly mail: MailboxAnswers["mailbox"];
  readonly read: MailboxAnswers["thread"];
  readonly send: Sent;
  readonly reply: Sent;
  readonly mark: MailboxAnswers["mark"];
};
export type DeskAnswer = DeskAnswers[keyof DeskAnswers];

export type DeskCaller = {
  /** Name of the account; null: the machine's own. */
  readonly account: string | null;
  /** The terminal that asks, by its token; null: a person. */
  readonly terminal: { readonly id: string; readonly name: string } | null;
  /** The name that a person writes under; null: `PERSON`. */
  readonly as: string | null;
};

/** The identity of the person at the keyboard, when no other is named. */
export const PERSON = "person";

export const ownNameOf = (caller: DeskCaller): string => caller.terminal?.name ?? caller.as ?? PERSON;
