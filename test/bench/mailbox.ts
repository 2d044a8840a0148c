/**
 * (m) The mailbox as it grows: one send and one reading of the inbox at 1,000, 100,000 and 1,000,000 messages, spread over
 * agents, and all of them to one. Beside each the bare SQLite statement on the same file.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Mailbox, openMailbox } from "../../src/mailbox/edge/mailbox.js";
import type { MailboxCaller } from "../../src/mailbox/rules/calls.js";
import { type Database, openDatabase } from "../../src/store/database.js";
import { monotonic, scaled } from "./clock.js";
import { aim, type Report, type Summary, summarize } from "./figures.js";

type Size = { readonly messages: number; readonly agents: number; readonly toOne: boolean };

const SIZES: readonly Size[] = [
  { messages: 1_000, agents: 10, toOne: false },
  { messages: 100_000, agents: 100, toOne: false },
  { messages: 1_000_000, agents: 1_000, toOne: false },
  { messages: 1_000_000, agents: 1_000, toOne: true },
];
/** Senders that an agent has mail from, where it is spread. */
const SENDERS = 20;
const IN_THREAD = 10;
const CONTENT = "please look at the parser and say what you find there. ".repeat(10).slice(0, 500);
const AIM_MS = 5;

const BARE_INBOX = "SELECT * FROM message WHERE recipient = ? ORDER BY seq DESC LIMIT 20";
const BARE_INSERT = "INSERT INTO message (id, thread, sender, recipient, content, sent_at) VALUES (?, 1, 1, ?, ?, ?)";

const register = async (mailbox: Mailbox, caller: MailboxCaller, name: string): Promise<string> => {
  const answer = await mailbox.call(caller, {
    kind: "register",
    name,
    description: null,
    label: null,
    sessionLabel: null,
    sessionId: null,
  });
  if (!answer.ok) throw new Error(answer.refusal.kind);
  return answer.value.agentId;
};

/** Agents have the row numbers 1 to `agents`. A tenth of the messages is unread. */
const fill = (database: Database, account: string, { messages, agents, toOne }: Size): void => {
  const recipient = toOne ? "1" : `i % ${agents} + 1`;
  const sender = toOne ? `i % ${agents - 1} + 2` : `(i + i / ${agents} % ${SENDERS} + 1) % ${agents} + 1`;
  const numbers = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${count})`;
  database.exec("PRAGMA synchronous = OFF");
  database.transaction(() => {
    database.exec(
      `${numbers(Math.ceil(messages / IN_THREAD))} INSERT INTO thread (id, account, started_at, last_at)
       SELECT printf('thr_%010d', i), '${account}', i, i FROM n`,
    );
    database.exec(
      `${numbers(messages)} INSERT INTO message (id, thread, sender, recipient, content, sent_at, read_at)
       SELECT printf('msg_%010d', i), i / ${IN_THREAD} + 1, ${sender}, ${recipient}, '${CONTENT}', i,
         CASE WHEN i % 10 = 0 THEN NULL ELSE i END FROM n`,
    );
  });
};

const timed = async (rounds: number, work: (index: number) => unknown): Promise<Summary> => {
  const times: number[] = [];
  for (let index = 0; index < rounds; index += 1) {
    const start = monotonic();
    await work(index);
    times.push(monotonic() - start);
  }
  return summarize(times);
};

const measure = async (folder: string, size: Size, report: Report, id: string): Promise<void> => {
  const path = join(folder, `${id}.db`);
  const mailbox = openMailbox(path, () => Date.now());
  const caller: MailboxCaller = { account: mailbox.machine, terminal: null, connection: "bench" };
  const ids: string[] = [];
  for (let n = 0; n < size.agents; n += 1) ids.push(await register(mailbox, caller, `agent-${n}`));
  const bare = openDatabase(path, "write");
  fill(bare, mailbox.machine, size);
  bare.exec("PRAGMA synchronous = FULL");
  mailbox.upkeep.rebuild();
  const rounds = Math.round(scaled("BENCH_MAILBOX_ROUNDS", 500));
  const reader = (index: number): number => (size.toOne ? 0 : (index * 37) % size.agents);

  const inbox = bare.prepare(BARE_INBOX);
  const insert = bare.prepare(BARE_INSERT);
  const bareInbox = await timed(rounds, (index) => inbox.all(reader(index) + 1));
  const reading = await timed(rounds, (index) =>
    mailbox.call(caller, { kind: "mailbox", agentId: ids[reader(index)]!, unreadOnly: false, limit: null }),
  );
  const bareInsert = await timed(rounds, (index) =>
    insert.run(`msg_bare${index}`, reader(index) + 1, CONTENT, 2_000_000 + index),
  );
  const sending = await timed(rounds, (index) =>
    mailbox.call(caller, {
      kind: "send",
      agentId: ids[(index * 11) % size.agents]!,
      to: ids[reader(index)]!,
      content: CONTENT,
      subject: null,
      scanId: null,
      metadata: null,
    }),
  );
  const of = `${size.messages.toLocaleString("en")} messages, ${size.agents} agents${size.toOne ? ", all to one" : ""}`;
  const isLargest = size.messages === SIZES.at(-1)?.messages;
  const wanted = (measured: Summary) => (isLargest ? [aim(`p95 <= ${AIM_MS} ms`, measured.p95 <= AIM_MS)] : []);
  report({
    id: `${id}a`,
    name: `get_mailbox, ${of}`,
    unit: "ms",
    measured: reading,
    baselines: [{ name: "bare query of 20 rows", measured: bareInbox }],
    aims: wanted(reading),
  });
  report({
    id: `${id}b`,
    name: `send_message, ${of}`,
    unit: "ms",
    measured: sending,
    baselines: [{ name: "bare insert of one row, on disk", measured: bareInsert }],
    aims: wanted(sending),
  });
  bare.close();
  mailbox.close();
};

export const measureMailbox = async (report: Report): Promise<void> => {
  for (const [at, size] of SIZES.entries()) {
    const folder = mkdtempSync(join(process.env.QUAY_BENCH_SCRATCH ?? "/tmp", "mailbox-"));
    try {
      await measure(folder, size, report, `m${at + 1}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
};
