/** The desk of the mailbox (rules/desk.ts) on the store: looks read without a stamp; what is written goes the way of the nine calls. */
import { assertNever } from "../../bus/ids.js";
import { QuayError } from "../../lib/errors.js";
import type { MailboxCaller } from "../rules/calls.js";
import type { DeskAnswer, DeskAsk, DeskCaller, ThreadRow } from "../rules/desk.js";
import { ownNameOf } from "../rules/desk.js";
import type { MailboxDoor } from "../rules/door.js";
import { checkLimit } from "../rules/fields.js";
import { MAILBOX_LIMIT, THREAD_LIMIT } from "../rules/limits.js";
import { wordMoment } from "../rules/moment.js";
import { nameOf } from "../rules/name.js";
import { type Checked, fine, refuse } from "../rules/refusal.js";
import { maySee } from "../rules/thread.js";
import { agentRow, listedMessage, messageView, senderRow } from "../rules/views.js";
import type { Accounts } from "./accounts.js";
import type { Agents, StoredAgent } from "./agents.js";
import type { Messages } from "./messages.js";

export type DeskParts = {
  readonly accounts: Accounts;
  readonly agents: Agents;
  readonly messages: Messages;
  readonly door: Pick<MailboxDoor, "machine" | "call">;
  readonly now: () => number;
};

export type Desk = (caller: DeskCaller, ask: DeskAsk) => Promise<Checked<DeskAnswer>>;

const notFound = (field: string) => refuse({ kind: "notFound", field });

export const openDesk = ({ accounts, agents, messages, door, now }: DeskParts): Desk => {
  /** The agent that speaks, as far as it is registered. */
  const known = (caller: DeskCaller, mail: MailboxCaller): StoredAgent | null => {
    const registered = caller.terminal === null ? null : agents.registeredBy(mail);
    const name = nameOf(ownNameOf(caller));
    return registered ?? (name.ok ? agents.named(mail.account, name.value) : null);
  };
  /** The same, registered now when it was not. */
  const self = async (caller: DeskCaller, mail: MailboxCaller): Promise<Checked<StoredAgent>> => {
    const found = known(caller, mail);
    if (found !== null) return fine(found);
    const registered = await door.call(mail, {
      kind: "register",
      name: ownNameOf(caller),
      description: null,
      label: caller.terminal === null ? "person" : null,
      sessionLabel: null,
      sessionId: null,
    });
    if (!registered.ok) return registered;
    return fine(agents.find(mail.account, registered.value.agentId)!);
  };

  const mailOf = (caller: DeskCaller, mail: MailboxCaller, ask: Extract<DeskAsk, { kind: "mail" }>) => {
    const own = known(caller, mail);
    const asked =
      ask.agent === null ? own : (agents.find(mail.account, ask.agent) ?? agents.named(mail.account, ask.agent));
    if (asked === null || (caller.terminal !== null && asked.seq !== own?.seq)) return notFound("agentId");
    const limit = checkLimit(ask.limit, MAILBOX_LIMIT);
    if (!limit.ok) return limit;
    const senders = messages.tallies(asked);
    return fine({
      agentId: asked.agent.id,
      total: senders.reduce((sum, one) => sum + one.total, 0),
      unread: asked.agent.unread,
      senders: senders.map(senderRow),
      messages: messages.inbox(asked, ask.unreadOnly, limit.value).map(listedMessage),
    });
  };

  const read = (caller: DeskCaller, mail: MailboxCaller, id: string) => {
    const thread = messages.findThread(mail.account, messages.find(mail.account, id)?.message.thread ?? id);
    const own = known(caller, mail);
    const isSeen = caller.terminal === null || (own !== null && thread !== null && messages.isIn(thread, own));
    if (thread === null || !isSeen) return notFound("threadId");
    // The end of a long thread is what a person wants to see.
    const all = messages.endOf(thread, THREAD_LIMIT.most);
    return fine({
      threadId: thread.thread.id,
      subject: thread.thread.subject,
      messageCount: thread.thread.messages,
      messages: all.map(({ message }) => messageView(message)),
      hasMore: thread.thread.messages > all.length,
    });
  };

  const threads = (caller: DeskCaller, mail: MailboxCaller, limit: number) => {
    const own = known(caller, mail);
    const rows = messages
      .threadRows(mail.account, limit)
      .filter((row) => caller.terminal === null || (own !== null && maySee(row, own.agent.id)))
      .map(
        (row): ThreadRow => ({
          threadId: row.thread.id,
          subject: row.thread.subject,
          between: [row.from.name, row.to.name],
          messageCount: row.thread.messages,
          unreadCount: row.unread,
          lastAt: wordMoment(row.thread.lastAt),
        }),
      );
    return fine({ threads: rows });
  };

  return async (caller, ask) => {
    if (caller.terminal !== null && (caller.as !== null || caller.account !== null)) {
      throw new QuayError(
        "person-only",
        "A terminal of Quay writes under its own name, on the account of this machine: leave --as and --account out.",
      );
    }
    const account = caller.account === null ? door.machine : accounts.named(caller.account).id;
    const mail: MailboxCaller = { account, terminal: caller.terminal?.id ?? null, connection: null };
    switch (ask.kind) {
      case "agents":
        return fine({
          agents: agents.list(account).map(({ agent }) => ({ ...agentRow(agent, now()), terminal: agent.terminal })),
        });
      case "threads":
        return threads(caller, mail, ask.limit);
      case "mail":
        return mailOf(caller, mail, ask);
      case "read":
        return read(caller, mail, ask.id);
      case "send": {
        const from = await self(caller, mail);
        if (!from.ok) return from;
        const { to, content, subject } = ask;
        const agentId = from.value.agent.id;
        return door.call(mail, { kind: "send", agentId, to, content, subject, scanId: null, metadata: null });
      }
      case "reply": {
        const from = await self(caller, mail);
        if (!from.ok) return from;
        const { replyTo, content } = ask;
        return door.call(mail, { kind: "reply", agentId: from.value.agent.id, replyTo, content });
      }
      case "mark": {
        const own = known(caller, mail);
        if (own === null) return notFound("messageIds");
        return door.call(mail, { kind: "mark", agentId: own.agent.id, messageIds: ask.ids, status: ask.status });
      }
      default:
        return assertNever(ask);
    }
  };
};
