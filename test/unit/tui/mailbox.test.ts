/** The mailbox on the screen: from the key to the rows, over the reducer, the controller and the views. */
import { describe, expect, onTestFinished, test } from "vitest";
import type { Command } from "../../../src/engine/client.js";
import type { DeskAnswers, DeskAsk } from "../../../src/mailbox/rules/desk.js";
import { Controller } from "../../../src/tui/controller.js";
import { screenView } from "../../../src/tui/views/screen.js";
import { agentView, fakeClient, START, snapshotOf } from "../../support/fake-client.js";
import { manualTiming } from "../../support/manual-timing.js";
import { until } from "../../support/until.js";
import { verifies } from "../../support/verifies.js";

const at = new Date(START).toISOString();
const agent = (name: string, patch: object = {}) => ({
  agentId: `agt_${name}`,
  name,
  description: null,
  kind: null,
  active: true,
  unreadCount: 0,
  sessionCount: 1,
  lastActiveAt: at,
  terminal: null,
  ...patch,
});
const message = (n: number, content: string) => ({
  messageId: `msg_${n}`,
  threadId: "thr_1",
  replyTo: null,
  from: { agentId: "agt_lead", name: "lead" },
  to: { agentId: "agt_worker", name: "worker" },
  subject: "Map it",
  content,
  scanId: "scan-1",
  metadata: null,
  sentAt: at,
  readAt: n === 0 ? at : null,
  ackAt: null,
});
const row = (n: number, subject: string | null) => ({
  threadId: `thr_${n}`,
  subject,
  between: ["lead", "worker"] as const,
  messageCount: 2,
  unreadCount: n === 1 ? 1 : 0,
  lastAt: at,
});

const openScreen = async () => {
  const answers: { -readonly [K in "agents" | "threads" | "read"]: DeskAnswers[K] } = {
    agents: {
      agents: [
        agent("worker", { unreadCount: 1, terminal: "term-worker1", description: "Maps \u001b[2Jhosts" }),
        agent("lead", { active: false, terminal: "term-gone" }),
      ],
    },
    threads: { threads: [row(1, "Map \u0007it"), row(2, null)] },
    read: {
      threadId: "thr_1",
      subject: "Map it",
      messageCount: 2,
      messages: [message(0, "Enumerate \u001b[2Jhosts"), message(1, "Twelve.")],
      hasMore: false,
    },
  };
  const client = fakeClient(
    snapshotOf([agentView({ name: "worker1" }), agentView({ name: "gone", exit: { at: START, why: "ended" } })]),
  );
  let fault: string | null = null;
  client.answer = (command: Command) => {
    if (fault !== null) return { ok: false, code: "engine-away", message: fault };
    const { kind } = (command as Extract<Command, { kind: "mailbox" }>).ask;
    return { ok: true, answer: answers[kind as keyof typeof answers] };
  };
  const timing = manualTiming();
  const ways = {
    leave: () => {},
    redraw: () => {},
    open: async () => {},
    copy: async () => {},
    insideTmux: null,
    gone: () => {},
  };
  const controller = new Controller(client, { screen: "mission", cwd: "/", goesBack: false }, timing, ways);
  onTestFinished(() => controller.stop());
  const seen = (size = { columns: 100, rows: 30 }) =>
    screenView(controller.snapshot.get(), controller.ui.get(), START, size);
  const text = (size?: { columns: number; rows: number }) =>
    seen(size)
      .rows.map((spans) => spans.map((part) => part.text).join(""))
      .join("\n");
  const press = (...keys: readonly string[]) => {
    for (const key of keys) controller.take({ kind: "input", input: { kind: "key", key }, reach: seen().reach });
  };
  const asks = (): readonly DeskAsk["kind"][] =>
    client.commands.flatMap((command) => (command.kind === "mailbox" ? [command.ask.kind] : []));
  press("i");
  await until(() => text().includes("Threads"));
  return { answers, client, timing, controller, text, press, asks, fail: (why: string | null) => (fault = why) };
};

describe("the mailbox view", () => {
  verifies(
    "mailbox:screen",
    "shows agents, where they run, what is unread, and the threads; nothing of it obeyed",
    async () => {
      const { text, asks, client } = await openScreen();
      const shown = text();
      expect(shown).toContain("Mailbox: 2 agents, 1 unread");
      expect(shown).toMatch(/worker +1 unread +active +in worker1 +Maps ␛\[2Jhosts/);
      expect(shown).toMatch(/lead +\d\d:\d\d:\d\d/);
      expect(shown).not.toContain("in gone");
      expect(shown).toMatch(/› lead → worker +1 unread +\d\d:\d\d:\d\d +2 +Map ␇it/);
      expect(shown).toMatch(/ {2}lead → worker +\d\d:\d\d:\d\d +2 +\(no subject\)/);
      expect(asks()).toEqual(["agents", "threads"]);
      // Looking is the person's, on this machine's account.
      expect(client.commands[0]).toMatchObject({ caller: { kind: "person" }, account: null, as: null });
      for (const size of [
        { columns: 20, rows: 8 },
        { columns: 40, rows: 12 },
        { columns: 200, rows: 50 },
      ])
        expect(text(size).split("\n").length).toBeLessThan(size.rows);
    },
  );

  verifies("mailbox:screen", "Enter shows the chosen thread whole, Esc goes back to the list and out", async () => {
    const { text, press, client, controller } = await openScreen();
    press("down", "down", "up", "down", "enter");
    expect(client.commands.at(-1)).toMatchObject({ ask: { kind: "read", id: "thr_2" } });
    await until(() => text().includes("Twelve."));
    expect(text()).toContain("Enumerate ␛[2Jhosts");
    expect(text()).toMatch(/lead → worker +\d\d:\d\d:\d\d +read\n/);
    expect(text()).toContain("scan scan-1");
    press("escape");
    expect(text()).toContain("Threads");
    press("escape");
    expect(controller.ui.get().overlay).toEqual({ kind: "none" });
  });

  verifies("mailbox:screen", "is read again while it is open, and no more when it is left", async () => {
    const { answers, timing, text, press, asks } = await openScreen();
    answers.agents = { agents: [agent("worker", { unreadCount: 2 })] };
    await timing.advance(2_000);
    await until(() => text().includes("1 agent, 2 unread"));
    press("enter");
    await until(() => text().includes("Twelve."));
    answers.read = { ...answers.read, messageCount: 3, messages: [...answers.read.messages, message(2, "Thirteen.")] };
    await timing.advance(2_000);
    await until(() => text().includes("Thirteen."));
    press("escape", "escape");
    const asked = asks().length;
    await timing.advance(10_000);
    expect(asks()).toHaveLength(asked);
  });

  test("a fault is said in the view, and gone when it is over", async () => {
    const { timing, text, fail } = await openScreen();
    fail("Quay's engine does not answer.");
    await timing.advance(2_000);
    await until(() => text().includes("does not answer"));
    expect(text()).toContain("Threads");
    fail(null);
    await timing.advance(2_000);
    await until(() => !text().includes("does not answer"));
  });

  test("of a long thread the last twenty messages are shown, and where the rest is", async () => {
    const { answers, text, press } = await openScreen();
    const messages = Array.from({ length: 30 }, (_, n) => message(n, `number ${n}.`));
    answers.read = { ...answers.read, messageCount: 300, messages };
    press("enter");
    await until(() => text({ columns: 100, rows: 200 }).includes("number 29."));
    expect(text({ columns: 100, rows: 200 })).toContain("the last 20 of 300 messages; more: quay mailbox read thr_1");
    expect(text({ columns: 100, rows: 200 })).not.toContain("number 9.");
  });
});
