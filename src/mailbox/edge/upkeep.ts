/**
 * What a person does to the store: count the kept counters anew and compare, and delete old threads. It works in short
 * transactions, so that an engine that has the same file open goes on meanwhile.
 */
import type { Database } from "../../store/database.js";

/** A counter that does not say what is there. */
export type Difference = {
  readonly counter: "unread" | "sessions" | "from sender" | "unread from sender" | "messages in thread";
  /** The agent's name, two names, or the thread's id. */
  readonly of: string;
  readonly kept: number;
  readonly counted: number;
};

export type PrunePlan = { readonly threads: number; readonly messages: number; readonly unread: number };

/** Threads that go in one transaction. */
const BATCH = 100;

const UNREAD =
  "SELECT seq, name, unread AS kept, (SELECT count(*) FROM message m WHERE m.recipient = agent.seq AND m.read_at IS NULL) AS counted FROM agent";
const SESSIONS =
  "SELECT seq, name, sessions AS kept, (SELECT count(*) FROM session s WHERE s.agent = agent.seq) AS counted FROM agent";
const THREADS =
  "SELECT seq, id, messages AS kept, (SELECT count(*) FROM message m WHERE m.thread = thread.seq) AS counted FROM thread";
const COUNTED =
  "SELECT recipient, sender, count(*) AS total, sum(read_at IS NULL) AS unread FROM message GROUP BY recipient, sender";
/** Pairs that are kept, counted, or both. */
const TALLIES = `SELECT r.name || ' from ' || f.name AS name, p.kept_total, p.kept_unread, p.total, p.unread FROM (
  SELECT coalesce(k.recipient, c.recipient) AS recipient, coalesce(k.sender, c.sender) AS sender, coalesce(k.total, 0) AS kept_total,
    coalesce(k.unread, 0) AS kept_unread, coalesce(c.total, 0) AS total, coalesce(c.unread, 0) AS unread
  FROM tally k FULL JOIN (${COUNTED}) c ON c.recipient = k.recipient AND c.sender = k.sender) p
  JOIN agent r ON r.seq = p.recipient JOIN agent f ON f.seq = p.sender
  WHERE p.kept_total <> p.total OR p.kept_unread <> p.unread`;

export type Upkeep = ReturnType<typeof openUpkeep>;

export const openUpkeep = (database: Database) => {
  const differing = (sql: string, counter: Difference["counter"], of: "name" | "id"): readonly Difference[] =>
    database
      .prepare(`SELECT * FROM (${sql}) WHERE kept <> counted`)
      .all()
      .map((row) => ({ counter, of: String(row[of]), kept: Number(row.kept), counted: Number(row.counted) }));

  const differingTallies = (): readonly Difference[] =>
    database
      .prepare(TALLIES)
      .all()
      .flatMap((row) => {
        const of = String(row.name);
        const both: readonly Difference[] = [
          { counter: "from sender", of, kept: Number(row.kept_total), counted: Number(row.total) },
          { counter: "unread from sender", of, kept: Number(row.kept_unread), counted: Number(row.unread) },
        ];
        return both.filter(({ kept, counted }) => kept !== counted);
      });

  const check = (): readonly Difference[] => {
    // One view of the file for all of it: a writer beside us must not look like a difference.
    database.exec("BEGIN");
    try {
      return [
        ...differing(UNREAD, "unread", "name"),
        ...differing(SESSIONS, "sessions", "name"),
        ...differingTallies(),
        ...differing(THREADS, "messages in thread", "id"),
      ];
    } finally {
      database.exec("ROLLBACK");
    }
  };

  const rebuild = (): void =>
    database.transaction(() => {
      for (const [sql, table, column] of [
        [UNREAD, "agent", "unread"],
        [SESSIONS, "agent", "sessions"],
        [THREADS, "thread", "messages"],
      ] as const)
        database.exec(
          `UPDATE ${table} SET ${column} = d.counted FROM (SELECT * FROM (${sql}) WHERE kept <> counted) d WHERE d.seq = ${table}.seq`,
        );
      database.exec("DELETE FROM tally");
      database.exec(`INSERT INTO tally (recipient, sender, total, unread) ${COUNTED}`);
    });

  const old = "FROM thread WHERE (?1 IS NULL OR account = ?1) AND last_at < ?2";
  const planned = database.prepare(
    `SELECT count(*) AS threads, coalesce(sum(messages), 0) AS messages,
      (SELECT count(*) FROM message WHERE read_at IS NULL AND thread IN (SELECT seq ${old})) AS unread ${old}`,
  );
  const some = database.prepare(`SELECT seq ${old} LIMIT ${BATCH}`);
  const counts = database.prepare(
    "SELECT recipient, sender, count(*) AS total, sum(read_at IS NULL) AS unread FROM message WHERE thread = ? GROUP BY recipient, sender",
  );
  const lessTally = database.prepare(
    "UPDATE tally SET total = total - ?, unread = unread - ? WHERE recipient = ? AND sender = ?",
  );
  const lessUnread = database.prepare("UPDATE agent SET unread = unread - ? WHERE seq = ?");
  const dropMessages = database.prepare("DELETE FROM message WHERE thread = ?");
  const dropThread = database.prepare("DELETE FROM thread WHERE seq = ?");
  const dropTallies = database.prepare("DELETE FROM tally WHERE total = 0");

  const dropOne = (thread: number): void => {
    for (const row of counts.all(thread)) {
      lessTally.run(Number(row.total), Number(row.unread), Number(row.recipient), Number(row.sender));
      lessUnread.run(Number(row.unread), Number(row.recipient));
    }
    dropMessages.run(thread);
    dropThread.run(thread);
  };

  return {
    check,
    rebuild,
    /** Threads whose last message is older than this, in ms; of one account (its id), or of all. */
    plan: (account: string | null, before: number): PrunePlan => {
      const row = planned.get(account, before);
      return { threads: Number(row?.threads), messages: Number(row?.messages), unread: Number(row?.unread) };
    },
    /** Deletes some of them, whole threads; false when none is left. */
    pruneSome: (account: string | null, before: number): boolean =>
      database.transaction(() => {
        const threads = some.all(account, before).map((row) => Number(row.seq));
        for (const thread of threads) dropOne(thread);
        dropTallies.run();
        return threads.length > 0;
      }),
  };
};
