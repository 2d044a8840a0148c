/** What a disk, a kill and many clients do to the mailbox, and what a person does to its file. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openMailbox } from "../../src/mailbox/edge/mailbox.js";
import { openDatabase } from "../../src/store/database.js";
import { writeChildSources } from "../support/child-sources.js";
import { type MailClient, openMailboxWorld, openPair } from "../support/mailbox-world.js";
import { repositoryRoot } from "../support/source-files.js";
import { tempFolder } from "../support/temp-folder.js";
import { verifies } from "../support/verifies.js";

verifies("mailbox:durable", "a kill loses nothing that a sender was told of, and the counts agree", async () => {
  const folder = tempFolder();
  writeChildSources(folder, ["bus", "lib", "store", "mailbox"]);
  const path = join(folder, "mailbox.db");
  const writer = join(repositoryRoot, "test/fixtures/store/mail-writer.mjs");
  const child = spawn(process.execPath, [writer, folder, path], { stdio: ["ignore", "pipe", "inherit"] });
  const dead = once(child, "exit");
  let said = 0;
  child.stdout.on("data", (bytes: Buffer) => {
    for (const line of bytes.toString().split("\n")) if (line !== "") said = Math.max(said, Number(line));
    if (said >= 50) child.kill("SIGKILL");
  });
  expect((await dead)[1]).toBe("SIGKILL");
  const database = openDatabase(path, "read");
  const stored = database
    .prepare("SELECT content FROM message ORDER BY seq")
    .all()
    .map((row) => Number(row.content));
  database.close();
  expect(stored.slice(0, said)).toEqual(Array.from({ length: said }, (_, n) => n + 1));
  // The one whose sender was not told yet may be there too.
  expect(stored.length - said).toBeLessThanOrEqual(1);
  const again = openMailbox(path, () => Date.now());
  expect(again.upkeep.check()).toEqual([]);
  again.close();
});

test("the file is its owner's alone, and a reader of a newer one is told", async () => {
  const { path, mailbox } = await openMailboxWorld();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  mailbox.close();
  const database = openDatabase(path, "write");
  database.exec("PRAGMA user_version = 99");
  database.close();
  expect(() => openMailbox(path, () => 0)).toThrow(/The mailbox was written by a newer Quay/);
  // The world closes it once more at the end.
  const restored = openDatabase(path, "write");
  restored.exec("PRAGMA user_version = 1");
  restored.close();
});

/** One client's 200 calls: it writes to all others, reads, answers and marks what it got. */
const work = async (client: MailClient, self: number, names: readonly string[]): Promise<void> => {
  const { agentId } = await client.call("agent_register", { name: names[self]! });
  for (let n = 0; n < 199; n += 1) {
    const to = names[(self + n) % names.length]!;
    if (n % 4 === 0) await client.call("send_message", { agentId, to, content: `${self}.${n}` });
    else if (n % 4 === 1) await client.call("agent_list", {});
    else {
      const { messages } = await client.call("get_mailbox", { agentId, unreadOnly: n % 8 < 4, limit: 5 });
      const newest = messages[0];
      if (newest === undefined) continue;
      if (n % 4 === 2) await client.call("reply_message", { agentId, replyTo: newest.messageId, content: "yes" });
      else
        await client.call("mark_message", { agentId, messageIds: messages.map((one) => one.messageId), status: "ack" });
      n += 1;
    }
  }
};

verifies(
  ["mailbox:ten-clients", "mailbox:counts"],
  "ten clients with 200 mixed calls each on one key meet no error, beside a second process's writes, and all counts agree",
  async () => {
    const world = await openMailboxWorld();
    const { key } = world.keyOf("acme");
    const names = Array.from({ length: 10 }, (_, n) => `agent-${n}`);
    const clients = await Promise.all(names.map(() => world.connect(key)));
    for (const [n, client] of clients.entries()) await client.call("agent_register", { name: names[n]! });
    // As a command line beside the engine does.
    const beside = openMailbox(world.path, () => world.now());
    const account = world.mailbox.accounts.named("acme").id;
    const caller = { account, terminal: null, connection: null };
    const person = await beside.call(caller, {
      kind: "register",
      name: "person",
      description: null,
      label: null,
      sessionLabel: null,
      sessionId: null,
    });
    const agentId = person.ok ? person.value.agentId : "";
    const notes = Array.from({ length: 50 }, async (_, n) => {
      await new Promise((resolve) => setImmediate(resolve));
      const sent = await beside.call(caller, {
        kind: "send",
        agentId,
        to: names[n % 10]!,
        content: "note",
        subject: null,
        scanId: null,
        metadata: null,
      });
      expect(sent.ok).toBe(true);
    });
    await Promise.all([...clients.map((client, n) => work(client, n, names)), ...notes]);
    beside.close();

    expect(world.mailbox.upkeep.check()).toEqual([]);
    const reader = clients[0]!;
    const { agents } = await reader.call("agent_list");
    expect(agents).toHaveLength(11);
    const database = openDatabase(world.path, "read");
    let total = 0;
    for (const agent of agents) {
      const box = await reader.call("get_mailbox", { agentId: agent.agentId, unreadOnly: true, limit: 100 });
      const real = database
        .prepare(
          "SELECT count(*) AS n FROM message WHERE read_at IS NULL AND recipient = (SELECT seq FROM agent WHERE id = ?)",
        )
        .get(agent.agentId);
      const unread = Number(real?.n);
      const bySender = box.senders.reduce((sum, one) => sum + one.unread, 0);
      expect([agent.name, agent.unreadCount, box.unread, bySender]).toEqual([agent.name, unread, unread, unread]);
      expect(box.messages.length).toBe(Math.min(100, unread));
      total += box.total;
    }
    expect(total).toBe(Number(database.prepare("SELECT count(*) AS n FROM message").get()?.n));
    expect(total).toBeGreaterThan(550);
    database.close();
  },
  60_000,
);

verifies("mailbox:check", "names each counter that is wrong, and puts it right", async () => {
  const { mailbox, path, lead, leadId } = await openPair();
  const { threadId } = await lead.call("send_message", { agentId: leadId, to: "worker", content: "x" });
  expect(mailbox.upkeep.check()).toEqual([]);
  const database = openDatabase(path, "write");
  database.exec(`UPDATE agent SET unread = 7 WHERE name = 'worker'; UPDATE agent SET sessions = 0 WHERE name = 'lead';
    UPDATE thread SET messages = 3; DELETE FROM tally; INSERT INTO tally VALUES (1, 2, 4, 0)`);
  database.close();
  expect(mailbox.upkeep.check()).toEqual([
    { counter: "unread", of: "worker", kept: 7, counted: 1 },
    { counter: "sessions", of: "lead", kept: 0, counted: 1 },
    { counter: "from sender", of: "lead from worker", kept: 4, counted: 0 },
    { counter: "from sender", of: "worker from lead", kept: 0, counted: 1 },
    { counter: "unread from sender", of: "worker from lead", kept: 0, counted: 1 },
    { counter: "messages in thread", of: threadId, kept: 3, counted: 1 },
  ]);
  mailbox.upkeep.rebuild();
  expect(mailbox.upkeep.check()).toEqual([]);
});

verifies("mailbox:prune", "deletes whole threads by their last message, and the counts stay right", async () => {
  const { mailbox, lead, worker, leadId, workerId, wind, now, keyOf, connect } = await openPair();
  const send = (content: string) => lead.call("send_message", { agentId: leadId, to: "worker", content });
  const old = await send("old");
  const kept = await send("old, and answered lately");
  for (let n = 0; n < 150; n += 1) await send("old");
  await worker.call("mark_message", { agentId: workerId, messageIds: [old.messageId], status: "read" });
  const rival = await connect(keyOf("rival").key);
  const { agentId } = await rival.call("agent_register", { name: "rival" });
  await rival.call("send_message", { agentId, to: "rival", content: "old, of another account" });
  wind(31 * 24 * 60 * 60_000);
  await worker.call("reply_message", { agentId: workerId, replyTo: kept.messageId, content: "late" });
  await send("new");

  const account = mailbox.accounts.named("acme").id;
  const before = now() - 30 * 24 * 60 * 60_000;
  expect(mailbox.upkeep.plan(account, before)).toEqual({ threads: 151, messages: 151, unread: 150 });
  expect(mailbox.upkeep.plan(null, before)).toMatchObject({ threads: 152 });
  while (mailbox.upkeep.pruneSome(account, before));
  expect(mailbox.upkeep.plan(null, before)).toEqual({ threads: 1, messages: 1, unread: 1 });
  expect(mailbox.upkeep.check()).toEqual([]);
  const box = await worker.call("get_mailbox", { agentId: workerId });
  expect(box.messages.map(({ content }) => content)).toEqual(["new", "old, and answered lately"]);
  expect(box).toMatchObject({ total: 2, unread: 2 });
  expect(await worker.refusal("get_message", { agentId: workerId, messageId: old.messageId })).toContain("Not found");
});
