/** A CLI whose bridge tells how turns end and nothing else: OSC says that it is ready, and that a turn began. */
import { describe, expect, test } from "vitest";
import { given, type World } from "../../support/bus.js";
import { verifies } from "../../support/verifies.js";

const NAME = "reviewer";
const ready = (world: World): void => {
  world.prints(NAME);
  world.sees(NAME, { kind: "ready", cliSession: null, cleared: false });
};
const begin = (): World => {
  const world = given("asker", { name: NAME, like: "endsOnly" });
  world.idle("asker");
  ready(world);
  return world;
};
const resyncs = (world: World): number => world.effects.filter((effect) => effect.kind === "resync").length;
const record = (world: World, state: "idle" | "busy"): void =>
  world.sees(NAME, { kind: "registryStatus", state, text: "", lastEnd: null });

describe("ready", () => {
  verifies("peer:codex-full", "by OSC's word alone, and a full peer from then on", () => {
    const world = begin();
    expect(world.agent(NAME)).toMatchObject({ status: "idle", level: "full peer" });
    world.after(60_000);
    expect(world.agent(NAME)).toMatchObject({ status: "idle", level: "full peer" });
    expect(world.terminal(NAME).cliSession).toBeNull();
    world.sees(NAME, { kind: "ready", cliSession: "s1", cleared: false });
    ready(world);
    expect(world.terminal(NAME).cliSession).toBe("s1");
  });

  verifies("codex:listener-while-unheard", "never said within the grace makes it a listener, typed at once", () => {
    const world = given("asker", { name: NAME, like: "endsOnly" });
    world.idle("asker");
    world.prints(NAME);
    world.after(30_000);
    expect(world.agent(NAME)).toMatchObject({ status: "unknown", level: "listener" });
    const sent = world.send("asker", NAME, "hello", { wait: true });
    world.typed(NAME);
    expect(sent.outcome()).toMatchObject({ kind: "cannotReply", remedy: "file mailbox" });
  });

  test("by OSC alone is nothing for a CLI whose bridge says so itself", () => {
    const world = given({ name: NAME, like: "claude" });
    ready(world);
    expect(world.agent(NAME).status).toBe("starting");
    world.after(30_000);
    expect(world.agent(NAME).status).toBe("unknown");
  });
});

describe("a turn", () => {
  test("is working from OSC's word on, and nothing is typed then", () => {
    const world = begin();
    world.osc(NAME, "working");
    expect(world.agent(NAME).status).toBe("working");
    const sent = world.send("asker", NAME, "later");
    expect(world.entry(sent).status).toBe("Queued");
    world.osc(NAME, "done");
    expect(world.pastes(NAME)).toHaveLength(1);
  });

  verifies(
    ["deliver:codex-between-turns", "peer:codex-full"],
    "of a message that only OSC saw begin: no contradiction, and the answer goes to the sender",
    () => {
      const world = begin();
      const sent = world.send("asker", NAME, "make them pass", { wait: true });
      world.typed(NAME);
      world.osc(NAME, "working");
      world.after(40_000);
      expect(world.agent(NAME)).toMatchObject({ status: "working", level: "full peer" });
      expect(world.entry(sent)).toMatchObject({ status: "Dispatched", notes: [] });
      world.osc(NAME, "done");
      // The bridge tells of the whole turn at its end.
      world.turnStarts(NAME, "t1");
      world.stops(NAME, "t1", "GREEN");
      expect(sent.outcome()).toMatchObject({ kind: "reply", text: "GREEN" });
      expect(world.agent(NAME).status).toBe("idle");
    },
  );

  test("that never began leaves a message unconfirmed after 15 s, as ever", () => {
    const world = begin();
    const sent = world.send("asker", NAME, "hello");
    world.typed(NAME);
    world.after(15_000);
    expect(world.entry(sent).notes).toEqual(["typed, no sign that it was submitted"]);
  });

  verifies(
    "deliver:codex-not-answered-by-persons-turn",
    "of the person's into which a message got is no answer to it",
    () => {
      const world = begin();
      const sent = world.send("asker", NAME, "hello", { wait: true });
      // The person's Enter came first: OSC says so only after ours.
      world.typed(NAME);
      world.osc(NAME, "working");
      world.after(5_000);
      world.turnStarts(NAME, "t1", "what the person typed");
      world.turnStarts(NAME, "t1");
      world.stops(NAME, "t1", "an answer to the person");
      world.osc(NAME, "done");
      world.after(1_500);
      expect(sent.outcome()).toMatchObject({ kind: "endedWithoutAnswer", how: "joined" });
      expect(world.entry(sent).response).toBeNull();
    },
  );

  test("that is told of late is not the turn of a message that came after it", () => {
    const world = begin();
    const before = world.now() - 1;
    const sent = world.send("asker", NAME, "ping", { wait: true });
    world.typed(NAME);
    const prompt = world.pastes(NAME).at(-1)!;
    world.sees(NAME, { kind: "turnStarted", cliTurn: "old", prompt, automatic: false, at: before });
    world.stops(NAME, "old", "an old answer");
    world.after(400);
    expect(sent.outcome()).toBeUndefined();
    world.sees(NAME, { kind: "turnStarted", cliTurn: "new", prompt, automatic: false, at: world.now() });
    world.stops(NAME, "new", "pong");
    world.after(400);
    expect(sent.outcome()).toMatchObject({ kind: "reply", text: "pong" });
  });
});

describe("an end that OSC alone tells of", () => {
  const working = () => {
    const world = begin();
    const sent = world.send("asker", NAME, "hello", { wait: true });
    world.typed(NAME);
    world.turnStarts(NAME, "t1");
    world.osc(NAME, "working");
    world.osc(NAME, "done");
    world.after(3_000);
    return { world, sent };
  };

  verifies("codex:lost-helper-call", "is made good by what the record says of that turn", () => {
    const { world, sent } = working();
    expect([resyncs(world), sent.outcome()]).toEqual([1, undefined]);
    world.stops(NAME, "t1", "a very long answer");
    record(world, "idle");
    expect(sent.outcome()).toMatchObject({ kind: "reply", text: "a very long answer" });
    expect(world.agent(NAME)).toMatchObject({ status: "idle", level: "full peer" });
  });

  verifies("codex:osc-is-held-against-record", "was forged when the record says that the turn runs", () => {
    const { world, sent } = working();
    record(world, "busy");
    world.after(20_000);
    expect(sent.outcome()).toBeUndefined();
    expect(world.agent(NAME)).toMatchObject({ status: "working", level: "full peer" });
  });

  verifies(
    "codex:listener-while-unheard",
    "that no record explains makes the bridge lost: OSC alone does not bring it back",
    () => {
      const { world, sent } = working();
      world.sees(NAME, { kind: "resyncFailed" });
      expect(sent.outcome()).toMatchObject({ kind: "endedWithoutAnswer", how: "lost" });
      expect(world.agent(NAME)).toMatchObject({ status: "unknown", level: "listener" });
      ready(world);
      expect(world.agent(NAME).level).toBe("listener");
      world.stops(NAME, "t1", "heard again");
      expect(world.agent(NAME).level).toBe("full peer");
    },
  );
});
