/** Sending, reading and marking, through the real MCP client: every cap at its limit and one beyond. */
import { describe, expect } from "vitest";
import { openPair, START } from "../support/mailbox-world.js";
import { verifies } from "../support/verifies.js";

describe("send_message and reply_message", () => {
  verifies(
    ["mailbox:send:thread", "mailbox:send:to", "mailbox:pull"],
    "starts a thread to an id or an exact name, found when the recipient reads",
    async () => {
      const { lead, worker, leadId, workerId, wind } = await openPair();
      const one = await lead.call("send_message", { agentId: leadId, to: "worker", content: "by name" });
      wind(24 * 60 * 60_000);
      const two = await lead.call("send_message", { agentId: leadId, to: workerId, content: "by id" });
      expect(one.threadId).toMatch(/^thr_/);
      expect(two.threadId).not.toBe(one.threadId);
      expect(two).toMatchObject({ to: { agentId: workerId, name: "worker" } });
      const { messages } = await worker.call("get_mailbox", { agentId: workerId });
      expect(messages.map(({ content }) => content)).toEqual(["by id", "by name"]);
      const self = await lead.call("send_message", { agentId: leadId, to: "lead", content: "a note to myself" });
      expect((await lead.call("get_mailbox", { agentId: leadId })).messages[0]?.messageId).toBe(self.messageId);
      for (const to of ["Worker", "work", " worker", "nobody", ""]) {
        expect(await lead.refusal("send_message", { agentId: leadId, to, content: "x" })).toBe(
          "Not found: your account has no such agent (to).",
        );
      }
    },
  );

  verifies(
    ["mailbox:cap:subject", "mailbox:cap:content", "mailbox:cap:metadata", "mailbox:cap:characters"],
    "caps at the limit and one beyond, and nothing is stored of what is refused",
    async () => {
      const { lead, worker, leadId, workerId } = await openPair();
      const content = "😀".repeat(50_000);
      const subject = "ä".repeat(200);
      const metadata = { k: "x".repeat(8_192 - 8) };
      const send = { agentId: leadId, to: "worker", content, subject, metadata };
      const { messageId } = await lead.call("send_message", send);
      const got = await worker.call("get_message", { agentId: workerId, messageId });
      expect(got).toMatchObject({ subject, metadata });
      expect(got.content === content).toBe(true);
      const refused = {
        content: { content: `${content}x` },
        subject: { subject: `${subject}x` },
        metadata: { metadata: { k: `${metadata.k}x` } },
      };
      for (const [field, change] of Object.entries(refused)) {
        expect(await lead.refusal("send_message", { ...send, ...change })).toMatch(new RegExp(`^${field} is too long`));
      }
      expect(await lead.refusal("send_message", { ...send, subject: "a\nb" })).toMatch(/^subject must be one line/);
      expect(await lead.refusal("send_message", { ...send, content: "" })).toMatch(/^content must not be empty/);
      expect(await lead.refusal("send_message", { ...send, metadata: "text" })).toContain("metadata");
      const reply = { agentId: workerId, replyTo: messageId };
      expect(await worker.refusal("reply_message", { ...reply, content: `${content}x` })).toMatch(/^content is too/);
      await worker.call("reply_message", { ...reply, content });
      expect((await worker.call("get_mailbox", { agentId: workerId })).total).toBe(1);
    },
  );

  verifies(
    ["mailbox:reply:inherits", "mailbox:reply:to", "mailbox:scan"],
    "a reply goes to the other party, in the thread and with the scan of what it answers",
    async () => {
      const { lead, worker, leadId, workerId } = await openPair();
      const task = await lead.call("send_message", {
        agentId: leadId,
        to: "worker",
        subject: "Map it",
        content: "go",
        scanId: "scan-7",
      });
      const answer = await worker.call("reply_message", { agentId: workerId, replyTo: task.messageId, content: "12" });
      // One's own message can be answered too: it goes to the same other party.
      const more = await worker.call("reply_message", { agentId: workerId, replyTo: answer.messageId, content: "13" });
      const back = await lead.call("reply_message", { agentId: leadId, replyTo: task.messageId, content: "well?" });
      expect([answer.to.name, more.to.name, back.to.name]).toEqual(["lead", "lead", "worker"]);
      const { messages, subject } = await lead.call("get_messages", { agentId: leadId, threadId: task.threadId });
      expect(subject).toBe("Map it");
      expect(messages.map(({ threadId, scanId, replyTo, from }) => [threadId, scanId, replyTo, from.name])).toEqual([
        [task.threadId, "scan-7", null, "lead"],
        [task.threadId, "scan-7", task.messageId, "worker"],
        [task.threadId, "scan-7", answer.messageId, "worker"],
        [task.threadId, "scan-7", task.messageId, "lead"],
      ]);
    },
  );
});

describe("reading", () => {
  verifies(
    ["mailbox:inbox:newest", "mailbox:limit"],
    "the newest first: 20 when no limit is given, at most 100",
    async () => {
      const { lead, worker, leadId, workerId } = await openPair();
      const sent = Array.from({ length: 101 }, (_, n) =>
        lead.call("send_message", { agentId: leadId, to: "worker", content: `message ${n}` }),
      );
      await Promise.all(sent);
      const read = async (limit?: number) =>
        (await worker.call("get_mailbox", { agentId: workerId, ...(limit === undefined ? {} : { limit }) })).messages;
      const all = await read(100);
      expect([(await read()).length, (await read(1)).length, all.length, (await read(5_000)).length]).toEqual([
        20, 1, 100, 100,
      ]);
      expect((await read(3)).map(({ messageId }) => messageId)).toEqual(all.slice(0, 3).map((one) => one.messageId));
      const times = all.map(({ messageId }) => messageId);
      const inOrder = (await Promise.all(sent)).map(({ messageId }) => messageId).reverse();
      expect(times).toEqual(inOrder.slice(0, 100));
      for (const limit of [0, -5, 1.5]) {
        expect(await worker.refusal("get_mailbox", { agentId: workerId, limit })).toMatch(/^limit must be/);
      }
    },
  );

  verifies(
    ["mailbox:inbox:senders", "mailbox:inbox:unread-only", "mailbox:mark:only"],
    "the summary counts per sender, unreadOnly leaves out what was marked, and reading marks nothing",
    async () => {
      const { lead, worker, leadId, workerId, connect, key } = await openPair();
      const tester = await connect(key);
      const { agentId: testerId } = await tester.call("agent_register", { name: "tester" });
      const first = await lead.call("send_message", { agentId: leadId, to: "worker", content: "1" });
      await lead.call("send_message", { agentId: leadId, to: "worker", content: "2" });
      const third = await tester.call("send_message", { agentId: testerId, to: "worker", content: "3" });
      await worker.call("get_message", { agentId: workerId, messageId: first.messageId });
      await worker.call("get_messages", { agentId: workerId, messageId: first.messageId });
      const read = (args: object = {}) => worker.call("get_mailbox", { agentId: workerId, ...args });
      expect(await read()).toMatchObject({ total: 3, unread: 3 });
      await worker.call("mark_message", { agentId: workerId, messageIds: [first.messageId], status: "ack" });
      const { messages, ...summary } = await read({ unreadOnly: true });
      expect(summary).toEqual({
        agentId: workerId,
        total: 3,
        unread: 2,
        senders: [
          { agentId: leadId, name: "lead", total: 2, unread: 1 },
          { agentId: testerId, name: "tester", total: 1, unread: 1 },
        ],
      });
      expect(messages.map(({ content }) => content)).toEqual(["3", "2"]);
      expect(messages[0]?.messageId).toBe(third.messageId);
      expect((await read()).messages).toHaveLength(3);
    },
  );

  verifies(
    ["mailbox:inbox:cut", "mailbox:message", "mailbox:thread:whole"],
    "a list cuts content at 1,000 characters; a thread and a message have all of it",
    async () => {
      const { lead, worker, leadId, workerId } = await openPair();
      const contents = ["😀".repeat(1_000), "😀".repeat(1_001)];
      for (const content of contents) await lead.call("send_message", { agentId: leadId, to: "worker", content });
      const { messages } = await worker.call("get_mailbox", { agentId: workerId });
      expect(messages.map(({ content, contentLength }) => [[...content].length, contentLength])).toEqual([
        [1_000, 1_001],
        [1_000, undefined],
      ]);
      const { messageId, threadId } = messages[0]!;
      const whole = await worker.call("get_message", { agentId: workerId, messageId });
      expect(whole.content === contents[1]).toBe(true);
      const thread = await worker.call("get_messages", { agentId: workerId, threadId });
      expect(thread.messages[0]?.content === contents[1]).toBe(true);
      expect(await worker.call("get_messages", { agentId: workerId, messageId })).toEqual(thread);
    },
  );

  verifies(
    ["mailbox:thread:limit", "mailbox:thread:since", "mailbox:thread:whole", "mailbox:one-of"],
    "a thread of 201 is read oldest first, and paged by since without loss, though all was sent in one millisecond",
    async () => {
      const { lead, worker, leadId, workerId } = await openPair();
      const { messageId, threadId } = await lead.call("send_message", { agentId: leadId, to: "worker", content: "0" });
      for (let n = 1; n <= 200; n += 1) {
        const [client, agentId] = n % 2 === 0 ? [lead, leadId] : [worker, workerId];
        await client.call("reply_message", { agentId, replyTo: messageId, content: `${n}` });
      }
      const read = (args: object = {}) => lead.call("get_messages", { agentId: leadId, threadId, ...args });
      const numbers = Array.from({ length: 201 }, (_, n) => `${n}`);
      const firstPage = await read();
      expect(firstPage).toMatchObject({ messageCount: 201, hasMore: true });
      expect(firstPage.messages.map(({ content }) => content)).toEqual(numbers.slice(0, 50));
      expect([(await read({ limit: 200 })).messages.length, (await read({ limit: 201 })).messages.length]).toEqual([
        200, 200,
      ]);
      const seen: string[] = [];
      for (let since: string | undefined, more = true; more; ) {
        const page = await read({ limit: 7, ...(since === undefined ? {} : { since }) });
        seen.push(...page.messages.map(({ content }) => content));
        since = page.messages.at(-1)?.sentAt;
        more = page.hasMore;
      }
      expect(seen).toEqual(numbers);
      const tenth = new Date(START + 9).toISOString();
      const offset = tenth.replace("08:00", "13:45").replace("Z", "+05:45");
      for (const since of [tenth, offset]) expect((await read({ since, limit: 1 })).messages[0]?.content).toBe("10");
      expect(await lead.refusal("get_messages", { agentId: leadId, threadId, since: "today" })).toMatch(/^since must/);
      expect(await lead.refusal("get_messages", { agentId: leadId, threadId, limit: 0 })).toMatch(/^limit must/);
      for (const both of [{}, { threadId, messageId }]) {
        expect(await lead.refusal("get_messages", { agentId: leadId, ...both })).toBe(
          "Send exactly one of threadId and messageId.",
        );
      }
    },
  );
});

describe("mark_message", () => {
  verifies(
    ["mailbox:mark:forward", "mailbox:mark:per-id", "mailbox:mark:count"],
    "moves forward only, under every order and repeat, and says what each id has",
    async () => {
      const { lead, worker, leadId, workerId, wind, now } = await openPair();
      const send = async () =>
        (await lead.call("send_message", { agentId: leadId, to: "worker", content: "x" })).messageId;
      const mark = async (ids: readonly string[], status: string) =>
        (await worker.call("mark_message", { agentId: workerId, messageIds: ids, status })).messages;
      const at = (ms: number) => new Date(START + ms).toISOString();
      const orders = [
        ["read", "ack"],
        ["ack", "read"],
        ["ack", "ack"],
        ["read", "read"],
        ["read", "ack", "read", "ack"],
      ];
      for (const order of orders) {
        const id = await send();
        const begun = now() - START;
        let last: unknown;
        for (const status of order) {
          wind(1);
          last = (await mark([id], status))[0];
        }
        const ack = order.indexOf("ack");
        expect([order, last]).toEqual([
          order,
          { messageId: id, readAt: at(begun + 1), ackAt: ack < 0 ? null : at(begun + 1 + ack) },
        ]);
      }
      const ids = await Promise.all(Array.from({ length: 100 }, send));
      expect(await mark([...ids.slice(0, 99), ids[0]!], "read")).toHaveLength(100);
      expect(await worker.refusal("mark_message", { agentId: workerId, messageIds: [], status: "read" })).toContain(
        "got 0",
      );
      expect(
        await worker.refusal("mark_message", { agentId: workerId, messageIds: [...ids, "x"], status: "read" }),
      ).toContain("1 to 100");
      expect(await worker.refusal("mark_message", { agentId: workerId, messageIds: ids, status: "unread" })).toContain(
        "status",
      );
      expect((await worker.call("get_mailbox", { agentId: workerId })).unread).toBe(1);
    },
  );
});

verifies("mailbox:dialogue", "the lead and worker of the text", async () => {
  const { lead, worker, leadId, workerId } = await openPair();
  const task = await lead.call("send_message", {
    agentId: leadId,
    to: "worker",
    subject: "Map acme-labs.com",
    content: "Enumerate subdomains and probe live hosts. Reply in this thread with evidence.",
    scanId: "scan-1",
  });
  const [found] = (await worker.call("get_mailbox", { agentId: workerId, unreadOnly: true })).messages;
  expect(found?.messageId).toBe(task.messageId);
  await worker.call("get_messages", { agentId: workerId, messageId: task.messageId });
  await worker.call("reply_message", { agentId: workerId, replyTo: task.messageId, content: "12 live hosts." });
  await worker.call("mark_message", { agentId: workerId, messageIds: [task.messageId], status: "ack" });
  const [reply] = (await lead.call("get_mailbox", { agentId: leadId })).messages;
  const thread = await lead.call("get_messages", { agentId: leadId, messageId: reply!.messageId });
  expect(thread.messages.map(({ content, scanId, ackAt }) => [content, scanId, ackAt !== null])).toEqual([
    ["Enumerate subdomains and probe live hosts. Reply in this thread with evidence.", "scan-1", true],
    ["12 live hosts.", "scan-1", false],
  ]);
});
