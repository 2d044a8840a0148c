/** The mailbox as its callers know it: an account's key becomes an account, and a call an answer. Types only. */
import type { MailboxCall, MailboxCaller } from "./calls.js";
import type { Checked } from "./refusal.js";
import type { MailboxAnswers } from "./views.js";

export type KeyHolder = { readonly account: string; readonly key: string };

export type MailboxDoor = {
  /** The account that this machine's terminals share. */
  readonly machine: string;
  /** Whose key this is; null: nobody's, or it was revoked. */
  holderOf(key: string): KeyHolder | null;
  /** Durable before it resolves. Throws QuayError `store-failed`. */
  call<C extends MailboxCall>(caller: MailboxCaller, call: C): Promise<Checked<MailboxAnswers[C["kind"]]>>;
};
