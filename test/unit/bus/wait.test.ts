import { describe, expect, test } from "vitest";
import { nextDeadline } from "../../../src/bus/deadlines.js";
import { callId } from "../../../src/bus/ids.js";
import { given, idOf, type World } from "../../support/bus.js";
import { verifies } from "../../support/verifies.js";

const ready = (): World => {
  const world = given("test-architect", "feature-impl", "reviewer", { name: "listener", like: "listener" });
  world.idle("test-architect", "feature-impl", "reviewer");
  return world;
};

describe("a wait", () => {
  verifies("file-mailbox:reply-is-the-result", "ends with the answer, when that comes in time", () => {
    const world = ready();
    const sent = world.send("test-architect", "feature-impl", "what is 6 x 7?", { wait: true });
    world.typed("feature-impl");
    expect(sent.outcome()).toBeUndefined();
    world.answers("feature-impl", "t1", "42");
    expect(sent.outcome()).toEqual({ kind: "reply", to: "feature-impl", text: "42" });
    expect(world.entry(sent)).toMatchObject({ label: "Reply:", response: "42" });
  });

  verifies(
    ["wait:at-most-60s-from-call", "tool:send-message:time-includes-queue"],
    "is over 58 s after its call, the time in the queue included",
    () => {
      const world = ready();
      world.turnStarts("feature-impl", "t1", "a person's prompt");
      const sent = world.send("test-architect", "feature-impl", "hello", { wait: true });
      world.after(50_000);
      world.stops("feature-impl", "t1", "done");
      world.after(400);
      world.typed("feature-impl");
      world.turnStarts("feature-impl", "t2");
      world.after(7_599);
      expect(sent.outcome()).toBeUndefined();
      world.after(1);
      expect(sent.outcome()).toEqual({ kind: "stillWorking", to: "feature-impl" });
    },
  );

  verifies(
    [
      "wait:run-out-notes-the-trail",
      "wait:late-answer-fills-the-trail",
      "wait:late-answer-is-not-sent",
      "trail:label-late-answer",
    ],
    "that ran out notes the trail, which the late answer fills in; its sender gets none",
    () => {
      const world = ready();
      const dispatched = world.send("test-architect", "feature-impl", "hello", { wait: true });
      const queued = world.send("reviewer", "feature-impl", "hello", { wait: true });
      world.typed("feature-impl");
      world.turnStarts("feature-impl", "t1");
      world.after(58_000);
      expect(queued.outcome()).toEqual({ kind: "stillQueued", to: "feature-impl", circle: [] });
      expect(world.entry(dispatched)).toMatchObject({ status: "Dispatched", notes: ["No reply within 60s"] });
      expect(world.entry(queued)).toMatchObject({ status: "Queued", notes: ["No reply within 60s"] });
      world.after(120_000);
      world.sees("feature-impl", { kind: "turnContinued", cliTurn: "t1" });
      world.stops("feature-impl", "t1", "at last");
      world.after(400);
      expect(world.entry(dispatched)).toMatchObject({ status: "Completed", response: "at last", label: "Answer:" });
      for (const sent of [dispatched, queued]) expect(world.settled.get(sent.call)).toHaveLength(1);
    },
  );

  verifies(
    ["wait:never-on-who-cannot-reply", "wait:listener-suggests-file-mailbox", "peer:any-can-be-messaged"],
    "never runs on a listener, which gets the message all the same",
    () => {
      const world = ready();
      const sent = world.send("test-architect", "listener", "hello", { wait: true });
      world.typed("listener");
      expect(sent.outcome()).toEqual({ kind: "cannotReply", to: "listener", remedy: "file mailbox", queued: false });
      expect(world.entry(sent).status).toBe("Dispatched");
    },
  );

  verifies(
    "wait:silent-plugin-gives-remedy",
    "never runs on a terminal whose plugin is silent, and names the cure",
    () => {
      const world = given("test-architect", "feature-impl");
      world.idle("test-architect");
      world.prints("feature-impl");
      world.after(30_000);
      const sent = world.send("test-architect", "feature-impl", "hello", { wait: true });
      world.typed("feature-impl");
      expect(sent.outcome()).toMatchObject({ kind: "cannotReply", remedy: "relaunch with the bridge" });
    },
  );

  verifies(
    "wait:ends-when-plugin-is-lost",
    "that runs ends when its terminal turns Unknown, not before the text is in",
    () => {
      const world = given("test-architect", "feature-impl");
      world.idle("test-architect");
      world.prints("feature-impl");
      const sent = world.send("test-architect", "feature-impl", "hello", { wait: true });
      world.after(30_000);
      expect(world.agent("feature-impl").status).toBe("unknown");
      expect(sent.outcome()).toBeUndefined();
      world.typed("feature-impl");
      expect(sent.outcome()).toEqual({ kind: "reporterLost", to: "feature-impl", remedy: "relaunch with the bridge" });
    },
  );

  verifies("wait:ends-when-target-exits", "ends when its target exits, wherever the message is", () => {
    for (const steps of [0, 1, 2]) {
      const world = ready();
      if (steps === 0) world.turnStarts("feature-impl", "t1", "a person's prompt");
      const sent = world.send("test-architect", "feature-impl", "hello", { wait: true });
      if (steps === 2) world.typed("feature-impl");
      world.exits("feature-impl");
      expect(sent.outcome()).toEqual({ kind: "targetExited", to: "feature-impl" });
    }
  });

  verifies("wait:settles-once", "is settled once, whatever happens together", () => {
    const world = ready();
    const sent = world.send("test-architect", "feature-impl", "hello", { wait: true });
    world.typed("feature-impl");
    world.turnStarts("feature-impl", "t1");
    world.stops("feature-impl", "t1", "done");
    world.passes(58_000);
    world.take({ kind: "alarm" });
    world.exits("feature-impl");
    world.take({ kind: "callerGone", call: callId(sent.call) });
    world.after(100_000);
    expect(world.settled.get(sent.call)).toHaveLength(1);
  });

  verifies("wait:caller-gone-keeps-delivery", "ends when its caller hangs up or exits; the delivery goes on", () => {
    const world = ready();
    const sent = world.send("test-architect", "feature-impl", "one", { wait: true });
    world.typed("feature-impl");
    world.take({ kind: "callerGone", call: callId(sent.call) });
    expect(world.state().waits.size).toBe(0);
    const other = world.send("reviewer", "feature-impl", "two", { wait: true });
    world.exits("reviewer");
    expect(other.outcome()).toEqual({ kind: "abandoned" });
    expect(world.state().waits.size).toBe(0);
    world.answers("feature-impl", "t1", "did one");
    world.typed("feature-impl");
    world.answers("feature-impl", "t2", "did two");
    expect([sent, other].map((one) => world.entry(one).response)).toEqual(["did one", "did two"]);
    expect(world.settled.get(sent.call)).toBeUndefined();
  });

  verifies("wait:circle", "that would close a circle of waits is answered at once, naming the circle", () => {
    const world = ready();
    const ring = ["test-architect", "feature-impl", "reviewer"];
    world.send("test-architect", "feature-impl", "a", { wait: true });
    world.typed("feature-impl");
    world.turnStarts("feature-impl", "t1");
    world.send("feature-impl", "reviewer", "b", { wait: true });
    world.typed("reviewer");
    world.turnStarts("reviewer", "t1");
    world.turnStarts("test-architect", "t1", "a person's prompt");
    const last = world.send("reviewer", "test-architect", "c", { wait: true });
    expect(last.outcome()).toEqual({
      kind: "stillQueued",
      to: "test-architect",
      circle: ["reviewer", "test-architect", "feature-impl", "reviewer"],
    });
    expect(new Set(ring).size).toBe(3);
    // Its message waits; no 60 s have passed, and nobody waits for the answer.
    expect(world.entry(last)).toMatchObject({ status: "Queued", notes: [], label: "Answer:" });
    world.stops("test-architect", "t1", "done");
    world.after(400);
    expect(world.pastes("test-architect")).toHaveLength(1);
  });

  verifies(
    [
      "tool:send-message:no-wait-answers-on-delivery",
      "file-mailbox:no-wait-for-the-rest",
      "send:free-target-after-enter",
    ],
    "that nobody asked for ends once text and Enter are in",
    () => {
      const world = ready();
      const sent = world.send("test-architect", "feature-impl", "write bench.md");
      expect(sent.outcome()).toBeUndefined();
      world.take({ kind: "pasted", terminal: idOf("feature-impl"), delivery: world.delivery(sent).id });
      expect(sent.outcome()).toBeUndefined();
      world.take({ kind: "entered", terminal: idOf("feature-impl"), delivery: world.delivery(sent).id });
      expect(sent.outcome()).toEqual({ kind: "dispatched", to: "feature-impl" });
      world.turnStarts("feature-impl", "t1");
      for (let minute = 0; minute < 30; minute += 1) {
        world.after(60_000);
        world.sees("feature-impl", { kind: "turnContinued", cliTurn: "t1" });
      }
      expect(world.entry(sent)).toMatchObject({ status: "Dispatched", notes: [] });
    },
  );

  verifies("send:busy-target-after-durable", "that nobody asked for ends at once when the message is queued", () => {
    const world = ready();
    world.turnStarts("feature-impl", "t1", "a person's prompt");
    const sent = world.send("test-architect", "feature-impl", "hello");
    expect(sent.outcome()).toMatchObject({ kind: "queued" });
    expect(world.facts.some((fact) => fact.kind === "deliveryAccepted" && fact.delivery.id === sent.delivery)).toBe(
      true,
    );
  });

  test("for typing that tmux does not answer about ends by its deadline", () => {
    const world = ready();
    const sent = world.send("test-architect", "feature-impl", "hello");
    world.take({ kind: "typingUnknown", terminal: idOf("feature-impl"), delivery: world.delivery(sent).id });
    world.after(58_000);
    expect(sent.outcome()).toMatchObject({ kind: "stillWorking" });
    expect(nextDeadline(world.state(), world.now())).toBe(null);
  });

  verifies("file-mailbox:status-can-be-polled", "is not needed to see a peer work through its job", () => {
    const world = ready();
    world.send("test-architect", "feature-impl", "write bench.md");
    world.typed("feature-impl");
    world.turnStarts("feature-impl", "t1");
    for (let n = 0; n < 8; n += 1) {
      world.after(14_000);
      expect(world.agent("feature-impl").status).toBe("working");
    }
    world.stops("feature-impl", "t1", "");
    world.after(400);
    expect(world.agent("feature-impl").status).toBe("idle");
  });
});

describe("the same call again", () => {
  verifies(
    ["send:repeat-joins-the-first", "hazard:retry-recognised"],
    "is the same message, while the first waits or was not answered",
    () => {
      const world = ready();
      world.turnStarts("feature-impl", "t1", "a person's prompt");
      const first = world.send("test-architect", "feature-impl", "hello", { wait: true });
      world.after(30_000);
      world.take({ kind: "callerGone", call: callId(first.call) });
      const again = world.send("test-architect", "feature-impl", "hello", { wait: true });
      expect(world.trail()).toHaveLength(1);
      world.stops("feature-impl", "t1", "done");
      world.after(400);
      world.typed("feature-impl");
      const third = world.send("test-architect", "feature-impl", "hello", { wait: true });
      world.answers("feature-impl", "t2", "hello yourself");
      for (const sent of [again, third])
        expect(sent.outcome()).toMatchObject({ kind: "reply", text: "hello yourself" });
      expect(world.pastes("feature-impl")).toHaveLength(1);
      const late = world.send("test-architect", "feature-impl", "hello", { wait: true });
      expect(late.outcome()).toMatchObject({ kind: "reply", text: "hello yourself" });
      expect(world.trail()).toHaveLength(1);
    },
  );

  test("is the same message while the first is queued, though its answer was written", () => {
    const world = ready();
    world.turnStarts("feature-impl", "t1", "a person's prompt");
    const first = world.send("test-architect", "feature-impl", "hello");
    world.take({ kind: "responseWritten", delivery: world.delivery(first).id });
    expect(world.send("test-architect", "feature-impl", "hello").outcome()).toMatchObject({ kind: "queued" });
    expect(world.trail()).toHaveLength(1);
  });

  verifies("send:repeat-after-answer-is-new", "is another message once its answer was written, or after 120 s", () => {
    const world = ready();
    const first = world.send("test-architect", "feature-impl", "hello");
    world.typed("feature-impl");
    world.take({ kind: "responseWritten", delivery: world.delivery(first).id });
    world.answers("feature-impl", "t1", "hi");
    world.send("test-architect", "feature-impl", "hello");
    world.typed("feature-impl");
    world.answers("feature-impl", "t2", "hi");
    world.after(120_001);
    world.send("test-architect", "feature-impl", "hello");
    expect(world.pastes("feature-impl")).toHaveLength(3);
  });

  test("of another caller, to another target or with other words is another message", () => {
    const world = ready();
    world.send("test-architect", "feature-impl", "hello");
    world.send("reviewer", "feature-impl", "hello");
    world.send("test-architect", "reviewer", "hello");
    world.send("test-architect", "feature-impl", "hello!");
    world.say("feature-impl", "hello");
    world.say("feature-impl", "hello");
    expect(world.trail()).toHaveLength(6);
  });

  test("about a message that failed meanwhile says that it failed", () => {
    const world = ready();
    const first = world.send("test-architect", "feature-impl", "hello");
    world.typed("feature-impl");
    world.exits("feature-impl");
    expect(first.outcome()).toMatchObject({ kind: "dispatched" });
    expect(world.entry(first).status).toBe("Failed");
    const other = ready();
    other.send("test-architect", "feature-impl", "hello");
    other.typed("feature-impl");
    other.after(15_000);
    const delivery = other.delivery("d1").id;
    other.take({ kind: "evidenceCaptured", delivery, screen: "> hello", onLine: true });
    expect(other.send("test-architect", "feature-impl", "hello").outcome()).toMatchObject({ kind: "deliveryFailed" });
  });
});
