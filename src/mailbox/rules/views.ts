/** What a caller reads: records as plain JSON with the words of the product text. Pure. */
import { firstOf, lengthOf } from "./fields.js";
import { LISTED_CONTENT_CAP } from "./limits.js";
import { wordMoment, wordMomentOrNull } from "./moment.js";
import type { AgentRecord, Marks, MessageRecord, Party, SenderTally, SessionRecord } from "./records.js";
import { isActive } from "./thread.js";

type PartyView = { readonly agentId: string; readonly name: string };
const partyView = ({ id, name }: Party): PartyView => ({ agentId: id, name });

export type AgentRow = {
  readonly agentId: string;
  readonly name: string;
  readonly description: string | null;
  readonly kind: string | null;
  readonly active: boolean;
  readonly unreadCount: number;
  readonly sessionCount: number;
  readonly lastActiveAt: string;
};

export const agentRow = (agent: AgentRecord, now: number): AgentRow => ({
  agentId: agent.id,
  name: agent.name,
  description: agent.description,
  kind: agent.kind,
  active: isActive(agent, now),
  unreadCount: agent.unread,
  sessionCount: agent.sessions,
  lastActiveAt: wordMoment(agent.activeAt),
});

export type SessionView = {
  readonly sessionId: string;
  readonly sessionLabel: string | null;
  readonly startedAt: string;
  readonly lastActiveAt: string;
};

export const sessionView = (session: SessionRecord): SessionView => ({
  sessionId: session.id,
  sessionLabel: session.label,
  startedAt: wordMoment(session.startedAt),
  lastActiveAt: wordMoment(session.activeAt),
});

export type MessageView = {
  readonly messageId: string;
  readonly threadId: string;
  readonly replyTo: string | null;
  readonly from: PartyView;
  readonly to: PartyView;
  readonly subject: string | null;
  readonly content: string;
  /** Only in a list, and only when the content was cut: how many characters the whole has. */
  readonly contentLength?: number;
  readonly scanId: string | null;
  readonly metadata: unknown;
  readonly sentAt: string;
  readonly readAt: string | null;
  readonly ackAt: string | null;
};

export const messageView = (message: MessageRecord): MessageView => ({
  messageId: message.id,
  threadId: message.thread,
  replyTo: message.replyTo,
  from: partyView(message.from),
  to: partyView(message.to),
  subject: message.subject,
  content: message.content,
  scanId: message.scanId,
  metadata: message.metadata === null ? null : (JSON.parse(message.metadata) as unknown),
  sentAt: wordMoment(message.sentAt),
  ...marksView(message),
});

/** "List views cap content at 1,000 characters per message." */
export const listedMessage = (message: MessageRecord): MessageView => {
  const view = messageView(message);
  const content = firstOf(message.content, LISTED_CONTENT_CAP);
  return content.length === message.content.length
    ? view
    : { ...view, content, contentLength: lengthOf(message.content) };
};

export type MarksView = { readonly readAt: string | null; readonly ackAt: string | null };
export const marksView = (marks: Marks): MarksView => ({
  readAt: wordMomentOrNull(marks.readAt),
  ackAt: wordMomentOrNull(marks.ackAt),
});

export type SenderRow = PartyView & { readonly total: number; readonly unread: number };
export const senderRow = ({ from, total, unread }: SenderTally): SenderRow => ({ ...partyView(from), total, unread });

/** What each call answers. */
export type MailboxAnswers = {
  readonly register: AgentRow & { readonly sessionId: string; readonly sessionLabel: string | null };
  readonly agents: { readonly agents: readonly AgentRow[] };
  readonly agent: AgentRow & { readonly recentSessions: readonly SessionView[] };
  readonly send: Sent;
  readonly reply: Sent;
  readonly mailbox: {
    readonly agentId: string;
    readonly total: number;
    readonly unread: number;
    readonly senders: readonly SenderRow[];
    readonly messages: readonly MessageView[];
  };
  readonly thread: {
    readonly threadId: string;
    readonly subject: string | null;
    readonly messageCount: number;
    readonly messages: readonly MessageView[];
    /** There are newer ones: ask again with `since` set to the last `sentAt`. */
    readonly hasMore: boolean;
  };
  readonly message: MessageView;
  readonly mark: { readonly messages: readonly MarkResult[] };
};

export type Sent = {
  readonly messageId: string;
  readonly threadId: string;
  readonly to: PartyView;
  readonly sentAt: string;
};

export const sentView = (message: Pick<MessageRecord, "id" | "thread" | "to" | "sentAt">): Sent => ({
  messageId: message.id,
  threadId: message.thread,
  to: partyView(message.to),
  sentAt: wordMoment(message.sentAt),
});

/** One id's result; `error` is there when nothing was marked. */
export type MarkResult = { readonly messageId: string } & (MarksView | { readonly error: string });
