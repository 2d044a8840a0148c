import { describe, expect, test } from "vitest";
import { deliveryId } from "../../../src/bus/ids.js";
import { given, idOf, type Sent, type World } from "../../support/bus.js";
import { verifies } from "../../support/verifies.js";

const NAME = "feature-impl";

const ready = (): World => {
  const world = given("test-architect", NAME);
  world.idle("test-architect", NAME);
  return world;
};
/** One message is in, its turn not yet seen. */
const sentOne = (world: World, wait = true) => {
  const sent = world.send("test-architect", NAME, "make them pass", { wait });
  world.typed(NAME);
  return sent;
};

describe("a turn", () => {
  verifies(
    ["peer:claude-full", "tool:send-message:waits-for-its-own-turn"],
    "answers the message that started it",
    () => {
      const world = ready();
      world.turnStarts(NAME, "t0", "a person's prompt");
      const sent = world.send("test-architect", NAME, "make them pass", { wait: true });
      world.stops(NAME, "t0", "not yours");
      world.after(400);
      world.typed(NAME);
      expect(world.agent(NAME).status).toBe("idle");
      world.turnStarts(NAME, "t1");
      expect(world.agent(NAME).status).toBe("working");
      world.stops(NAME, "t1", "GREEN");
      world.after(399);
      expect(sent.outcome()).toBeUndefined();
      world.after(1);
      expect(sent.outcome()).toEqual({ kind: "reply", to: NAME, text: "GREEN" });
      expect(world.agent(NAME).status).toBe("idle");
    },
  );

  test("ends at once when OSC says that the CLI is done", () => {
    const world = ready();
    const sent = sentOne(world);
    world.osc(NAME, "working");
    world.turnStarts(NAME, "t1");
    world.stops(NAME, "t1", "GREEN");
    world.osc(NAME, "done");
    expect(sent.outcome()).toMatchObject({ kind: "reply" });
  });

  test("that goes on after its Stop ends with its last one", () => {
    const world = ready();
    const sent = sentOne(world);
    world.turnStarts(NAME, "t1");
    world.stops(NAME, "t1", "half");
    world.after(300);
    world.sees(NAME, { kind: "turnContinued", cliTurn: "t1" });
    world.after(60_000);
    expect(world.entry(sent).status).toBe("Dispatched");
    world.sees(NAME, {
      kind: "turnStopped",
      cliTurn: "t1",
      end: { kind: "answered", text: "all" },
      subagentsRunning: false,
    });
    world.after(400);
    expect(world.entry(sent)).toMatchObject({ status: "Completed", response: "all" });
  });

  test("whose Stop comes before its prompt signal still answers its message", () => {
    for (const early of [false, true]) {
      const world = ready();
      const sent = sentOne(world);
      world.stops(NAME, "t1", "GREEN");
      if (early) world.after(400);
      world.turnStarts(NAME, "t1");
      world.after(400);
      expect(sent.outcome()).toEqual({ kind: "reply", to: NAME, text: "GREEN" });
      expect(world.agent(NAME)).toMatchObject({ status: "idle", taskTitle: "make them pass" });
    }
  });

  test("told of twice changes nothing the second time", () => {
    const world = ready();
    const sent = sentOne(world);
    for (let n = 0; n < 2; n += 1) world.turnStarts(NAME, "t1");
    for (let n = 0; n < 2; n += 1) world.stops(NAME, "t1", "GREEN");
    world.after(400);
    const before = world.entry(sent);
    world.turnStarts(NAME, "t1");
    world.sees(NAME, { kind: "toolEnded", tool: "x", autoApproved: false });
    world.after(5_000);
    expect(world.entry(sent)).toEqual(before);
    expect(world.agent(NAME).status).toBe("idle");
    expect(world.settled.get(sent.call)).toHaveLength(1);
  });

  test("is not opened again by a straggler once OSC says that the CLI rests", () => {
    const world = ready();
    sentOne(world);
    world.osc(NAME, "working");
    world.turnStarts(NAME, "t1");
    world.stops(NAME, "t1", "GREEN");
    world.osc(NAME, "done");
    world.after(50);
    world.sees(NAME, { kind: "turnContinued", cliTurn: "t1" });
    expect(world.agent(NAME).status).toBe("idle");
  });

  test("of one id that OSC opened again is over with its second Stop", () => {
    const world = ready();
    const sent = sentOne(world);
    world.osc(NAME, "working");
    world.turnStarts(NAME, "t1");
    world.osc(NAME, "idle");
    world.after(1_000);
    expect(world.entry(sent).notes).toEqual(["interrupted before it answered"]);
    world.osc(NAME, "working");
    world.after(2_000);
    world.sees(NAME, { kind: "turnContinued", cliTurn: "t1" });
    world.stops(NAME, "t1", "GREEN after all");
    world.osc(NAME, "done");
    world.after(5_000);
    expect(world.agent(NAME)).toMatchObject({ status: "idle", level: "full peer" });
    expect(world.entry(sent)).toMatchObject({ status: "Completed", response: "GREEN after all", notes: [] });
  });

  verifies("hazard:subagents-hold-turn", "is not over while its subagents run", () => {
    const world = ready();
    const sent = sentOne(world);
    world.turnStarts(NAME, "t1");
    world.stops(NAME, "t1", "started three agents", true);
    world.osc(NAME, "done");
    world.after(100_000);
    expect(world.agent(NAME)).toMatchObject({ status: "working", level: "full peer" });
    world.turnStarts(NAME, "t2", "<task-notification>", true);
    world.stops(NAME, "t2", "all three are through");
    world.after(400);
    expect(world.entry(sent)).toMatchObject({ status: "Completed", response: "all three are through" });
  });

  verifies(
    ["ending:interrupted", "hazard:interrupt-without-hook"],
    "that was interrupted without a hook ends 1 s after OSC idle",
    () => {
      const world = ready();
      const sent = sentOne(world);
      world.turnStarts(NAME, "t1");
      world.osc(NAME, "working");
      world.osc(NAME, "idle");
      world.after(999);
      expect(world.agent(NAME).status).toBe("working");
      world.after(1);
      expect(world.agent(NAME).status).toBe("idle");
      expect(world.entry(sent)).toMatchObject({ status: "Completed", notes: ["interrupted before it answered"] });
      expect(sent.outcome()).toMatchObject({ kind: "endedWithoutAnswer", how: "interrupted" });
      world.stops(NAME, "t1", "a late answer");
      expect(world.entry(sent)).toMatchObject({ status: "Completed", response: "a late answer", notes: [] });
      expect(world.settled.get(sent.call)).toHaveLength(1);
    },
  );

  verifies("ending:cleared", "of a conversation that was cleared completes with that note", () => {
    const world = ready();
    const sent = sentOne(world);
    world.turnStarts(NAME, "t1");
    world.stops(NAME, null, { kind: "cleared" });
    expect(world.entry(sent)).toMatchObject({ status: "Completed", notes: ["its session was cleared"] });
    expect(sent.outcome()).toMatchObject({ kind: "endedWithoutAnswer", how: "cleared" });
    world.take({ kind: "responseWritten", delivery: world.delivery(sent).id });
    const next = sentOne(world);
    world.turnStarts(NAME, "t2");
    world.sees(NAME, { kind: "ready", cliSession: "another", cleared: true });
    expect(world.entry(next)).toMatchObject({ status: "Completed", notes: ["its session was cleared"] });
  });

  verifies("ending:turn-failed", "that ended in a model error says so, and its sender hears it", () => {
    const world = ready();
    const sent = sentOne(world);
    world.turnStarts(NAME, "t1");
    world.stops(NAME, "t1", { kind: "failed", text: "529 overloaded" });
    world.after(400);
    expect(world.entry(sent)).toMatchObject({
      status: "Completed",
      notes: ["turn failed: 529 overloaded"],
      response: null,
    });
    expect(sent.outcome()).toMatchObject({ kind: "endedWithoutAnswer", how: "failed", detail: "529 overloaded" });
  });

  verifies("ending:joined", "that a message joined settles its wait 1.5 s after the end, without a reply", () => {
    const world = ready();
    const sent = sentOne(world);
    world.turnStarts(NAME, "t1", "a person's prompt");
    world.turnStarts(NAME, "t1");
    world.stops(NAME, "t1", "to the person");
    world.after(400 + 1_499);
    expect(sent.outcome()).toBeUndefined();
    world.after(1);
    expect(sent.outcome()).toMatchObject({ kind: "endedWithoutAnswer", how: "joined" });
    expect(world.entry(sent)).toMatchObject({
      status: "Completed",
      notes: ["joined a turn already running"],
      response: null,
    });
  });

  test("that begins within 1.5 s takes over the message that had joined", () => {
    const world = ready();
    const sent = sentOne(world);
    world.turnStarts(NAME, "t1", "a person's prompt");
    world.turnStarts(NAME, "t1");
    world.stops(NAME, "t1", "to the person");
    world.after(400 + 1_000);
    world.sees(NAME, { kind: "turnContinued", cliTurn: "t2" });
    world.after(10_000);
    expect(sent.outcome()).toBeUndefined();
    world.stops(NAME, "t2", "to the peer");
    world.after(400);
    expect(sent.outcome()).toEqual({ kind: "reply", to: NAME, text: "to the peer" });
  });

  describe("that the CLI is still about the end of", () => {
    /** The answer is told, the next message is typed, and the CLI keeps it: under the id of the turn before. */
    const typedBehind = (text = "next", again = false): { readonly world: World; readonly sent: Sent } => {
      const world = ready();
      const first = sentOne(world, true);
      world.turnStarts(NAME, "t1");
      world.stops(NAME, "t1", "the first answer");
      world.after(400);
      expect(first.outcome()).toMatchObject({ text: "the first answer" });
      world.take({ kind: "responseWritten", delivery: deliveryId(first.delivery) });
      const sent = world.send("test-architect", NAME, text, { wait: true });
      world.typed(NAME);
      const prompt = world.pastes(NAME).at(-1)!;
      world.sees(NAME, { kind: "turnStarted", cliTurn: "t1", prompt, automatic: false, ...(again ? { again } : {}) });
      return { world, sent };
    };

    verifies("tool:send-message:waits-for-its-own-turn", "does not answer a message that was typed after it", () => {
      const { world, sent } = typedBehind();
      expect(world.agent(NAME)).toMatchObject({ status: "working", taskTitle: "next" });
      world.after(10_000);
      expect(sent.outcome()).toBeUndefined();
      world.osc(NAME, "working");
      world.stops(NAME, "t2", "the second answer");
      world.after(400);
      expect(sent.outcome()).toEqual({ kind: "reply", to: NAME, text: "the second answer" });
    });

    test("does not answer one with the same words either", () => {
      const { world, sent } = typedBehind("make them pass", true);
      expect(world.delivery(sent).state).toBe("confirmed");
      world.stops(NAME, "t2", "the second answer");
      world.after(400);
      expect(sent.outcome()).toMatchObject({ text: "the second answer" });
    });

    test("leaves the message its turn when that is announced after all", () => {
      const { world, sent } = typedBehind();
      world.turnStarts(NAME, "t2");
      expect(world.terminal(NAME).turn).toMatchObject({ cliTurns: ["t2"], cause: "delivery" });
      world.stops(NAME, "t2", "the second answer");
      world.after(400);
      expect(sent.outcome()).toMatchObject({ text: "the second answer" });
    });

    test("may say so after the turn that the message got, over or not", () => {
      for (const wait of [0, 400]) {
        const world = ready();
        sentOne(world);
        world.turnStarts(NAME, "t1");
        world.stops(NAME, "t1", "the first answer");
        world.after(400);
        const sent = world.send("test-architect", NAME, "next", { wait: true });
        world.typed(NAME);
        world.stops(NAME, "t2", "the second answer");
        world.after(wait);
        world.turnStarts(NAME, "t1", world.pastes(NAME).at(-1)!);
        world.after(400);
        expect(sent.outcome()).toMatchObject({ text: "the second answer" });
      }
    });

    test("keeps its answer when its own prompt is told of once more", () => {
      const world = ready();
      sentOne(world);
      world.turnStarts(NAME, "t1");
      const prompt = world.pastes(NAME).at(-1)!;
      world.stops(NAME, "t1", "the first answer");
      world.after(400);
      world.sees(NAME, { kind: "turnStarted", cliTurn: "t1", prompt, automatic: false, again: true });
      expect(world.agent(NAME).status).toBe("idle");
    });
  });

  test("of another prompt, come and gone at once, does not make a joined message hang", () => {
    const world = ready();
    const sent = sentOne(world, false);
    world.turnStarts(NAME, "t1", "a person's prompt");
    world.turnStarts(NAME, "t1");
    world.stops(NAME, "t1", "to the person");
    world.after(400);
    world.turnStarts(NAME, "t2", "the person again");
    world.stops(NAME, "t2", "again");
    world.after(400);
    world.after(1_500);
    expect(world.entry(sent)).toMatchObject({ status: "Completed", notes: ["joined a turn already running"] });
  });

  test("that only OSC tells of opens after 2 s and holds the queue", () => {
    const world = ready();
    world.osc(NAME, "working");
    world.after(1_999);
    expect(world.agent(NAME).status).toBe("idle");
    world.after(1);
    expect(world.agent(NAME).status).toBe("working");
    const sent = world.send("test-architect", NAME, "hello");
    expect(world.entry(sent).status).toBe("Queued");
    world.osc(NAME, "done");
    expect(world.pastes(NAME)).toHaveLength(1);
  });

  test("that OSC saw working for 10 s after our Enter without a prompt signal loses the reporter", () => {
    const world = ready();
    const sent = sentOne(world);
    world.osc(NAME, "working");
    world.after(9_999);
    expect(world.agent(NAME).level).toBe("full peer");
    world.after(1);
    expect(world.agent(NAME)).toMatchObject({ level: "listener", status: "unknown" });
    expect(sent.outcome()).toEqual({ kind: "reporterLost", to: NAME, remedy: "relaunch with the bridge" });
    world.after(20_000);
    expect(world.entry(sent)).toMatchObject({ status: "Dispatched", timer: { kind: "none" } });
    world.send("test-architect", NAME, "next");
    expect(world.pastes(NAME)).toHaveLength(1);
    world.osc(NAME, "done");
    expect(world.pastes(NAME)).toHaveLength(2);
  });

  test("that OSC called done without an end signal for 3 s loses the reporter", () => {
    const world = ready();
    const sent = sentOne(world);
    world.osc(NAME, "working");
    world.turnStarts(NAME, "t1");
    world.osc(NAME, "done");
    world.after(2_999);
    expect(world.agent(NAME).status).toBe("working");
    world.after(1);
    expect(world.agent(NAME)).toMatchObject({ level: "listener", status: "unknown" });
    expect(world.entry(sent)).toMatchObject({ status: "Completed", notes: ["its turn's end was not reported"] });
    world.turnStarts(NAME, "t2", "a person's prompt");
    expect(world.agent(NAME)).toMatchObject({ level: "full peer", status: "working" });
  });

  verifies("hazard:no-event-trusted-forever", "without a sign for 120 s is looked into, and else Unknown", () => {
    const world = ready();
    sentOne(world);
    world.turnStarts(NAME, "t1");
    world.after(119_999);
    const resyncs = () => world.effects.filter((effect) => effect.kind === "resync").length;
    expect(resyncs()).toBe(0);
    world.after(1);
    expect(resyncs()).toBe(1);
    world.sees(NAME, { kind: "resyncFailed" });
    expect(world.agent(NAME).status).toBe("unknown");
    const sent = world.send("test-architect", NAME, "hello");
    expect(world.entry(sent).status).toBe("Queued");
    world.sees(NAME, { kind: "registryStatus", state: "idle", text: "", lastEnd: { kind: "answered", text: "GREEN" } });
    expect(world.agent(NAME).status).toBe("idle");
    expect(world.pastes(NAME)).toHaveLength(2);
  });

  verifies("hazard:answer-text-changes-nothing", "is not ended or begun by anything that is printed", () => {
    const world = ready();
    const before = world.agent(NAME);
    world.take({ kind: "outputSeen", terminal: idOf(NAME) });
    world.take({ kind: "lineSeen", terminal: idOf(NAME), hold: null });
    expect(world.agent(NAME)).toEqual(before);
    world.turnStarts(NAME, "t1", "a person's prompt");
    for (let n = 0; n < 5; n += 1) world.take({ kind: "outputSeen", terminal: idOf(NAME) });
    expect(world.agent(NAME).status).toBe("working");
  });

  test("that ended just before its CLI exited keeps its answer", () => {
    const world = ready();
    const sent = sentOne(world);
    world.turnStarts(NAME, "t1");
    world.stops(NAME, "t1", "GREEN");
    world.exits(NAME);
    expect(sent.outcome()).toEqual({ kind: "reply", to: NAME, text: "GREEN" });
    expect(world.entry(sent).status).toBe("Completed");
  });
});

describe("the task of a terminal", () => {
  verifies(
    ["task:first-line-of-latest-prompt", "task:without-peer-header", "task:code-points"],
    "is the first line of the prompt of its latest turn, cut to 32 code points",
    () => {
      const world = ready();
      expect(world.agent(NAME).taskTitle).toBe(null);
      sentOne(world);
      world.turnStarts(NAME, "t1");
      expect(world.agent(NAME).taskTitle).toBe("make them pass");
      world.turnStarts(NAME, "t2", `${"🎉".repeat(40)}\nsecond line`);
      expect(world.agent(NAME).taskTitle).toBe("🎉".repeat(32));
    },
  );

  verifies("task:unwrapped", "is not set by a prompt of the CLI itself", () => {
    const world = ready();
    world.turnStarts(NAME, "t1", "Write the UserProfile type");
    world.stops(NAME, "t1", "done");
    world.after(400);
    world.turnStarts(NAME, "t2", "<task-notification>x</task-notification>", true);
    expect(world.agent(NAME).taskTitle).toBe("Write the UserProfile type");
  });

  verifies("tool:subagents-ignored", "stands beside the tool that runs, the last one that began", () => {
    const world = ready();
    world.turnStarts(NAME, "t1", "a person's prompt");
    world.sees(NAME, { kind: "toolStarted", tool: "1", name: "Bash" });
    world.sees(NAME, { kind: "toolStarted", tool: "2", name: "Read" });
    expect(world.agent(NAME).currentTool).toBe("Read");
    world.sees(NAME, { kind: "toolEnded", tool: "2", autoApproved: true });
    world.sees(NAME, { kind: "toolEnded", tool: "2", autoApproved: true });
    world.sees(NAME, { kind: "toolStarted", tool: "2", name: "Read" });
    expect(world.agent(NAME)).toMatchObject({ currentTool: "Bash", autoApproved: 1 });
    world.stops(NAME, "t1", "done");
    world.after(400);
    expect(world.agent(NAME).currentTool).toBe(null);
  });
});
