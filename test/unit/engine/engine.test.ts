import { describe, expect, test } from "vitest";
import { EVIDENCE_MS } from "../../../src/bus/limits.js";
import type { Effect, Fact, Input } from "../../../src/bus/protocol.js";
import { emptyState } from "../../../src/bus/state.js";
import { createEngine, type Engine } from "../../../src/engine/engine.js";
import type { Journal } from "../../../src/engine/ports.js";
import { recordOf } from "../../support/bus.js";
import { manualClock, rest, startRig } from "../../support/engine-rig.js";
import { verifies } from "../../support/verifies.js";

type Watched = {
  readonly engine: Engine;
  readonly batches: (readonly Fact[])[];
  readonly effects: Effect[];
  readonly bugs: string[];
  /** Commits wait until this is called. */
  commit(error?: Error): void;
  readonly order: string[];
};

/** An engine alone: its journal waits for the test, its effects are only written down. */
const watched = (perform: (effect: Effect) => Promise<void> = async () => {}): Watched => {
  const [batches, effects, bugs, order]: [(readonly Fact[])[], Effect[], string[], string[]] = [[], [], [], []];
  let waiting: { readonly done: () => void; readonly failed: (error: Error) => void }[] = [];
  const journal: Journal = {
    append: (facts) =>
      new Promise((done, failed) => {
        batches.push(facts);
        order.push(`append ${facts.map((fact) => fact.kind).join(" ")}`);
        waiting.push({ done, failed });
      }),
    load: async () => ({ checkpoint: null, facts: [] }),
    checkpoint: async () => void order.push("checkpoint"),
    close: async () => {},
  };
  const engine = createEngine({
    clock: manualClock(),
    journal,
    state: emptyState,
    journaled: 0,
    foresee: (effect) => void order.push(`foresee ${effect.kind}`),
    perform: (effect) => {
      effects.push(effect);
      order.push(`perform ${effect.kind}`);
      return perform(effect);
    },
    onChange: () => void order.push("change"),
    log: { bug: (what) => void bugs.push(what) },
  });
  const commit = (error?: Error): void => {
    const now = waiting;
    waiting = [];
    for (const { done, failed } of now) error === undefined ? done() : failed(error);
  };
  return { engine, batches, effects, bugs, commit, order };
};

const launched = (name: string, like: "claude" | "listener" = "claude"): Input => ({
  kind: "terminalLaunched",
  terminal: recordOf({ name, like }, 0),
});
const say = (n: number, target: string): Input => ({
  kind: "send",
  call: `c${n}` as never,
  delivery: `d${n}` as never,
  caller: { kind: "person", as: null, project: null },
  target,
  text: `text ${n}`,
  wait: false,
  raw: false,
});
const broken: Input = { kind: "no such input" } as never;

describe("the engine", () => {
  verifies(["journal:group-commit"], "takes inputs in order, and commits those that wait together in one", async () => {
    const { engine, batches, commit } = watched();
    const first = engine.submit(launched("a"));
    const second = engine.submit(launched("b"));
    await rest();
    const third = engine.submit(launched("c"));
    const fourth = engine.submit(launched("d"));
    await rest();
    expect(batches).toHaveLength(1);
    expect(engine.state().terminals.size).toBe(0);
    commit();
    await Promise.all([first, second]);
    await rest();
    commit();
    await Promise.all([third, fourth]);
    const added = batches.map((facts) =>
      facts.flatMap((fact) => (fact.kind === "terminalAdded" ? fact.terminal.name : [])),
    );
    expect(added).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
  });

  verifies("journal:durable-before-answer", "tells, shows and types nothing before the facts are durable", async () => {
    const { engine, effects, order, commit } = watched();
    void engine.submit(launched("a", "listener"));
    const sent = engine.submit(say(1, "a"));
    await rest();
    expect(effects).toEqual([]);
    expect(engine.state().deliveries.size).toBe(0);
    commit();
    await sent;
    expect(order[0]).toBe("foresee paste");
    expect(order[1]).toContain("append");
    expect(order.slice(2)).toEqual(["change", "perform paste"]);
  });

  test("that cannot write its journal is broken, and types nothing, not even what came meanwhile", async () => {
    const { engine, effects, bugs, commit } = watched();
    void engine.submit(launched("a", "listener"));
    await rest();
    commit();
    await rest();
    const failed = engine.submit(say(1, "a")).catch((error: Error) => error.message);
    await rest();
    const behind = engine.submit(say(2, "a")).catch((error: Error) => error.message);
    commit(new Error("disk full"));
    await rest();
    commit();
    expect(await failed).toContain("disk full");
    expect(await behind).toContain("disk full");
    expect(engine.broken()).toContain("the journal cannot be written");
    expect(bugs).toHaveLength(1);
    expect(effects).toEqual([]);
    await expect(engine.submit(say(3, "a"))).rejects.toThrow("disk full");
    await engine.settled();
  });

  test("whose rules throw keeps what was decided before, and takes nothing after", async () => {
    const { engine, bugs, commit } = watched();
    const before = engine.submit(launched("a"));
    const bad = engine.submit(broken).catch((error: Error) => error.message);
    const after = engine.submit(launched("b")).catch((error: Error) => error.message);
    await rest();
    commit();
    await before;
    expect(await bad).toContain("the bus failed on no such input");
    expect(await after).toContain("the bus failed");
    expect([...engine.state().terminals.values()].map((terminal) => terminal.name)).toEqual(["a"]);
    expect(bugs).toHaveLength(1);
  });

  test("settles when no input waits and no effect is under way", async () => {
    let finish = (): void => {};
    const { engine, commit } = watched(() => new Promise((done) => (finish = done)));
    let isSettled = false;
    void engine.submit(launched("a", "listener"));
    void engine.submit(say(1, "a"));
    void engine.settled().then(() => (isSettled = true));
    await rest();
    expect(isSettled).toBe(false);
    commit();
    await rest();
    expect(isSettled).toBe(false);
    finish();
    await rest();
    expect(isSettled).toBe(true);
    await engine.settled();
  });

  test("that stops takes no more, finishes what it took, and writes a checkpoint", async () => {
    const { engine, order, commit } = watched();
    const taken = engine.submit(launched("a"));
    const stopped = engine.stop();
    await expect(engine.submit(launched("b"))).rejects.toThrow("stopped");
    await rest();
    commit();
    await taken;
    await stopped;
    expect(order.at(-1)).toBe("checkpoint");
  });

  verifies("hazard:engine-stood-still", "that stood still takes what was told meanwhile before its alarm", async () => {
    const rig = await startRig();
    await rig.launch("a");
    const answer = rig.send(null, "a", "hello");
    await rig.advance(500);
    await answer;
    expect(rig.typed("a")).toEqual(["paste hello", "enter"]);
    rig.leaves("a", { kind: "turnStarted", cliTurn: "t1", prompt: "hello", automatic: false });
    rig.ground.clock.standStill(EVIDENCE_MS + 1_000);
    await rig.advance(1);
    expect(rig.trail().map(({ status, notes }) => [status, ...notes])).toEqual([["Dispatched"]]);
    expect(rig.bugs).toEqual([]);
  });

  test("sets its alarm at the nearest deadline, and none when there is none", async () => {
    const rig = await startRig();
    await rig.launch("a");
    await rig.launch("b");
    await rig.advance(1_000);
    expect(rig.ground.clock.alarmAt()).toBe(null);
    const answer = rig.send("a", "b", "hello", true);
    await rig.advance(500);
    expect(rig.ground.clock.alarmAt()).toBeGreaterThan(rig.engine.now());
    await rig.advance(60_000);
    expect(await answer).toMatchObject({ ok: true, outcome: { kind: "stillWorking" } });
    await rig.advance(200_000);
    expect(rig.bugs).toEqual([]);
  });
});
