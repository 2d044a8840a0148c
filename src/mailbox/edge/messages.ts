/** Threads and messages in the store, with the counters that are kept beside them. What may be seen is decided in ../rules. */
import type { Database, Row } from "../../store/database.js";
import type { Marks, MessageRecord, Party, SenderTally, ThreadRecord } from "../rules/records.js";
import { dateAfter } from "../rules/thread.js";
import { numberOrNull, type StoredAgent, textOrNull } from "./agents.js";
import { madeId } from "./made-ids.js";

const COLUMNS = `m.seq, m.id, m.reply_to, m.content, m.metadata, m.scan_id, m.sent_at, m.read_at, m.ack_at, m.thread, m.sender, m.recipient,
  t.id AS thread_id, t.subject, t.account, f.id AS from_id, f.name AS from_name, r.id AS to_id, r.name AS to_name`;
const JOINED = "JOIN thread t ON t.seq = m.thread JOIN agent f ON f.seq = m.sender JOIN agent r ON r.seq = m.recipient";

export type StoredMessage = {
  readonly seq: number;
  readonly threadSeq: number;
  readonly senderSeq: number;
  readonly recipientSeq: number;
  readonly message: MessageRecord;
};

const readMessage = (row: Row): StoredMessage => ({
  seq: Number(row.seq),
  threadSeq: Number(row.thread),
  senderSeq: Number(row.sender),
  recipientSeq: Number(row.recipient),
  message: {
    id: String(row.id),
    thread: String(row.thread_id),
    replyTo: textOrNull(row.reply_to),
    from: { id: String(row.from_id), name: String(row.from_name) },
    to: { id: String(row.to_id), name: String(row.to_name) },
    subject: textOrNull(row.subject),
    content: String(row.content),
    metadata: textOrNull(row.metadata),
    scanId: textOrNull(row.scan_id),
    sentAt: Number(row.sent_at),
    readAt: numberOrNull(row.read_at),
    ackAt: numberOrNull(row.ack_at),
  },
});

export type StoredThread = { readonly seq: number; readonly thread: ThreadRecord };

const readThread = (row: Row): StoredThread => ({
  seq: Number(row.seq),
  thread: {
    id: String(row.id),
    subject: textOrNull(row.subject),
    startedAt: Number(row.started_at),
    lastAt: Number(row.last_at),
    messages: Number(row.messages),
  },
});

/** A thread as a list shows it. */
export type ThreadLine = {
  readonly thread: ThreadRecord;
  readonly from: Party;
  readonly to: Party;
  readonly unread: number;
};

export type Draft = {
  readonly from: { readonly seq: number } & Party;
  readonly to: { readonly seq: number } & Party;
  readonly replyTo: string | null;
  readonly content: string;
  readonly metadata: string | null;
  readonly scanId: string | null;
};

export const partyOf = ({ seq, agent }: StoredAgent): Draft["to"] => ({ seq, id: agent.id, name: agent.name });

export type Messages = ReturnType<typeof openMessages>;

export const openMessages = (database: Database) => {
  const byId = database.prepare(`SELECT ${COLUMNS} FROM message m ${JOINED} WHERE m.id = ? AND t.account = ?`);
  const newest = database.prepare(
    `SELECT ${COLUMNS} FROM message m ${JOINED} WHERE m.recipient = ? ORDER BY m.seq DESC LIMIT ?`,
  );
  const newestUnread = database.prepare(
    `SELECT ${COLUMNS} FROM message m ${JOINED} WHERE m.recipient = ? AND m.read_at IS NULL ORDER BY m.seq DESC LIMIT ?`,
  );
  const inThread = database.prepare(
    `SELECT ${COLUMNS} FROM message m ${JOINED} WHERE m.thread = ? AND m.sent_at > ? ORDER BY m.sent_at LIMIT ?`,
  );
  const threadById = database.prepare("SELECT * FROM thread WHERE account = ? AND id = ?");
  const endOf = database.prepare(
    `SELECT ${COLUMNS} FROM message m ${JOINED} WHERE m.thread = ? ORDER BY m.sent_at DESC LIMIT ?`,
  );
  const threadRows = database.prepare(
    `SELECT t.*, f.id AS from_id, f.name AS from_name, r.id AS to_id, r.name AS to_name,
      (SELECT count(*) FROM message u WHERE u.thread = t.seq AND u.read_at IS NULL) AS unread
     FROM thread t JOIN message m ON m.seq = (SELECT seq FROM message WHERE thread = t.seq ORDER BY sent_at LIMIT 1)
     JOIN agent f ON f.seq = m.sender JOIN agent r ON r.seq = m.recipient
     WHERE t.account = ? ORDER BY t.last_at DESC, t.seq DESC LIMIT ?`,
  );
  const touches = database.prepare("SELECT 1 FROM message WHERE thread = ? AND (sender = ? OR recipient = ?) LIMIT 1");
  const tallies = database.prepare(
    // One row of JSON: an agent may have mail from thousands, and a row object for each costs more than the query.
    "SELECT json_group_array(json_array(a.id, a.name, y.total, y.unread)) AS all_of_them FROM tally y JOIN agent a ON a.seq = y.sender WHERE y.recipient = ?",
  );
  const begin = database.prepare(
    "INSERT INTO thread (id, account, subject, started_at, last_at) VALUES (?, ?, ?, ?, ?) RETURNING *",
  );
  const lastAt = database.prepare("SELECT last_at FROM thread WHERE seq = ?");
  const insert = database.prepare(
    "INSERT INTO message (id, thread, reply_to, sender, recipient, content, metadata, scan_id, sent_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const growThread = database.prepare("UPDATE thread SET last_at = ?, messages = messages + 1 WHERE seq = ?");
  const growUnread = database.prepare("UPDATE agent SET unread = unread + 1 WHERE seq = ?");
  const growTally = database.prepare(
    "INSERT INTO tally (recipient, sender, total, unread) VALUES (?, ?, 1, 1) ON CONFLICT DO UPDATE SET total = total + 1, unread = unread + 1",
  );
  const mark = database.prepare("UPDATE message SET read_at = ?, ack_at = ? WHERE seq = ?");
  const shrinkUnread = database.prepare("UPDATE agent SET unread = unread - 1 WHERE seq = ?");
  const shrinkTally = database.prepare("UPDATE tally SET unread = unread - 1 WHERE recipient = ? AND sender = ?");

  return {
    find: (account: string, id: string): StoredMessage | null => {
      const row = byId.get(id, account);
      return row === null ? null : readMessage(row);
    },
    findThread: (account: string, id: string): StoredThread | null => {
      const row = threadById.get(account, id);
      return row === null ? null : readThread(row);
    },
    /** Most recently answered first, with who began each, and with whom. */
    threadRows: (account: string, limit: number): readonly ThreadLine[] =>
      threadRows.all(account, limit).map((row) => ({
        thread: readThread(row).thread,
        from: { id: String(row.from_id), name: String(row.from_name) },
        to: { id: String(row.to_id), name: String(row.to_name) },
        unread: Number(row.unread),
      })),
    /** The newest of a thread, oldest first. */
    endOf: (thread: StoredThread, limit: number): readonly StoredMessage[] =>
      endOf.all(thread.seq, limit).map(readMessage).reverse(),
    isIn: (thread: StoredThread, agent: StoredAgent): boolean => touches.get(thread.seq, agent.seq, agent.seq) !== null,
    /** Newest first. */
    inbox: (agent: StoredAgent, unreadOnly: boolean, limit: number): readonly MessageRecord[] =>
      (unreadOnly ? newestUnread : newest).all(agent.seq, limit).map((row) => readMessage(row).message),
    /** Those with most unread first. */
    tallies: (agent: StoredAgent): readonly SenderTally[] => {
      const rows = JSON.parse(String(tallies.get(agent.seq)?.all_of_them)) as [string, string, number, number][];
      return rows
        .map(([id, name, total, unread]): SenderTally => ({ from: { id, name }, total, unread }))
        .sort((a, b) => b.unread - a.unread || b.total - a.total || (a.from.name < b.from.name ? -1 : 1));
    },
    /** Oldest first, of those that are newer than `since` (ms; null: all). */
    inThread: (thread: StoredThread, since: number | null, limit: number): readonly StoredMessage[] =>
      inThread.all(thread.seq, since ?? -1, limit).map(readMessage),

    beginThread: (account: string, subject: string | null, now: number): StoredThread =>
      readThread(begin.get(madeId("thr", now), account, subject, now, 0)!),
    add: (thread: { readonly seq: number; readonly id: string }, draft: Draft, now: number) => {
      const last = Number(lastAt.get(thread.seq)?.last_at ?? 0);
      const sentAt = dateAfter(last === 0 ? null : last, now);
      const id = madeId("msg", now);
      const { from, to, replyTo, content, metadata, scanId } = draft;
      insert.run(id, thread.seq, replyTo, from.seq, to.seq, content, metadata, scanId, sentAt);
      growThread.run(sentAt, thread.seq);
      growUnread.run(to.seq);
      growTally.run(to.seq, from.seq);
      return { id, thread: thread.id, to: { id: to.id, name: to.name }, sentAt };
    },
    mark: ({ seq, recipientSeq, senderSeq, message }: StoredMessage, marks: Marks): void => {
      if (marks.readAt === message.readAt && marks.ackAt === message.ackAt) return;
      mark.run(marks.readAt, marks.ackAt, seq);
      if (message.readAt !== null) return;
      shrinkUnread.run(recipientSeq);
      shrinkTally.run(recipientSeq, senderSeq);
    },
  };
};
