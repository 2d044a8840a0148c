/** One account is one namespace: every tool with another account's ids, and with ids that never were. */
import { expect } from "vitest";
import { type Args, openPair, type ToolName } from "../support/mailbox-world.js";
import { verifies } from "../support/verifies.js";

verifies(
  ["mailbox:one-namespace", "mailbox:not-found", "mailbox:reply:unseen"],
  "a foreign id and a forged one get the same words, by every argument of every tool",
  async () => {
    const { lead, worker, leadId, workerId, keyOf, connect } = await openPair();
    const mine = await lead.call("send_message", { agentId: leadId, to: "worker", content: "ours" });
    const rival = await connect(keyOf("rival").key);
    const { agentId: rivalId, sessionId } = await rival.call("agent_register", { name: "rival" });
    const { agentId: spyId } = await rival.call("agent_register", { name: "spy" });
    const theirs = await rival.call("send_message", { agentId: rivalId, to: "spy", content: "secret" });

    const cases = (agent: string, message: string, thread: string, session: string, name: string) =>
      [
        ["agent_register", { name: "lead", sessionId: session }],
        ["agent_get", { agentId: agent }],
        ["agent_get", { name }],
        ["get_mailbox", { agentId: agent }],
        ["get_messages", { agentId: agent, messageId: mine.messageId }],
        ["get_messages", { agentId: leadId, messageId: message }],
        ["get_messages", { agentId: leadId, threadId: thread }],
        ["get_message", { agentId: agent, messageId: mine.messageId }],
        ["get_message", { agentId: leadId, messageId: message }],
        ["send_message", { agentId: agent, to: "worker", content: "x" }],
        ["send_message", { agentId: leadId, to: agent, content: "x" }],
        ["send_message", { agentId: leadId, to: name, content: "x" }],
        ["reply_message", { agentId: agent, replyTo: mine.messageId, content: "x" }],
        ["reply_message", { agentId: leadId, replyTo: message, content: "x" }],
        ["mark_message", { agentId: agent, messageIds: [mine.messageId], status: "ack" }],
        ["mark_message", { agentId: leadId, messageIds: [message], status: "ack" }],
      ] as readonly (readonly [ToolName, Args])[];
    const foreign = cases(rivalId, theirs.messageId, theirs.threadId, sessionId, "rival");
    const forged = cases("agt_0", "msg_0", "thr_0", "ses_0", "never");
    for (const [at, [tool, args]] of foreign.entries()) {
      const said = await lead.refusal(tool, args);
      expect([tool, args, said]).toEqual([tool, args, expect.stringMatching(/^Not found: your account has no such /)]);
      expect(said).toBe(await lead.refusal(forged[at]![0], forged[at]![1]));
    }
    expect((await lead.call("agent_list")).agents.map(({ name }) => name).sort()).toEqual(["lead", "worker"]);
    expect((await rival.call("agent_list")).agents.map(({ name }) => name).sort()).toEqual(["rival", "spy"]);
    // The same name in two accounts is two agents.
    expect((await rival.call("agent_register", { name: "lead" })).agentId).not.toBe(leadId);
    expect(await rival.call("get_mailbox", { agentId: spyId })).toMatchObject({ total: 1, unread: 1 });
    expect(await worker.call("get_mailbox", { agentId: workerId })).toMatchObject({ total: 1, unread: 1 });
  },
);

verifies(
  ["mailbox:visibility", "mailbox:not-found", "mailbox:reply:unseen"],
  "a third agent of the same account does not find what is not its own",
  async () => {
    const { lead, worker, leadId, workerId, connect, key } = await openPair();
    const third = await connect(key);
    const { agentId } = await third.call("agent_register", { name: "third" });
    const { messageId, threadId } = await lead.call("send_message", { agentId: leadId, to: "worker", content: "ours" });
    const calls: readonly (readonly [ToolName, Args])[] = [
      ["get_message", { agentId, messageId }],
      ["get_messages", { agentId, messageId }],
      ["get_messages", { agentId, threadId }],
      ["reply_message", { agentId, replyTo: messageId, content: "x" }],
      ["mark_message", { agentId, messageIds: [messageId], status: "read" }],
    ];
    for (const [tool, args] of calls) expect(await third.refusal(tool, args)).toMatch(/^Not found: /);
    expect(await third.call("get_mailbox", { agentId })).toMatchObject({ total: 0, messages: [], senders: [] });
    for (const [client, id] of [
      [lead, leadId],
      [worker, workerId],
    ] as const)
      expect((await client.call("get_message", { agentId: id, messageId })).content).toBe("ours");
  },
);

verifies("mailbox:mark:per-id", "one foreign id, and one that was sent by oneself, fail alone", async () => {
  const { lead, worker, leadId, workerId, keyOf, connect } = await openPair();
  const rival = await connect(keyOf("rival").key);
  const { agentId: rivalId } = await rival.call("agent_register", { name: "rival" });
  const theirs = await rival.call("send_message", { agentId: rivalId, to: "rival", content: "secret" });
  const got = await lead.call("send_message", { agentId: leadId, to: "worker", content: "1" });
  const sent = await worker.call("send_message", { agentId: workerId, to: "lead", content: "2" });
  const { messages } = await worker.call("mark_message", {
    agentId: workerId,
    messageIds: [theirs.messageId, got.messageId, sent.messageId, "msg_0"],
    status: "read",
  });
  expect(messages).toEqual([
    { messageId: theirs.messageId, error: "not found" },
    { messageId: got.messageId, readAt: expect.any(String), ackAt: null },
    { messageId: sent.messageId, error: "you sent this message: only its recipient marks it" },
    { messageId: "msg_0", error: "not found" },
  ]);
  expect(await rival.call("get_mailbox", { agentId: rivalId })).toMatchObject({ unread: 1 });
  expect(await lead.call("get_mailbox", { agentId: leadId })).toMatchObject({ unread: 1 });
});
