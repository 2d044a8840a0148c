import { describe, expect, test } from "vitest";
import { emptyState, evolve, fromJson, isDurable, toJson } from "../../../src/bus/state.js";
import { given, idOf, type World } from "../../support/bus.js";
import { verifies } from "../../support/verifies.js";

const NAME = "feature-impl";
const ready = (): World => {
  const world = given("test-architect", NAME);
  world.idle("test-architect", NAME);
  return world;
};
const served = (world: World): void => world.take({ kind: "tmuxReachable", reachable: true });

describe("a restart", () => {
  verifies("journal:checkpoint", "from a checkpoint equals one from all facts", () => {
    const world = ready();
    world.send("test-architect", NAME, "one");
    world.typed(NAME);
    const checkpoint: unknown = JSON.parse(JSON.stringify(toJson(world.state())));
    const later = world.facts.length;
    world.answers(NAME, "t1", "did one");
    world.send("test-architect", NAME, "two");
    const fromAll = evolve(emptyState, world.facts.filter(isDurable));
    const fromCheckpoint = evolve(fromJson(checkpoint), world.facts.slice(later).filter(isDurable));
    expect(fromCheckpoint.deliveries).toEqual(fromAll.deliveries);
    expect(fromCheckpoint.terminals.get(idOf(NAME))?.queue).toEqual(fromAll.terminals.get(idOf(NAME))?.queue);
  });

  test("types nothing before tmux was looked at, and then what was queued, in order", () => {
    const world = ready();
    world.turnStarts(NAME, "t1", "a person's prompt");
    for (const text of ["one", "two"]) world.send("test-architect", NAME, text);
    world.restarts();
    world.stops(NAME, "t1", "done");
    world.after(10_000);
    expect(world.pastes(NAME)).toEqual([]);
    served(world);
    expect(world.pastes(NAME)).toEqual(["[Peer agent (test-architect)]: one"]);
  });

  verifies("restart:waits-abandoned", "abandons the waits of the predecessor; the delivery goes on", () => {
    const world = ready();
    const sent = world.send("test-architect", NAME, "one", { wait: true });
    world.typed(NAME);
    world.turnStarts(NAME, "t1");
    world.restarts();
    expect(world.state().waits.size).toBe(0);
    served(world);
    world.stops(NAME, "t1", "GREEN");
    world.after(400);
    expect(world.entry(sent)).toMatchObject({ status: "Completed", response: "GREEN" });
    expect(sent.outcome()).toBeUndefined();
  });

  test("in the 400 ms after a Stop keeps its answer", () => {
    const world = ready();
    const sent = world.send("test-architect", NAME, "one");
    world.typed(NAME);
    world.turnStarts(NAME, "t1");
    world.stops(NAME, "t1", "GREEN");
    world.restarts();
    served(world);
    world.after(400);
    expect(world.entry(sent)).toMatchObject({ status: "Completed", response: "GREEN" });
  });

  verifies("restart:nothing-twice", "in the middle of the typing goes by the markers", () => {
    for (const [typed, pastes] of [
      ["nothing", 2],
      ["pasted", 1],
      ["entered", 1],
    ] as const) {
      const world = ready();
      const sent = world.send("test-architect", NAME, "one");
      world.restarts();
      world.after(60_000);
      expect(world.terminal(NAME).typing).toBe(sent.delivery);
      world.take({ kind: "markersRead", terminal: idOf(NAME), delivery: world.delivery(sent).id, typed });
      served(world);
      expect(world.pastes(NAME), typed).toHaveLength(pastes);
    }
  });

  test("does not bring back a dialog that was closed before it", () => {
    const world = ready();
    world.sees(NAME, { kind: "promptRaised", prompt: { about: "permission", text: "approve", source: "hook" } });
    world.sees(NAME, { kind: "promptClosed", source: "hook" });
    world.restarts();
    served(world);
    expect(world.agent(NAME).status).toBe("idle");
    world.send("test-architect", NAME, "one");
    expect(world.pastes(NAME)).toHaveLength(1);
  });

  test("forgets a dialog whose witness has to speak anew, and keeps one that a hook told of", () => {
    for (const [source, status] of [
      ["osc", "idle"],
      ["screen", "idle"],
      ["registry", "idle"],
      ["hook", "waiting"],
    ] as const) {
      const world = ready();
      world.asks(NAME, "approve", source);
      world.restarts();
      served(world);
      expect(world.agent(NAME).status, source).toBe(status);
    }
  });

  test("looks at a terminal that printed while no engine ran as at one that printed", () => {
    const world = given("test-architect", NAME);
    world.idle("test-architect");
    world.restarts();
    served(world);
    world.send("test-architect", NAME, "one");
    world.after(30_000);
    expect(world.agent(NAME)).toMatchObject({ level: "listener", status: "unknown" });
    expect(world.pastes(NAME)).toHaveLength(1);
  });

  test("keeps a bridge that was heard as heard", () => {
    const world = ready();
    world.restarts();
    served(world);
    world.after(60_000);
    expect(world.agent(NAME)).toMatchObject({ level: "full peer", status: "idle" });
  });
});
