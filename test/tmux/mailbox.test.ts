/** The mailbox beside running agents: real processes, a real engine, real tmux. */
import { execFile } from "node:child_process";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { createQuayWorld, type QuayWorld } from "../support/quay-world.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

let quay: QuayWorld;
let token: string;
let terminal: string;
beforeAll(async () => {
  quay = createQuayWorld();
  terminal = (await quay.agentIn("worker", quay.project("shop"))).id;
  token = quay.environ(terminal).QUAY_TOKEN!;
});
afterAll(() => quay.end());

const json = async (...args: readonly string[]) => {
  const ran = await quay.run("mailbox", ...args, "--json");
  if (ran.code !== 0) throw new Error(ran.err);
  return JSON.parse(ran.out);
};
const register = async (name: string): Promise<string> =>
  JSON.parse((await quay.call(token, "agent_register", { name })).text).agentId;

/** As a shell inside the agent's terminal runs it. */
const inside = (...args: readonly string[]) =>
  new Promise<{ readonly code: number; readonly out: string; readonly err: string }>((resolve) => {
    const { QUAY_TERMINAL_ID, QUAY_TOKEN, QUAY_MCP_URL } = quay.environ(terminal);
    const env = { ...quay.env, QUAY_TERMINAL_ID, QUAY_TOKEN, QUAY_MCP_URL };
    execFile(process.execPath, [quay.main, "mailbox", ...args], { env }, (error, out, err) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, out, err });
    });
  });

describe("mail for a running agent", () => {
  verifies("mailbox:arrival:shown", "is stored, and nothing is typed", async () => {
    await register("worker");
    const before = quay.received(terminal);
    await json("send", "worker", "map the hosts");
    const { agents } = await json("ls");
    expect(agents.find(({ name }: { name: string }) => name === "worker")).toMatchObject({ terminal, unreadCount: 1 });
    expect(quay.received(terminal)).toBe(before);
    expect(await quay.trail()).toEqual([]);
  });

  verifies("mailbox:notify", "is told by one short line when the setting says so", async () => {
    quay.settings({ mailbox: { notify: true } });
    await json("send", "worker", "a secret that is not typed");
    const entry = await until(async () => (await quay.trail()).find(({ status }) => status === "Completed"), 15_000);
    expect(entry).toMatchObject({ from: "Mailbox", to: "worker", tag: "Mailbox" });
    expect(quay.received(terminal)).toContain("[Mailbox]: New mail from person. Read it with get_mailbox.");
    expect(quay.received(terminal)).not.toContain("secret");
    quay.settings({});
  });
});

describe("inside a terminal", () => {
  verifies(
    ["mailbox:cli:inside", "mailbox:cli:send"],
    "the shell writes and reads as that terminal alone",
    async () => {
      const sent = await inside("send", "person", "done", "--json");
      expect(sent.code).toBe(0);
      const mine = JSON.parse(sent.out);
      expect((await json("ls", "person")).messages[0]).toMatchObject({ content: "done", from: { name: "worker" } });
      expect((await inside("read", mine.messageId)).out).toContain("worker > person");
      expect(JSON.parse((await inside("ls", "worker", "--json")).out)).toMatchObject({ total: 2 });
      const others = await json("send", "person", "a note of the person's own");
      for (const args of [
        ["read", others.messageId],
        ["read", others.threadId],
        ["ls", "person"],
      ])
        expect(await inside(...args)).toMatchObject({ code: 1, err: expect.stringContaining("Not found") });
      expect((await inside("ls")).out).not.toContain(others.threadId);
      for (const more of [
        ["--as", "boss"],
        ["--account", "machine"],
      ])
        expect(await inside("send", "person", "x", ...more)).toMatchObject({
          code: 1,
          err: expect.stringContaining("leave"),
        });
      expect(await inside("key", "new")).toMatchObject({ code: 1, out: "" });
    },
  );

  verifies("mailbox:durable", "a killed engine keeps what was sent, and its successor has the counts", async () => {
    const agentId = await register("worker");
    process.kill(quay.enginePid()!, "SIGKILL");
    expect((await quay.run("mailbox", "check")).out).toBe("All counters are right.\n");
    expect((await json("ls", "worker")).total).toBe(2);
    await quay.run("new", "shell", "--name", "again");
    const again = await until(async () => (await quay.call(token, "get_mailbox", { agentId })).text, 15_000);
    expect(JSON.parse(again)).toMatchObject({ total: 2, unread: 2 });
  });
});
