import { describe, expect, test } from "vitest";
import { trailViews } from "../../../src/bus/trail.js";
import { given, idOf, START, type World } from "../../support/bus.js";
import { verifies } from "../../support/verifies.js";

const ready = (): World => {
  const world = given("test-architect", "feature-impl", { name: "listener", like: "listener" });
  world.idle("test-architect", "feature-impl");
  return world;
};

describe("the trail", () => {
  verifies(
    ["trail:newest-first", "trail:every-message"],
    "lists every message, the newest first, whoever sent it",
    () => {
      const world = ready();
      world.send("test-architect", "feature-impl", "one");
      world.say("feature-impl", "two");
      world.say("feature-impl", "three", { as: "test-architect" });
      world.broadcast("test-architect", "four");
      expect(world.trail().map((entry) => [entry.from, entry.text])).toEqual([
        ["test-architect", "four"],
        ["test-architect", "four"],
        ["test-architect via You", "three"],
        ["You", "two"],
        ["test-architect", "one"],
      ]);
      const page = trailViews(world.state(), 2);
      expect(trailViews(world.state(), 2, page.at(-1)!.id).map((entry) => entry.text)).toEqual(["three", "two"]);
    },
  );

  verifies(
    [
      "trail:statuses",
      "trail:queued-has-no-timer",
      "trail:timer-counts-from-delivery",
      "trail:completed-shows-turn-time",
      "trail:reply-fills-in",
    ],
    "shows Queued, then Dispatched counting from the delivery, then Completed with the turn's time",
    () => {
      const world = ready();
      world.turnStarts("feature-impl", "t1", "a person's prompt");
      const sent = world.send("test-architect", "feature-impl", "hello", { wait: true });
      expect(world.entry(sent)).toMatchObject({ status: "Queued", timer: { kind: "none" }, typedAt: null });
      world.after(10_000);
      world.stops("feature-impl", "t1", "done");
      world.after(400);
      world.typed("feature-impl");
      expect(world.entry(sent)).toMatchObject({
        status: "Dispatched",
        timer: { kind: "counting", since: START + 10_400 },
      });
      world.after(1_000);
      world.turnStarts("feature-impl", "t2");
      world.after(5_000);
      world.stops("feature-impl", "t2", "hi");
      world.after(400);
      expect(world.entry(sent)).toMatchObject({
        status: "Completed",
        timer: { kind: "took", ms: 5_400 },
        response: "hi",
      });
    },
  );

  verifies(
    ["trail:joins-when-typed-or-queued", "trail:waited-shows-on-delivery"],
    "has a message as soon as it is typed or waits, a reply or not",
    () => {
      const world = ready();
      const typed = world.send("test-architect", "feature-impl", "one", { wait: true });
      world.typed("feature-impl");
      expect(world.entry(typed)).toMatchObject({ status: "Dispatched", response: null });
      const queued = world.send("test-architect", "feature-impl", "two", { wait: true });
      expect(world.entry(queued)).toMatchObject({ status: "Queued", response: null });
    },
  );

  verifies("trail:toast-when-typed", "raises a message's toast when it is typed, not when it is queued", () => {
    const world = ready();
    world.turnStarts("feature-impl", "t1", "a person's prompt");
    world.say("feature-impl", "hello");
    expect(world.toasts()).toEqual([]);
    world.stops("feature-impl", "t1", "done");
    world.after(400);
    expect(world.toasts()).toEqual([]);
    world.typed("feature-impl");
    expect(world.toasts()).toEqual(["Message from You to feature-impl"]);
  });

  verifies("trail:blind-has-no-timer", "shows no timer for a peer whose turn end cannot be seen", () => {
    const world = ready();
    const sent = world.send("test-architect", "listener", "hello");
    world.typed("listener");
    world.after(60_000);
    expect(world.entry(sent)).toMatchObject({ status: "Dispatched", timer: { kind: "none" }, notes: [] });
  });

  verifies(
    ["trail:label-reply", "trail:label-answer", "person:labels"],
    "labels a response by whether anyone waited",
    () => {
      const world = ready();
      const label = (wait: boolean, speaker: "agent" | "person") =>
        world.entry(
          speaker === "agent"
            ? world.send("test-architect", "feature-impl", `x ${wait}`, { wait })
            : world.say("feature-impl", `y ${wait}`, { wait }),
        ).label;
      expect([label(true, "agent"), label(false, "agent")]).toEqual(["Reply:", "Answer:"]);
      // The screen asks for the reply, `quay send` without --wait does not.
      expect([label(true, "person"), label(false, "person")]).toEqual(["Reply:", "Answer:"]);
      const notice = world.broadcast("test-architect", "z");
      expect(world.entry(`${notice.delivery}-1`).label).toBe("Answer:");
    },
  );

  test("labels a late response to a person's message Reply: as well", () => {
    const world = ready();
    const sent = world.say("feature-impl", "hello", { wait: true });
    world.typed("feature-impl");
    world.turnStarts("feature-impl", "t1");
    world.after(60_000);
    world.stops("feature-impl", "t1", "hi");
    world.after(400);
    expect(world.entry(sent)).toMatchObject({ label: "Reply:", response: "hi" });
  });

  verifies(
    ["person:as-agent", "mission-control:send-as-you", "person:no-prefix"],
    "credits You, or an agent via You; only the agent gives a header",
    () => {
      const world = ready();
      expect(world.entry(world.say("feature-impl", "plain")).from).toBe("You");
      world.typed("feature-impl");
      world.answers("feature-impl", "t1", "");
      expect(world.entry(world.say("feature-impl", "as one", { as: "test-architect" })).from).toBe(
        "test-architect via You",
      );
      expect(world.pastes("feature-impl")).toEqual(["plain", "[Peer agent (test-architect)]: as one"]);
    },
  );

  verifies("mission-control:listener-tag", "stands beside a list that says who is a listener, and why", () => {
    const world = ready();
    expect(world.agent("listener")).toMatchObject({ level: "listener", demoted: null });
    world.launches("silent");
    world.prints("silent");
    world.after(30_000);
    const { level, fullLevel, demoted } = world.agent("silent");
    expect([level, fullLevel]).toEqual(["listener", "full peer"]);
    expect(demoted).toContain("event bridge is not reporting");
    expect(world.agent("feature-impl").demoted).toBe(null);
  });

  test("keeps its entries when their terminal is forgotten", () => {
    const world = ready();
    const sent = world.send("test-architect", "feature-impl", "hello");
    world.exits("feature-impl");
    world.take({ kind: "terminalForgotten", terminal: idOf("feature-impl") });
    expect(world.entry(sent)).toMatchObject({ to: "feature-impl", status: "Failed" });
  });
});
