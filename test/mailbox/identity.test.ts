/** Who one is in the mailbox, through the real MCP client: keys, registration, sessions, activity, lists. */
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openMailbox } from "../../src/mailbox/edge/mailbox.js";
import { tokenOf } from "../support/fake-engine.js";
import { askOnce, rpc, startBridge } from "../support/loopback.js";
import { connectWith, openMailboxWorld, openPair, START } from "../support/mailbox-world.js";
import { tempFolder } from "../support/temp-folder.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

const TOOLS = {
  agent_register: [["name"], ["description", "kind", "sessionId", "sessionLabel"]],
  agent_list: [[], ["onlyActive", "query"]],
  agent_get: [[], ["agentId", "name"]],
  get_mailbox: [["agentId"], ["limit", "unreadOnly"]],
  get_messages: [["agentId"], ["limit", "messageId", "since", "threadId"]],
  get_message: [["agentId", "messageId"], []],
  send_message: [
    ["agentId", "to", "content"],
    ["metadata", "scanId", "subject"],
  ],
  reply_message: [["agentId", "replyTo", "content"], []],
  mark_message: [["agentId", "messageIds", "status"], []],
};

describe("keys and tools", () => {
  verifies(
    ["mailbox:bearer-key", "mailbox:nine-tools", "mailbox:tools-by-credential"],
    "a key has the nine tools, a terminal has them beside the bus's",
    async () => {
      const world = await openMailboxWorld();
      const mine = await world.connect(world.keyOf("acme").key);
      const { tools } = await mine.client.listTools();
      const told = tools.map(({ name, inputSchema: { required = [], properties = {} } }) => {
        const optional = Object.keys(properties).filter((key) => !required.includes(key));
        return [name, [required, optional.sort()]];
      });
      expect(Object.fromEntries(told)).toEqual(TOOLS);
      expect(tools.map(({ name }) => name)).toEqual(Object.keys(TOOLS));

      const terminal = await world.connect(tokenOf("term-1"));
      const names = (await terminal.client.listTools()).tools.map(({ name }) => name);
      expect(names).toHaveLength(13);
      expect(names).toEqual(expect.arrayContaining([...Object.keys(TOOLS), "quay_send_message"]));
      expect(mine.client.getInstructions()).not.toContain("quay_send_message");
      expect(terminal.client.getInstructions()).toContain("agent_register");
    },
  );

  verifies("mailbox:tools-by-credential", "terminals share the machine's account, and keys of it do", async () => {
    const world = await openMailboxWorld();
    const [one, two] = [await world.connect(tokenOf("term-1")), await world.connect(tokenOf("term-2"))];
    const outside = await world.connect(world.keyOf("machine").key);
    await one.call("agent_register", { name: "one" });
    await two.call("agent_register", { name: "two" });
    expect((await outside.call("agent_list")).agents.map(({ name }) => name)).toEqual(["two", "one"]);
  });

  verifies(
    "mailbox:key:hashed",
    "no key stands in the file, and a revoked one ends its client's next call",
    async () => {
      const { readFileSync } = await import("node:fs");
      const world = await openMailboxWorld();
      const { id, key } = world.keyOf("acme");
      const mine = await world.connect(key);
      await mine.call("agent_register", { name: "lead" });
      for (const end of ["", "-wal"]) expect(readFileSync(world.path + end).includes(key)).toBe(false);
      world.mailbox.accounts.revokeKey(id);
      await expect(mine.call("agent_list")).rejects.toThrow(/401|bearer token/);
      expect(world.mailbox.accounts.keys().map(({ revokedAt }) => revokedAt)).toEqual([START]);
    },
  );

  test("what is no key gets 401, and a key opens nothing but the tools", async () => {
    const world = await openMailboxWorld();
    const port = Number(new URL(world.url).port);
    const { key } = world.keyOf("acme");
    const status = async (path: string, token: string) =>
      (await askOnce(port, { path, token, body: rpc(1, "tools/list") })).status;
    expect(await status("/mcp", `${key}x`)).toBe(401);
    expect(await status("/mcp", `quaymb_${"a".repeat(43)}`)).toBe(401);
    expect(await status("/api/snapshot", key)).toBe(401);
    expect(await status("/events", key)).toBe(401);
  });
});

describe("agent_register", () => {
  verifies(
    ["mailbox:register:name", "mailbox:register:idempotent", "mailbox:register:answer", "mailbox:register:fields"],
    "the same name is the same agent, and what is left out stays",
    async () => {
      const world = await openMailboxWorld();
      const mine = await world.connect(world.keyOf("acme").key);
      const first = await mine.call("agent_register", {
        name: "Claude Code",
        description: "Writes the parser",
        kind: "claude-code",
        sessionLabel: "parser",
      });
      expect(first).toMatchObject({
        agentId: expect.stringMatching(/^agt_/),
        sessionId: expect.stringMatching(/^ses_/),
        name: "claude-code",
        description: "Writes the parser",
        kind: "claude-code",
        sessionLabel: "parser",
      });
      const again = await mine.call("agent_register", { name: "claude-code", kind: "worker" });
      expect(again).toMatchObject({
        agentId: first.agentId,
        description: "Writes the parser",
        kind: "worker",
        sessionLabel: null,
      });
      expect(await mine.refusal("agent_register", { name: "???" })).toContain("name has no letter or digit left");
    },
  );

  verifies(
    ["mailbox:session:minted", "mailbox:session:resume", "mailbox:session:label"],
    "sessions are minted here, resumed by their id, and nobody else's",
    async () => {
      const world = await openMailboxWorld();
      const mine = await world.connect(world.keyOf("acme").key);
      const other = await world.connect(world.keyOf("rival").key);
      const first = await mine.call("agent_register", { name: "lead", sessionLabel: "morning" });
      const second = await mine.call("agent_register", { name: "lead" });
      expect(second.sessionId).not.toBe(first.sessionId);
      expect(second.sessionCount).toBe(2);
      const resumed = await mine.call("agent_register", { name: "lead", sessionId: first.sessionId });
      expect(resumed).toMatchObject({ sessionId: first.sessionId, sessionLabel: "morning", sessionCount: 2 });
      const renamed = await mine.call("agent_register", {
        name: "lead",
        sessionId: first.sessionId,
        sessionLabel: "evening",
      });
      expect(renamed.sessionLabel).toBe("evening");

      const theirs = await other.call("agent_register", { name: "lead" });
      const worker = await mine.call("agent_register", { name: "worker" });
      const said = new Set<string>();
      for (const sessionId of [theirs.sessionId, worker.sessionId, "ses_invented"]) {
        said.add(await mine.refusal("agent_register", { name: "lead", sessionId }));
      }
      said.add(await mine.refusal("agent_register", { name: "nobody-yet", sessionId: first.sessionId }));
      expect([...said]).toEqual(["Not found: your account has no such session of this agent (sessionId)."]);
      // A refused registration leaves no agent behind.
      expect(await mine.refusal("agent_get", { name: "nobody-yet" })).toContain("Not found");
    },
  );
});

describe("activity and lists", () => {
  verifies("mailbox:active:five-minutes", "five minutes after the last call an agent is not active", async () => {
    const { lead, workerId, wind } = await openPair();
    const isActive = async () => (await lead.call("agent_get", { agentId: workerId })).active;
    wind(299_999);
    expect(await isActive()).toBe(true);
    wind(1);
    expect(await isActive()).toBe(false);
  });

  verifies("mailbox:active:every-call", "each of the nine calls stamps its caller, and nobody else", async () => {
    const { lead, worker, leadId, workerId, wind, now } = await openPair();
    const { messageId } = await worker.call("send_message", { agentId: workerId, to: "lead", content: "hello" });
    const calls = [
      ["agent_register", { name: "lead" }],
      ["agent_list", {}],
      ["agent_get", { name: "worker" }],
      ["get_mailbox", { agentId: leadId }],
      ["get_messages", { agentId: leadId, messageId }],
      ["get_message", { agentId: leadId, messageId }],
      ["send_message", { agentId: leadId, to: "worker", content: "go" }],
      ["reply_message", { agentId: leadId, replyTo: messageId, content: "yes" }],
      ["mark_message", { agentId: leadId, messageIds: [messageId], status: "read" }],
    ] as const;
    const still = now();
    for (const [tool, args] of calls) {
      wind(10 * 60_000);
      await lead.call(tool, args);
      const rows = (await lead.call("agent_list", {})).agents;
      expect([tool, rows[0]?.name, rows[0]?.lastActiveAt]).toEqual([tool, "lead", new Date(now()).toISOString()]);
      expect(rows[1]?.lastActiveAt).toBe(new Date(still).toISOString());
    }
  });

  verifies("mailbox:active:every-call", "a connection from before a restart is still its agent's", async () => {
    const path = join(tempFolder(), "mailbox.db");
    let at = START;
    const open = () => openMailbox(path, () => at);
    const first = open();
    const { key } = first.accounts.newKey("machine", null);
    const before = await startBridge([], { mailbox: first });
    const mine = await connectWith(before.url, key);
    const { agentId } = await mine.call("agent_register", { name: "lead" });
    await before.bridge.stop();
    first.close();
    const second = open();
    onTestFinished(() => second.close());
    await startBridge([], { mailbox: second, port: before.port });
    at += 10 * 60_000;
    // The connection that was kept open is found closed once.
    const listed = await until(() => mine.call("agent_list").catch(() => null));
    const [row] = listed.agents;
    expect(row).toMatchObject({ agentId, active: true, lastActiveAt: new Date(at).toISOString() });
  });

  test("a call that is refused still stamps, and one of a stranger stamps nobody", async () => {
    const { lead, leadId, key, connect, wind } = await openPair();
    wind(10 * 60_000);
    const unnamed = await connect(key);
    expect((await unnamed.call("agent_list", { onlyActive: true })).agents).toEqual([]);
    await lead.refusal("get_message", { agentId: leadId, messageId: "msg_forged" });
    expect((await unnamed.call("agent_list", { onlyActive: true })).agents.map(({ name }) => name)).toEqual(["lead"]);
  });

  verifies(
    ["mailbox:list:order", "mailbox:list:row", "mailbox:list:narrow"],
    "rows, their order, and how they are narrowed",
    async () => {
      const { lead, worker, leadId, workerId, wind } = await openPair();
      wind(1_000);
      await worker.call("agent_register", { name: "worker", description: "Maps Hosts", kind: "worker" });
      wind(1_000);
      await lead.call("send_message", { agentId: leadId, to: "worker", content: "hello" });
      const { agents } = await lead.call("agent_list");
      expect(agents).toEqual([
        expect.objectContaining({ agentId: leadId, name: "lead", description: null, kind: null, active: true }),
        expect.objectContaining({
          agentId: workerId,
          name: "worker",
          description: "Maps Hosts",
          kind: "worker",
          active: true,
          unreadCount: 1,
          sessionCount: 2,
        }),
      ]);
      const names = async (args: object) => (await lead.call("agent_list", { ...args })).agents.map(({ name }) => name);
      expect(await names({ query: "hosts" })).toEqual(["worker"]);
      expect(await names({ query: "LEA" })).toEqual(["lead"]);
      expect(await names({ query: "nothing" })).toEqual([]);
      wind(299_999);
      await worker.call("get_mailbox", { agentId: workerId });
      wind(1);
      // The asking agent stamps itself: a client without a name looks.
      expect(await names({})).toEqual(["lead", "worker"]);
      wind(300_000);
      expect(await names({ onlyActive: true })).toEqual(["lead"]);
    },
  );

  verifies(
    ["mailbox:get", "mailbox:one-of"],
    "agent_get by id or name, with recent sessions, newest first",
    async () => {
      const { lead, worker, workerId, wind } = await openPair();
      const sessions = [(await worker.call("agent_get", { name: "worker" })).recentSessions[0]?.sessionId];
      for (let n = 1; n <= 10; n += 1) {
        wind(1_000);
        sessions.unshift((await worker.call("agent_register", { name: "worker", sessionLabel: `s${n}` })).sessionId);
      }
      const byId = await lead.call("agent_get", { agentId: workerId });
      expect(byId).toEqual(await lead.call("agent_get", { name: "worker" }));
      expect(byId.recentSessions.map(({ sessionId }) => sessionId)).toEqual(sessions.slice(0, 10));
      expect(byId).toMatchObject({ sessionCount: 11, unreadCount: 0, name: "worker" });
      for (const args of [{}, { agentId: workerId, name: "worker" }]) {
        expect(await lead.refusal("agent_get", args)).toBe("Send exactly one of agentId and name.");
      }
    },
  );
});
