/**
 * The nine calls, carried out on the store. Each begins by finding the caller's own agent and stamping it; whatever is not
 * its account's, or not its to read, is "not found".
 */
import { assertNever } from "../../bus/ids.js";
import type {
  GetAgent,
  ListAgents,
  MailboxCall,
  MailboxCaller,
  Mark,
  ReadMailbox,
  ReadMessage,
  ReadThread,
  Register,
  Reply,
  Send,
} from "../rules/calls.js";
import { checkIds, checkLimit, checkOneOf, checkRegister, checkReply, checkSend, checkSince } from "../rules/fields.js";
import { MAILBOX_LIMIT, THREAD_LIMIT } from "../rules/limits.js";
import { nameOf } from "../rules/name.js";
import { type Checked, fine, refuse } from "../rules/refusal.js";
import { advance, answerTo, isActive, isMatch, maySee } from "../rules/thread.js";
import {
  agentRow,
  listedMessage,
  type MailboxAnswers,
  type MarkResult,
  marksView,
  messageView,
  senderRow,
  sentView,
  sessionView,
} from "../rules/views.js";
import type { Agents, StoredAgent } from "./agents.js";
import { type Messages, partyOf, type StoredMessage } from "./messages.js";

/** A message that became durable, for those who show it. */
export type Mail = {
  readonly account: string;
  readonly message: string;
  readonly from: string;
  readonly to: string;
  /** The terminal that sent it, and the one that registered the recipient last; null: none of Quay's. */
  readonly sender: string | null;
  readonly terminal: string | null;
};

export type AnswerParts = {
  readonly agents: Agents;
  readonly messages: Messages;
  readonly now: () => number;
};

type Answer<K extends MailboxCall["kind"]> = Checked<MailboxAnswers[K]>;

const notFound = (field: string) => refuse({ kind: "notFound", field });
const unsent = (answer: Answered["answer"]): Answered => ({ answer, mail: null });

/** Calls that change what is stored; all others only stamp. */
export const isWrite = (call: MailboxCall): boolean =>
  call.kind === "register" || call.kind === "send" || call.kind === "reply" || call.kind === "mark";

type Stamp = (body: () => void) => void;

/** `mail`: what was sent by this call. It is told when the transaction is through. */
export type Answered = {
  readonly answer: Checked<MailboxAnswers[MailboxCall["kind"]]>;
  readonly mail: Mail | null;
};

/** `stamp` writes the caller's activity: in the call's own transaction, or beside it for one that only reads. */
export const createAnswerer = ({ agents, messages, now }: AnswerParts) => {
  const self = (caller: MailboxCaller, agentId: string, stamp: Stamp): StoredAgent | null => {
    const found = agents.find(caller.account, agentId);
    if (found !== null) stamp(() => agents.stamp(caller, found, now()));
    return found;
  };
  /** For calls that name no agent of their own (DECISIONS B25). */
  const stampRegistered = (caller: MailboxCaller, stamp: Stamp): void => {
    const found = agents.registeredBy(caller);
    if (found !== null) stamp(() => agents.stamp(caller, found, now()));
  };
  const seen = (caller: MailboxCaller, agent: StoredAgent, id: string): StoredMessage | null => {
    const found = messages.find(caller.account, id);
    return found !== null && maySee(found.message, agent.agent.id) ? found : null;
  };

  const register = (caller: MailboxCaller, call: Register): Answer<"register"> => {
    const checked = checkRegister(call);
    if (!checked.ok) return checked;
    const { name, sessionId, sessionLabel } = checked.value;
    const known = agents.named(caller.account, name);
    const resumed = sessionId === null || known === null ? null : agents.sessionOf(known, sessionId);
    if (sessionId !== null && resumed === null) return notFound("sessionId");
    const at = now();
    const agent = agents.enter(caller, checked.value, at);
    const session = agents.openSession(agent, resumed, sessionLabel, at);
    agents.bind(caller, agent, session, at);
    agents.stamp(caller, agent, at);
    return fine({
      ...agentRow(agents.again(agent.seq), at),
      sessionId: session.session.id,
      sessionLabel: session.session.label,
    });
  };

  const list = (caller: MailboxCaller, call: ListAgents, stamp: Stamp): Answer<"agents"> => {
    stampRegistered(caller, stamp);
    const at = now();
    const rows = agents
      .list(caller.account)
      .map(({ agent }) => agent)
      .filter((agent) => (!call.onlyActive || isActive(agent, at)) && isMatch(agent, call.query?.trim() ?? ""));
    return fine({ agents: rows.map((agent) => agentRow(agent, at)) });
  };

  const get = (caller: MailboxCaller, call: GetAgent, stamp: Stamp): Answer<"agent"> => {
    stampRegistered(caller, stamp);
    const asked = checkOneOf(["agentId", "name"], { agentId: call.agentId, name: call.name });
    if (!asked.ok) return asked;
    const { field, value } = asked.value;
    const name = nameOf(value);
    const found =
      field === "agentId"
        ? agents.find(caller.account, value)
        : name.ok
          ? agents.named(caller.account, name.value)
          : null;
    if (found === null) return notFound(field);
    return fine({ ...agentRow(found.agent, now()), recentSessions: agents.recentSessions(found).map(sessionView) });
  };

  const mailFrom = (caller: MailboxCaller, from: StoredAgent, to: StoredAgent, message: string): Mail => ({
    account: caller.account,
    message,
    from: from.agent.name,
    to: to.agent.name,
    sender: caller.terminal,
    terminal: to.agent.terminal,
  });

  const send = (caller: MailboxCaller, call: Send, stamp: Stamp): Answered => {
    const from = self(caller, call.agentId, stamp);
    if (from === null) return unsent(notFound("agentId"));
    const to = agents.find(caller.account, call.to) ?? agents.named(caller.account, call.to);
    if (to === null) return unsent(notFound("to"));
    const checked = checkSend(call);
    if (!checked.ok) return unsent(checked);
    const at = now();
    const { thread, seq } = messages.beginThread(caller.account, checked.value.subject, at);
    const draft = { ...checked.value, from: partyOf(from), to: partyOf(to), replyTo: null };
    const sent = messages.add({ seq, id: thread.id }, draft, at);
    return { answer: fine(sentView(sent)), mail: mailFrom(caller, from, to, sent.id) };
  };

  const reply = (caller: MailboxCaller, call: Reply, stamp: Stamp): Answered => {
    const from = self(caller, call.agentId, stamp);
    if (from === null) return unsent(notFound("agentId"));
    const answered = seen(caller, from, call.replyTo);
    if (answered === null) return unsent(notFound("replyTo"));
    const content = checkReply(call);
    if (!content.ok) return unsent(content);
    const to = agents.find(caller.account, answerTo(answered.message, from.agent.id).id);
    if (to === null) return unsent(notFound("replyTo"));
    const sent = messages.add(
      { seq: answered.threadSeq, id: answered.message.thread },
      {
        from: partyOf(from),
        to: partyOf(to),
        replyTo: answered.message.id,
        content: content.value,
        metadata: null,
        scanId: answered.message.scanId,
      },
      now(),
    );
    return { answer: fine(sentView(sent)), mail: mailFrom(caller, from, to, sent.id) };
  };

  const mailbox = (caller: MailboxCaller, call: ReadMailbox, stamp: Stamp): Answer<"mailbox"> => {
    const agent = self(caller, call.agentId, stamp);
    if (agent === null) return notFound("agentId");
    const limit = checkLimit(call.limit, MAILBOX_LIMIT);
    if (!limit.ok) return limit;
    const senders = messages.tallies(agent);
    return fine({
      agentId: agent.agent.id,
      total: senders.reduce((sum, one) => sum + one.total, 0),
      unread: agent.agent.unread,
      senders: senders.map(senderRow),
      messages: messages.inbox(agent, call.unreadOnly, limit.value).map(listedMessage),
    });
  };

  const thread = (caller: MailboxCaller, call: ReadThread, stamp: Stamp): Answer<"thread"> => {
    const agent = self(caller, call.agentId, stamp);
    if (agent === null) return notFound("agentId");
    const asked = checkOneOf(["threadId", "messageId"], { threadId: call.threadId, messageId: call.messageId });
    if (!asked.ok) return asked;
    const since = checkSince(call.since);
    if (!since.ok) return since;
    const limit = checkLimit(call.limit, THREAD_LIMIT);
    if (!limit.ok) return limit;
    const { field, value } = asked.value;
    const id = field === "threadId" ? value : seen(caller, agent, value)?.message.thread;
    const found = id === undefined ? null : messages.findThread(caller.account, id);
    if (found === null || !messages.isIn(found, agent)) return notFound(field);
    // One more than asked for says whether there are newer ones.
    const read = messages.inThread(found, since.value, limit.value + 1);
    return fine({
      threadId: found.thread.id,
      subject: found.thread.subject,
      messageCount: found.thread.messages,
      messages: read.slice(0, limit.value).map(({ message }) => messageView(message)),
      hasMore: read.length > limit.value,
    });
  };

  const message = (caller: MailboxCaller, call: ReadMessage, stamp: Stamp): Answer<"message"> => {
    const agent = self(caller, call.agentId, stamp);
    if (agent === null) return notFound("agentId");
    const found = seen(caller, agent, call.messageId);
    return found === null ? notFound("messageId") : fine(messageView(found.message));
  };

  const markOne = (caller: MailboxCaller, agent: StoredAgent, id: string, status: Mark["status"]): MarkResult => {
    const found = seen(caller, agent, id);
    if (found === null) return { messageId: id, error: "not found" };
    if (found.message.to.id !== agent.agent.id) {
      return { messageId: id, error: "you sent this message: only its recipient marks it" };
    }
    const marks = advance(found.message, status, now());
    messages.mark(found, marks);
    return { messageId: id, ...marksView(marks) };
  };

  const mark = (caller: MailboxCaller, call: Mark, stamp: Stamp): Answer<"mark"> => {
    const agent = self(caller, call.agentId, stamp);
    if (agent === null) return notFound("agentId");
    const ids = checkIds(call.messageIds);
    if (!ids.ok) return ids;
    const results = ids.value.map((id) => markOne(caller, agent, id, call.status));
    const isNothing = results.every((result) => "error" in result && result.error === "not found");
    return isNothing ? notFound("messageIds") : fine({ messages: results });
  };

  return (caller: MailboxCaller, call: MailboxCall, stamp: Stamp): Answered => {
    switch (call.kind) {
      case "register":
        return unsent(register(caller, call));
      case "agents":
        return unsent(list(caller, call, stamp));
      case "agent":
        return unsent(get(caller, call, stamp));
      case "send":
        return send(caller, call, stamp);
      case "reply":
        return reply(caller, call, stamp);
      case "mailbox":
        return unsent(mailbox(caller, call, stamp));
      case "thread":
        return unsent(thread(caller, call, stamp));
      case "message":
        return unsent(message(caller, call, stamp));
      case "mark":
        return unsent(mark(caller, call, stamp));
      default:
        return assertNever(call);
    }
  };
};
