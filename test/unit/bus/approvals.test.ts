import { describe, expect, test } from "vitest";
import { emptyState, evolve, fromJson, isDurable, toJson } from "../../../src/bus/state.js";
import { trailViews } from "../../../src/bus/trail.js";
import { given, idOf, type World } from "../../support/bus.js";
import { verifies } from "../../support/verifies.js";

const NAME = "feature-impl";
const DIALOG = "approve Bash: git status";
const approve = (world: World, id = "ok-1", what = "Bash: git status"): void =>
  world.take({
    kind: "permissionAnswered",
    id,
    terminal: idOf(NAME),
    what,
    dialog: `approve ${what}`,
    rule: "Bash(git status)",
    source: "preset tdd-swarm",
  });
const ready = (): World => {
  const world = given("test-architect", NAME);
  world.idle("test-architect", NAME);
  return world;
};

describe("a request that a rule answered", () => {
  verifies(["approve:counted", "approve:on-trail"], "counts once, and is an entry with its rule", () => {
    const world = ready();
    approve(world);
    approve(world);
    expect(world.agent(NAME).autoApproved).toBe(1);
    expect(world.trail()).toMatchObject([
      {
        id: "ok-1",
        from: "Quay",
        to: NAME,
        tag: "Approval",
        text: "Bash: git status",
        status: "Completed",
        timer: { kind: "none" },
        response: null,
        notes: ["approved by the rule Bash(git status) of preset tdd-swarm"],
      },
    ]);
  });

  verifies("approve:counted", "counts the same after a restart, from all facts and from a checkpoint", () => {
    const world = ready();
    approve(world);
    const checkpoint: unknown = JSON.parse(JSON.stringify(toJson(world.state())));
    const later = world.facts.length;
    approve(world, "ok-2");
    const fromAll = evolve(emptyState, world.facts.filter(isDurable));
    const fromCheckpoint = evolve(fromJson(checkpoint), world.facts.slice(later).filter(isDurable));
    for (const state of [fromAll, fromCheckpoint]) {
      expect(state.terminals.get(idOf(NAME))?.autoApproved).toBe(2);
      expect([...state.approvals.keys()]).toEqual(["ok-1", "ok-2"]);
    }
  });

  test("stands between the messages by its time, and pages with them", () => {
    const world = ready();
    world.send("test-architect", NAME, "one");
    world.passes(10);
    approve(world);
    world.passes(10);
    world.send("test-architect", NAME, "two");
    world.passes(10);
    approve(world, "ok-2", "Bash: ls");
    const texts = (limit: number, before: string | null = null): readonly string[] =>
      trailViews(world.state(), limit, before).map((entry) => entry.text);
    expect(texts(10)).toEqual(["Bash: ls", "two", "Bash: git status", "one"]);
    expect(texts(2, "ok-2")).toEqual(["two", "Bash: git status"]);
    expect(texts(5, "ok-1")).toEqual(["one"]);
  });

  test("closes its own dialog, and no other one", () => {
    const world = ready();
    world.asks(NAME, DIALOG);
    approve(world);
    expect(world.agent(NAME).prompt).toBeNull();
    world.asks(NAME, "approve Bash: rm x");
    approve(world, "ok-2");
    expect(world.agent(NAME)).toMatchObject({ status: "waiting", prompt: { text: "approve Bash: rm x" } });
  });

  test("of a terminal that is over is nothing", () => {
    const world = ready();
    world.exits(NAME);
    approve(world);
    expect(world.trail()).toEqual([]);
  });

  test("beyond the thousand that are kept the oldest go", () => {
    const world = ready();
    for (let n = 0; n <= 1_100; n += 1) approve(world, `ok-${n}`);
    expect(world.state().approvals.size).toBe(1_000);
    expect(world.state().approvals.has("ok-1100")).toBe(true);
    expect(world.agent(NAME).autoApproved).toBe(1_101);
  });
});
