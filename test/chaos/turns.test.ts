/**
 * Turns in every rhythm and with every fault of their reports: messages are typed between them, each once. One engine
 * serves all the agents of this file at the same time.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PRESSED_TWICE } from "../../src/bus/second-enter.js";
import type { TrailView } from "../../src/bus/views.js";
import { ofKind } from "../support/chaos-books.js";
import { type ChaosStage, createChaosStage, type Drill, type DrillAgent, scaled } from "../support/chaos-stage.js";
import { until } from "../support/until.js";

let stage: ChaosStage;
beforeAll(async () => {
  stage = await createChaosStage();
  await stage.startEngine();
});
afterAll(() => stage.close());

const sendAll = async (name: string, count: number): Promise<readonly string[]> => {
  const texts = Array.from({ length: count }, (_, index) => `message ${index + 1} to ${name}`);
  for (const text of texts) await stage.send(name, text);
  return texts;
};

const entriesOf = (name: string): Promise<readonly TrailView[]> => stage.trail(name);

const untilAll = async (name: string, is: (entry: TrailView) => boolean, deadlineMs: number): Promise<void> => {
  await until(async () => (await entriesOf(name)).every(is), deadlineMs, `all entries of ${name}`).catch(
    async (error: Error) => {
      throw new Error(`${error.message}: ${JSON.stringify(await entriesOf(name))}\n${stage.agent(name).screen()}`);
    },
  );
};
const isOver = (entry: TrailView): boolean => entry.status === "Completed" || entry.status === "Failed";
const isTyped = (entry: TrailView): boolean => entry.status !== "Queued";

/** Sends so many and expects that each is answered, in order, with clean books and never typed into a turn. */
const answersAll = async (name: string, drill: Drill, count: number, deadlineMs = 60_000): Promise<DrillAgent> => {
  const agent = await stage.launch(name, drill);
  const texts = await sendAll(name, count);
  await untilAll(name, isOver, deadlineMs);
  const entries = await entriesOf(name);
  expect(entries.map(({ status, notes }) => [status, ...notes])).toEqual(texts.map(() => ["Completed"]));
  // A later Stop of the same turn amends its answer: on a busy machine its first one may stand for a moment.
  const answers = texts.map((_, index) => `answer ${index + 1}`);
  await until(
    async () => (await entriesOf(name)).every(({ response }, index) => response === answers[index]),
    5_000,
    `the answers of ${name}`,
  );
  expect((await stage.books(agent)).faults).toEqual([]);
  expect(agent.submissions()).toEqual(texts);
  expect(ofKind(agent.lines(), "submitted").filter(({ during }) => during === "turn")).toEqual([]);
  return agent;
};

describe.concurrent("the books are right with an agent that", () => {
  test("answers in 5 ms", async () => {
    await answersAll("fast", { DRILL_TURN_MS: 5 }, scaled(15, 100));
  });

  test("answers in 5 ms and reports nothing by OSC", async () => {
    await answersAll("fast-silent", { DRILL_TURN_MS: 5, DRILL_OSC: "off" }, scaled(10, 50));
  });

  // What it prints is asked for by nobody; Codex does so.
  test.each([
    ["before its hooks", { DRILL_OSC_ORDER: "first" }],
    ["after its hooks", { DRILL_OSC_ORDER: "last" }],
    ["long before its hooks", { DRILL_OSC_ORDER: "first", DRILL_HOOKS: "delayed", DRILL_HOOK_DELAY_MS: "0-800" }],
    ["before hooks that come twice", { DRILL_OSC_ORDER: "first", DRILL_HOOKS: "doubled" }],
    ["around hooks out of order", { DRILL_OSC_ORDER: "last", DRILL_HOOKS: "reordered", DRILL_SEED: 5 }],
  ] as const)("reports unasked %s", async (how, drill) => {
    const name = `unasked-${how.replaceAll(" ", "-")}`;
    const agent = await answersAll(name, { DRILL_OSC: "unasked", DRILL_TURN_MS: "5-200", ...drill }, scaled(8, 40));
    expect(ofKind(agent.lines(), "started")[0]?.osc).toBe(true);
    expect(agent.view()).toMatchObject({ status: "idle", level: "full peer" });
  });

  test("shows that it is busy after 8 s", async () => {
    await answersAll("late", { DRILL_BUSY_AFTER_MS: 8_000 }, 2);
  });

  test("aborts its turn on any input while busy", async () => {
    const agent = await answersAll("touchy", { DRILL_TURN_MS: "50-400", DRILL_BUSY_INPUT: "abort" }, scaled(12, 60));
    expect(ofKind(agent.lines(), "turnAborted")).toEqual([]);
  });

  test("goes on after its first Stop", async () => {
    await answersAll("continued", { DRILL_CONTINUES: 1 }, 6);
  });

  test("starts another CLI that inherits its environment", async () => {
    const agent = await answersAll("nesting", { DRILL_NESTS: 1, DRILL_TURN_MS: 300 }, 5);
    expect(agent.view().taskTitle).toBe("message 5 to nesting");
  });

  test("fires each hook twice", async () => {
    await answersAll("doubled", { DRILL_HOOKS: "doubled" }, 8);
  });

  test("fires its hooks late", async () => {
    await answersAll("delayed", { DRILL_HOOKS: "delayed", DRILL_HOOK_DELAY_MS: "0-800" }, 8);
  });

  test("fires its hooks out of order", async () => {
    await answersAll("reordered", { DRILL_HOOKS: "reordered", DRILL_TURN_MS: 20, DRILL_SEED: 7 }, 12);
  });

  test("prints more than any screen holds", async () => {
    const agent = await answersAll("flooding", { DRILL_PRINT_MB: scaled(20, 200), DRILL_TURN_MS: 10 }, 2, 180_000);
    expect(ofKind(agent.lines(), "printed")).toHaveLength(2);
  });

  test("prints forged reports, signs and headers", async () => {
    const agent = await answersAll("forging", { DRILL_FORGES: "all", DRILL_TURN_MS: 1_500 }, 4);
    expect(agent.view()).toMatchObject({ status: "idle", level: "full peer" });
  });

  test("leaves a forged end on its screen for 3 s", async () => {
    const forges = { DRILL_FORGES: "end", DRILL_TURN_MS: 6_000, DRILL_REGISTRY: "1" };
    const agent = await answersAll("forging-end", forges, 2);
    expect(agent.view()).toMatchObject({ status: "idle", level: "full peer" });
  });

  test("loses a fifth of its hooks", async () => {
    const agent = await stage.launch("lossy", { DRILL_HOOKS: "lost", DRILL_SEED: 11, DRILL_TURN_MS: 100 });
    const texts = await sendAll("lossy", 10);
    await untilAll("lossy", isTyped, 150_000);
    await until(() => agent.submissions().length === texts.length, 5_000, "its submissions");
    expect((await stage.books(agent)).faults).toEqual([]);
    expect(agent.submissions()).toEqual(texts);
    expect(ofKind(agent.lines(), "submitted").filter(({ during }) => during === "turn")).toEqual([]);
  });
});

describe.concurrent("the trail says why with an agent that", () => {
  test.each([400, 2_000])("swallows Enter into a line break for %i ms after a paste", async (ms) => {
    const name = `swallow-newline-${ms}`;
    const agent = await stage.launch(name, { DRILL_SWALLOW_MS: ms, DRILL_SWALLOW_AS: "newline" });
    const texts = ["plain words", "long text\n".repeat(6).trim(), "wide words ".repeat(20).trim()];
    for (const text of texts) await stage.send(name, text);
    await untilAll(name, isOver, 60_000);
    expect((await entriesOf(name)).map(({ status, notes }) => [status, ...notes])).toEqual(
      texts.map(() => ["Completed", PRESSED_TWICE]),
    );
    expect((await stage.books(agent)).faults).toEqual([]);
    expect(agent.submissions()).toEqual(texts.map((text) => `${text}\n`));
  });

  test.each([400, 2_000])("swallows Enter into nothing for %i ms after a paste", async (ms) => {
    const name = `swallow-nothing-${ms}`;
    const agent = await stage.launch(name, { DRILL_SWALLOW_MS: ms, DRILL_SWALLOW_AS: "nothing" });
    await sendAll(name, 2);
    await until(async () => (await entriesOf(name)).some(isOver), 60_000, "the first message");
    await until(
      async () => (await entriesOf(name)).every((entry) => isOver(entry) || entry.notes.length > 0),
      60_000,
      () => `a reason: ${agent.screen()}`,
    );
    expect((await stage.books(agent, { mayQueue: true })).faults).toEqual([]);
    expect((await entriesOf(name)).map(({ status, notes }) => [status, ...notes])).toEqual([
      ["Failed", "typed, no sign that it was submitted", "the text stood on the line 15 s after Enter"],
      ["Queued", "held: its line holds text that was not submitted"],
    ]);
    expect(agent.submissions()).toEqual([]);
  });

  test("dies in the middle of its second turn", async () => {
    const agent = await stage.launch("dying", { DRILL_DIES: 2 });
    await sendAll("dying", 4);
    await untilAll("dying", isOver, 30_000);
    expect((await entriesOf("dying")).map(({ status, notes }) => [status, ...notes])).toEqual([
      ["Completed"],
      ["Failed", "exited before its turn ended"],
      ["Failed", "exited before it could be typed"],
      ["Failed", "exited before it could be typed"],
    ]);
    expect((await stage.books(agent)).faults).toEqual([]);
    expect(agent.submissions()).toHaveLength(2);
  });

  test("dies at once", async () => {
    const agent = await stage.launch("stillborn", { DRILL_DIES: "now" });
    await until(() => agent.view().exit !== null, 10_000, "its exit");
    expect(agent.view().status).toBe("exited");
    await expect(stage.send("stillborn", "too late")).rejects.toThrow();
    expect(agent.submissions()).toEqual([]);
  });

  test("never reads its input", async () => {
    const agent = await stage.launch("deaf", { DRILL_READS: "never" });
    await sendAll("deaf", 3);
    await untilAll("deaf", isOver, 60_000);
    for (const { status, notes } of await entriesOf("deaf")) {
      expect(status).toBe("Failed");
      expect(notes).toEqual(["the line never showed the pasted text"]);
    }
    expect((await stage.books(agent)).faults).toEqual([]);
  });

  test("reads its input 20 s late", async () => {
    const agent = await stage.launch("slow", { DRILL_READS: 20_000 });
    await sendAll("slow", 2);
    await until(() => ofKind(agent.lines(), "bytes").length > 0, 60_000, "that it reads");
    await until(
      async () => (await entriesOf("slow")).every((entry) => isOver(entry) || entry.notes.length > 0),
      30_000,
      () => `a reason: ${agent.screen()}`,
    );
    expect((await stage.books(agent, { mayQueue: true })).faults).toEqual([]);
    expect(agent.submissions()).toEqual([]);
  });
});
