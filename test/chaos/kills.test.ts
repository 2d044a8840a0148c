/**
 * The engine dies by SIGKILL at every step of a delivery, is stopped and started again and again, and finds another
 * engine in its place. The markers decide: each message is submitted once.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { seeded } from "../../src/drill/random.js";
import { ofKind } from "../support/chaos-books.js";
import { COMMIT_MOMENTS, STEPS } from "../support/chaos-serve.js";
import { type ChaosStage, createChaosStage, type DrillAgent, scaled } from "../support/chaos-stage.js";
import { isAlive } from "../support/tmux-server.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

let stage: ChaosStage;
beforeEach(async () => {
  stage = await createChaosStage();
});
afterEach(() => stage.close());

const expectAnswered = async (agent: DrillAgent, count: number): Promise<void> => {
  const books = await stage.books(agent);
  expect(books.faults).toEqual([]);
  expect(books.submitted).toHaveLength(count);
  const entries = await stage.trail(agent.name);
  expect(entries.map(({ status, notes }) => [status, ...notes])).toEqual(entries.map(() => ["Completed"]));
  expect(entries).toHaveLength(count);
};

const pidOf = (agent: DrillAgent): number => ofKind(agent.lines(), "started")[0]?.pid ?? 0;

describe("kill -9 of the engine", () => {
  test("at every step of a delivery", async () => {
    await stage.startEngine("child");
    const agent = await stage.launch("worker", { DRILL_TURN_MS: 300 });
    const server = stage.tmuxPid();
    const reached: string[] = [];
    let sent = 0;
    for (const step of STEPS) {
      await stage.stopEngine();
      rmSync(join(stage.folder, "steps"), { force: true });
      await stage.startEngine("child", step);
      // The engine may be gone before it answers; the message is durable by then, or was never taken.
      const long = sent % 2 === 1 ? "\nand more\nand more\nand more" : "";
      sent += 1;
      await stage.send("worker", `kill ${sent}${long}`).catch(() => {});
      await stage.untilEngineDied();
      const passed = existsSync(join(stage.folder, "steps")) ? readFileSync(join(stage.folder, "steps"), "utf8") : "";
      expect(passed.trim().split("\n").at(-1)).toBe(step);
      reached.push(step);
      await stage.startEngine("child");
      await stage.untilOver(40_000);
      expect(agent.submissions()).toHaveLength(sent);
    }
    expect(reached).toEqual(STEPS);
    await expectAnswered(agent, sent);
    expect(stage.tmuxPid()).toBe(server);
    expect(isAlive(pidOf(agent))).toBe(true);
  });

  test("in a turn, after it and between two messages", async () => {
    await stage.startEngine("child");
    const agent = await stage.launch("worker", { DRILL_TURN_MS: 1_000 });
    let sent = 0;
    const kill = async (): Promise<void> => {
      stage.signalEngine("SIGKILL");
      await stage.untilEngineDied();
    };
    for (let round = 0; round < scaled(4, 20); round += 1) {
      const turns = sent;
      await stage.send("worker", `first of ${round}`);
      await stage.send("worker", `second of ${round}`);
      sent += 2;
      if (round % 2 === 0) {
        await until(() => ofKind(agent.lines(), "submitted").length === sent - 1, 20_000, "its turn");
        await kill();
        // The turn ends while no engine runs.
        await until(() => ofKind(agent.lines(), "turnEnded").length > turns, 20_000, "the end of its turn");
      } else {
        await until(() => ofKind(agent.lines(), "turnEnded").length > turns, 20_000, "the end of its turn");
        await kill();
      }
      await stage.startEngine("child");
      await stage.untilOver(40_000);
    }
    await expectAnswered(agent, sent);
  });
});

describe("kill -9 inside a commit of the journal", () => {
  const passed = (): readonly string[] => {
    const file = join(stage.folder, "steps");
    return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  };
  const startAt = async (step: string): Promise<void> => {
    await stage.stopEngine();
    rmSync(join(stage.folder, "steps"), { force: true });
    await stage.startEngine("child", step);
  };
  const isTold = (text: string): Promise<boolean> =>
    stage.send("worker", text).then(
      () => true,
      () => false,
    );
  /** Whoever was told that it was taken finds it on the trail, once; whoever was not may find it, once. */
  const expectKept = async (text: string, told: boolean): Promise<boolean> => {
    const found = (await stage.trail("worker")).filter((entry) => entry.text === text).length;
    expect(found).toBeLessThanOrEqual(1);
    if (told) expect([text, found]).toEqual([text, 1]);
    return found === 1;
  };

  verifies("journal:durable-before-answer", "at each of its moments, for each fact of a delivery", async () => {
    await stage.startEngine("child", "none");
    const agent = await stage.launch("worker", { DRILL_TURN_MS: 50 });
    await stage.send("worker", "the steps of a delivery");
    await stage.untilOver(20_000);
    const steps = [...new Set(passed())].filter((step) => / of delivery/.test(step));
    const facts = new Set(steps.map((step) => step.split(" of ")[1]));
    expect([...facts]).toEqual(expect.arrayContaining(["deliveryAccepted", "deliveryChanged to completed"]));
    expect(steps).toHaveLength(facts.size * COMMIT_MOMENTS.length);
    let kept = 1;
    for (const step of steps) {
      await startAt(step);
      const told = await isTold(`killed ${step}`);
      await stage.untilEngineDied();
      const passedAll = passed();
      expect(passedAll.at(-1)).toBe(step);
      await stage.startEngine("child");
      const isKept = await expectKept(`killed ${step}`, told);
      // Other facts share the commit in which it was accepted.
      expect([step, isKept]).toEqual([step, passedAll.includes("after COMMIT of deliveryAccepted")]);
      if (isKept) kept += 1;
      await stage.untilOver(40_000);
    }
    console.log(`killed in a commit ${steps.length} times: ${steps.join(", ")}`);
    await expectAnswered(agent, kept);
  });

  test("at moments of chance, while ten senders are told", async () => {
    const random = seeded(3);
    await stage.startEngine("child");
    const agent = await stage.launch("worker", { DRILL_TURN_MS: 1 });
    let kept = 0;
    let told = 0;
    const rounds = scaled(6, 60);
    for (let round = 1; round <= rounds; round += 1) {
      const texts = Array.from({ length: 10 }, (_, index) => `${index + 1} of round ${round}`);
      const answers = texts.map(isTold);
      const at = performance.now() + random.within({ min: 0, max: 25 });
      await until(() => performance.now() >= at);
      stage.signalEngine("SIGKILL");
      await stage.untilEngineDied();
      const heard = await Promise.all(answers);
      told += heard.filter(Boolean).length;
      await stage.startEngine("child");
      for (const [index, text] of texts.entries()) if (await expectKept(text, heard[index] === true)) kept += 1;
      await stage.untilOver(60_000);
    }
    console.log(`${10 * rounds} messages met a kill: ${told} senders were told, ${kept} messages kept`);
    await expectAnswered(agent, kept);
  });
});

describe("while messages flow", () => {
  test("the engine is started again and again, and people attach and leave", async () => {
    await stage.startEngine("child");
    const agents = [
      await stage.launch("one", { DRILL_TURN_MS: "20-300" }),
      await stage.launch("two", { DRILL_TURN_MS: "5-100", DRILL_BUSY_INPUT: "abort" }),
    ];
    const server = stage.tmuxPid();
    const people = stage.attachAndLeave(scaled(40, 200));
    let sent = 0;
    const restarts = scaled(10, 50);
    for (let round = 1; round <= restarts; round += 1) {
      for (const agent of agents) {
        await stage.send(agent.name, `a ${round} of ${agent.name}`);
        await stage.send(agent.name, `b ${round} of ${agent.name}`);
      }
      sent += 2;
      const at = Date.now() + 97 * (round % 9);
      await until(() => Date.now() >= at);
      if (round % 2 === 0) await stage.stopEngine();
      else {
        stage.signalEngine("SIGKILL");
        await stage.untilEngineDied();
      }
      await stage.startEngine("child");
    }
    expect(await people).toBe(scaled(40, 200));
    await stage.untilOver(120_000);
    for (const agent of agents) {
      await expectAnswered(agent, sent);
      expect(isAlive(pidOf(agent))).toBe(true);
      expect(ofKind(agent.lines(), "turnAborted")).toEqual([]);
    }
    expect(stage.tmuxPid()).toBe(server);
  });

  test("a second engine on the same state folder says who has it", async () => {
    await stage.startEngine("child");
    const agent = await stage.launch("worker", { DRILL_TURN_MS: 200 });
    for (let n = 1; n <= 4; n += 1) await stage.send("worker", `message ${n}`);
    const said = await stage.secondEngine();
    expect(said).toContain('"code":"engine-running"');
    expect(said).toContain(String(stage.enginePid()));
    await stage.untilOver(30_000);
    await expectAnswered(agent, 4);
  });
});
