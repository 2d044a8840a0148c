/** tmux and the engine freeze, tmux dies, people do to their panes what they like: messages wait, move on, or say why. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EVIDENCE_MS } from "../../src/bus/limits.js";
import { ofKind } from "../support/chaos-books.js";
import { attachPerson, peopleOn } from "../support/chaos-people.js";
import { type ChaosStage, createChaosStage, type DrillAgent, scaled } from "../support/chaos-stage.js";
import { until } from "../support/until.js";

let stage: ChaosStage;
beforeEach(async () => {
  stage = await createChaosStage();
});
afterEach(() => stage.close());

const pidOf = (agent: DrillAgent): number => ofKind(agent.lines(), "started")[0]?.pid ?? 0;

const expectAnswered = async (agent: DrillAgent, count: number): Promise<void> => {
  await stage.untilOver(60_000);
  const books = await stage.books(agent);
  expect(books.faults).toEqual([]);
  expect(books.submitted).toHaveLength(count);
  const entries = await stage.trail(agent.name);
  expect(entries.map(({ status, notes }) => [status, ...notes])).toEqual(entries.map(() => ["Completed"]));
};

const sendMany = async (name: string, from: number, to: number): Promise<void> => {
  for (let n = from; n <= to; n += 1) await stage.send(name, `message ${n}`);
};

const frozen = async (ms: number): Promise<void> => {
  const at = Date.now() + ms;
  await until(() => Date.now() >= at, ms + 1_000);
};

const FREEZE_MS = scaled(6_000, 10_000);

describe("a freeze", () => {
  test("of the engine", async () => {
    await stage.startEngine("child");
    const agent = await stage.launch("worker", { DRILL_TURN_MS: 400 });
    await sendMany("worker", 1, 6);
    await until(() => agent.submissions().length >= 2, 20_000, "the second message");
    stage.signalEngine("SIGSTOP");
    await frozen(FREEZE_MS);
    stage.signalEngine("SIGCONT");
    await expectAnswered(agent, 6);
  });

  test("of the engine for longer than it waits for a sign of its message", async () => {
    await stage.startEngine("child");
    const agent = await stage.launch("worker", { DRILL_HOOKS: "delayed", DRILL_HOOK_DELAY_MS: 700, DRILL_OSC: "off" });
    await stage.send("worker", "message 1");
    await until(() => agent.submissions().length === 1, 20_000, "the message");
    stage.signalEngine("SIGSTOP");
    // What told of the turn meanwhile waits where hooks leave it, and is no later than it was written.
    await frozen(EVIDENCE_MS + 2_000);
    stage.signalEngine("SIGCONT");
    await expectAnswered(agent, 1);
  });

  test("of tmux makes its terminals stale, and is over", async () => {
    await stage.startEngine();
    const agent = await stage.launch("worker", { DRILL_TURN_MS: 400 });
    const server = stage.tmuxPid();
    for (let round = 0; round < scaled(2, 6); round += 1) {
      await sendMany("worker", round * 3 + 1, round * 3 + 3);
      const at = Date.now() + round * 230;
      await until(() => Date.now() >= at);
      process.kill(server, "SIGSTOP");
      const stoppedAt = Date.now();
      try {
        await until(() => agent.view().stale, 9_000, "the terminal to be stale");
        expect(agent.view().exit).toBeNull();
        await until(() => Date.now() - stoppedAt >= FREEZE_MS, FREEZE_MS + 1_000);
      } finally {
        process.kill(server, "SIGCONT");
      }
      await until(() => !agent.view().stale, 15_000, "the terminal to be fresh");
      await stage.untilOver(60_000);
    }
    expect(stage.tmuxPid()).toBe(server);
    await expectAnswered(agent, 3 * scaled(2, 6));
  });
});

describe("kill -9 of tmux", () => {
  test("ends all terminals within 2 s, and what was queued says why", async () => {
    await stage.startEngine();
    const agents: DrillAgent[] = [];
    for (const name of ["one", "two", "three"]) agents.push(await stage.launch(name, { DRILL_TURN_MS: 3_000 }));
    for (const { name } of agents) await sendMany(name, 1, 3);
    await until(() => agents.every((agent) => agent.submissions().length === 1), 20_000, "their first turns");
    process.kill(stage.tmuxPid(), "SIGKILL");
    const at = Date.now();
    await until(() => agents.every((agent) => agent.view().status === "exited"), 5_000, "their exits");
    expect(Date.now() - at).toBeLessThan(2_000);
    for (const agent of agents) {
      const entries = await stage.trail(agent.name);
      expect(entries.map(({ status, notes }) => [status, ...notes])).toEqual([
        ["Failed", "exited before its turn ended"],
        ["Failed", "exited before it could be typed"],
        ["Failed", "exited before it could be typed"],
      ]);
      expect((await stage.books(agent)).faults).toEqual([]);
    }
    // The next agent gets a server of its own.
    const next = await stage.launch("next");
    await stage.send("next", "hello");
    await until(() => next.submissions().length === 1, 20_000, "the new agent's message");
  });
});

describe("people's hands", () => {
  test("attach -d, copy mode, synchronized, moved and renamed panes lose nothing", async () => {
    await stage.startEngine();
    const agent = await stage.launch("worker", { DRILL_TURN_MS: 100 });
    const other = await stage.launch("other", { DRILL_TURN_MS: 100 });
    const place = { env: stage.env, socket: stage.socket };
    const first = attachPerson(place);
    await until(() => peopleOn(place).length === 1, 10_000, "a person");
    const server = stage.tmuxPid();

    await sendMany("worker", 1, 2);
    const second = attachPerson(place, "-d");
    await until(() => first.exitCode !== null && peopleOn(place).length === 1, 10_000, "the second person alone");
    await stage.untilOver(30_000);

    stage.tmux("copy-mode", "-t", agent.pane());
    await sendMany("worker", 3, 4);
    await until(
      async () => (await stage.trail("worker")).some(({ notes }) => notes.includes("held: the pane is in a mode")),
      10_000,
      "the hold",
    );
    expect(agent.submissions()).toHaveLength(2);
    stage.tmux("send-keys", "-t", agent.pane(), "-X", "cancel");
    await stage.untilOver(30_000);

    stage.tmux("join-pane", "-s", other.pane(), "-t", agent.pane());
    stage.tmux("set-option", "-w", "-t", agent.pane(), "synchronize-panes", "on");
    await sendMany("worker", 5, 6);
    await stage.untilOver(30_000);
    expect(other.submissions()).toEqual([]);
    stage.tmux("set-option", "-w", "-t", agent.pane(), "synchronize-panes", "off");

    stage.tmux("break-pane", "-d", "-s", agent.pane(), "-n", "moved away");
    stage.tmux("rename-window", "-t", agent.pane(), "#{pane_id}; renamed");
    stage.tmux("rename-session", "-t", "=quay:", "renamed");
    await sendMany("worker", 7, 8);
    await sendMany("other", 1, 2);
    await stage.untilOver(30_000);
    stage.tmux("new-session", "-d", "-s", "elsewhere");
    stage.tmux("move-window", "-s", agent.pane(), "-t", "elsewhere:");
    await sendMany("worker", 9, 10);

    await expectAnswered(agent, 10);
    await expectAnswered(other, 2);
    expect(stage.tmuxPid()).toBe(server);
    second.kill("SIGKILL");
  });

  test("input switched off holds a message, then fails it, and the queue goes on", async () => {
    await stage.startEngine();
    const agent = await stage.launch("worker", { DRILL_TURN_MS: 100 });
    stage.tmux("select-pane", "-d", "-t", agent.pane());
    await sendMany("worker", 1, 2);
    await until(
      async () => (await stage.trail("worker")).some(({ notes }) => notes.includes("held: input is off")),
      10_000,
      "the hold",
    );
    await until(async () => (await stage.trail("worker"))[0]?.status === "Failed", 60_000, "its failure");
    stage.tmux("select-pane", "-e", "-t", agent.pane());
    await stage.untilOver(60_000);
    const entries = await stage.trail("worker");
    expect(entries.map(({ status, notes }) => [status, ...notes])).toEqual([
      ["Failed", "the pane takes no input (its input is switched off in tmux)"],
      ["Completed"],
    ]);
    expect((await stage.books(agent)).faults).toEqual([]);
    expect(agent.submissions()).toEqual(["message 2"]);
  });

  test("a dead pane and a killed pane end their queue, and its name goes to a new terminal", async () => {
    await stage.startEngine();
    const dead = await stage.launch("worker", { DRILL_TURN_MS: 5_000 });
    await sendMany("worker", 1, 3);
    await until(() => dead.submissions().length === 1, 20_000, "its first turn");
    process.kill(pidOf(dead), "SIGKILL");
    await until(() => dead.view().exit !== null, 10_000, "its exit");
    const killed = await stage.launch("second", { DRILL_TURN_MS: 5_000 });
    await sendMany("second", 1, 3);
    await until(() => killed.submissions().length === 1, 20_000, "its first turn");
    stage.tmux("kill-pane", "-t", killed.pane());
    await until(() => killed.view().exit !== null, 10_000, "its exit");
    for (const agent of [dead, killed]) {
      expect((await stage.books(agent)).faults).toEqual([]);
      expect((await stage.trail(agent.name)).map(({ status }) => status)).toEqual(["Failed", "Failed", "Failed"]);
    }
    const next = await stage.launch("worker", { DRILL_TURN_MS: 50 }, "worker-again");
    await stage.send("worker", "message 4");
    await stage.untilOver(20_000);
    expect(next.submissions()).toEqual(["message 4"]);
  });

  test("a half-typed draft is neither submitted nor lost", async () => {
    await stage.startEngine();
    const agent = await stage.launch("worker", { DRILL_TURN_MS: 100 });
    await stage.send("worker", "message 1");
    await stage.untilOver(20_000);
    const pieces = ["half ", "a th", "ought; #{pane_id} $(touch canary)"];
    for (const piece of pieces) {
      agent.press("-l", piece);
      await stage.send("worker", `while ${piece.trim().slice(0, 4)}`);
    }
    await until(
      async () => (await stage.trail("worker")).at(-1)?.notes.includes("held: a person is typing") === true,
      10_000,
      "the hold",
    );
    expect(agent.screen()).toContain(`❯\u00a0${pieces.join("")}`);
    expect(agent.submissions()).toEqual(["message 1"]);
    agent.press("Enter");
    await stage.untilOver(30_000);
    const books = await stage.books(agent, { others: [pieces.join("")], typedByHand: pieces.join("") });
    expect(books.faults).toEqual([]);
    expect(agent.submissions()).toEqual([
      "message 1",
      pieces.join(""),
      ...pieces.map((piece) => `while ${piece.trim().slice(0, 4)}`),
    ]);
  });
});
