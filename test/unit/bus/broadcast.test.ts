import { describe, expect, test } from "vitest";
import { nextDeadline } from "../../../src/bus/deadlines.js";
import { deliveryId } from "../../../src/bus/ids.js";
import { given, idOf, type World } from "../../support/bus.js";
import { verifies } from "../../support/verifies.js";

const swarm = (): World => {
  const world = given(
    "release-captain",
    "feature-impl",
    "docs-writer",
    { name: "listener", like: "listener" },
    { name: "test-runner", like: "shell" },
    { name: "elsewhere", project: "/work/other" },
    { name: "worktree", project: "/work/app/.trees/one" },
    "gone",
  );
  world.idle("release-captain", "feature-impl", "docs-writer", "elsewhere", "worktree");
  world.exits("gone");
  return world;
};
const reached = (world: World): readonly string[] =>
  [...world.state().terminals.values()].map((t) => t.name).filter((name) => world.pastes(name).length > 0);

describe("a broadcast", () => {
  verifies(
    [
      "broadcast:header",
      "broadcast:others-in-the-project",
      "broadcast:never-the-caller",
      "peer:shell-skipped-by-broadcast",
    ],
    "is typed into every other running peer of the project",
    () => {
      const world = swarm();
      world.broadcast("release-captain", "freeze at noon");
      expect(reached(world)).toEqual(["feature-impl", "docs-writer", "listener"]);
      expect(world.pastes("feature-impl")).toEqual(["[Broadcast Notice]: freeze at noon"]);
    },
  );

  verifies("broadcast:worktree-is-a-project", "from a worktree stays in that worktree", () => {
    const world = swarm();
    world.launches({ name: "second", project: "/work/app/.trees/one" });
    world.idle("second");
    world.broadcast("worktree", "here only");
    expect(reached(world)).toEqual(["second"]);
  });

  verifies(
    ["broadcast:typed-like-a-message", "broadcast:no-reply"],
    "waits for a turn's end, and its call does not",
    () => {
      const world = swarm();
      world.turnStarts("docs-writer", "t1", "a person's prompt");
      const sent = world.broadcast("release-captain", "freeze at noon");
      expect(sent.outcome()).toBeUndefined();
      world.typed("feature-impl");
      world.typed("listener");
      expect(sent.outcome()).toEqual({
        kind: "broadcast",
        reached: ["feature-impl", "listener"],
        holding: ["docs-writer"],
        failed: [],
      });
      world.stops("docs-writer", "t1", "done");
      world.after(400);
      expect(world.pastes("docs-writer")).toHaveLength(1);
      world.typed("docs-writer");
      world.answers("docs-writer", "t2", "noted");
      expect(world.entry(deliveryId(`${sent.delivery}-2`))).toMatchObject({
        status: "Completed",
        label: "Answer:",
        response: "noted",
      });
      expect(world.settled.get(sent.call)).toHaveLength(1);
    },
  );

  verifies(["broadcast:toast", "toast:one-per-broadcast"], "raises one toast, a message one when it is typed", () => {
    const world = swarm();
    world.broadcast("release-captain", "freeze at noon");
    for (const name of ["feature-impl", "docs-writer", "listener"]) world.typed(name);
    expect(world.toasts()).toEqual(["Swarm Broadcast from release-captain"]);
    world.answers("feature-impl", "t1", "");
    world.send("release-captain", "feature-impl", "hello");
    world.typed("feature-impl");
    expect(world.toasts().slice(1)).toEqual(["Message from release-captain to feature-impl"]);
  });

  verifies("broadcast:one-entry-per-peer", "has one entry per peer, credited to its sender and tagged", () => {
    const world = swarm();
    world.broadcast("release-captain", "freeze at noon");
    const shown = world.trail().map(({ from, to, tag }) => ({ from, to, tag }));
    expect(shown).toEqual(
      ["listener", "docs-writer", "feature-impl"].map((to) => ({ from: "release-captain", to, tag: "Broadcast" })),
    );
  });

  verifies("mission-control:broadcast-as-you", "of a person reaches the whole project, and credits You", () => {
    const world = swarm();
    world.broadcast(null, "lunch");
    expect(reached(world)).toEqual(["release-captain", "feature-impl", "docs-writer", "listener"]);
    expect(new Set(world.trail().map((entry) => entry.from))).toEqual(new Set(["You"]));
    expect(world.toasts()).toEqual(["Swarm Broadcast from You"]);
  });

  test("that nobody can hear answers at once, and raises no toast", () => {
    const world = swarm();
    const sent = world.broadcast("elsewhere", "hello?");
    expect(sent.outcome()).toEqual({ kind: "broadcast", reached: [], holding: [], failed: [] });
    expect(world.toasts()).toEqual([]);
    expect(world.trail()).toEqual([]);
  });

  test("says whom it could not be typed into", () => {
    const world = swarm();
    const sent = world.broadcast("release-captain", "freeze at noon");
    world.typed("feature-impl");
    world.typed("listener");
    world.exits("docs-writer");
    expect(sent.outcome()).toMatchObject({ reached: ["feature-impl", "listener"], failed: ["docs-writer"] });
  });

  test("whose typing hangs on one terminal is answered by its deadline", () => {
    const world = swarm();
    const sent = world.broadcast("release-captain", "freeze at noon");
    world.typed("feature-impl");
    world.typed("listener");
    world.take({ kind: "typingUnknown", terminal: idOf("docs-writer"), delivery: deliveryId(`${sent.delivery}-2`) });
    world.after(58_000);
    expect(sent.outcome()).toMatchObject({ reached: ["feature-impl", "listener"], holding: ["docs-writer"] });
    const next = nextDeadline(world.state(), world.now());
    expect(next === null || next > world.now()).toBe(true);
  });
});
