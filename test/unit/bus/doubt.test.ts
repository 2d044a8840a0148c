/** An end that only OSC tells of is held against the CLI's own registry, since a `cat` can forge OSC. */
import { describe, expect, test } from "vitest";
import { given, type World } from "../../support/bus.js";
import { verifies } from "../../support/verifies.js";

const NAME = "feature-impl";

/** A message whose turn runs, on a CLI that keeps a registry. */
const working = (): { readonly world: World; readonly sent: ReturnType<World["send"]> } => {
  const world = given("test-architect", { name: NAME, like: "witnessed" });
  world.idle("test-architect", NAME);
  const sent = world.send("test-architect", NAME, "make them pass", { wait: true });
  world.typed(NAME);
  world.turnStarts(NAME, "t1");
  world.osc(NAME, "working");
  return { world, sent };
};
const resyncs = (world: World): number => world.effects.filter((effect) => effect.kind === "resync").length;
const says = (world: World, state: "idle" | "busy" | "waiting" | "gone", lastEnd: string | null = null): void =>
  world.sees(NAME, {
    kind: "registryStatus",
    state,
    text: "Allow?",
    lastEnd: lastEnd === null ? null : { kind: "answered", text: lastEnd },
  });

describe("OSC idle in a running turn", () => {
  verifies(
    ["hazard:interrupt-without-hook", "ending:interrupted"],
    "is an interrupt when the registry says idle",
    () => {
      const { world, sent } = working();
      world.osc(NAME, "idle");
      world.after(1_000);
      expect([resyncs(world), sent.outcome()]).toEqual([1, undefined]);
      // The transcript still ends with the turn before.
      says(world, "idle", "an older answer");
      expect(sent.outcome()).toMatchObject({ kind: "endedWithoutAnswer", how: "interrupted" });
      expect(world.agent(NAME).status).toBe("idle");
    },
  );

  verifies("hazard:answer-text-changes-nothing", "is a forgery when the registry says busy: the turn goes on", () => {
    const { world, sent } = working();
    world.osc(NAME, "idle");
    world.after(1_000);
    says(world, "busy");
    const behind = world.send("test-architect", NAME, "and then");
    world.after(10_000);
    expect(world.agent(NAME).status).toBe("working");
    expect(world.entry(behind).status).toBe("Queued");
    world.stops(NAME, "t1", "GREEN");
    world.after(400);
    expect(sent.outcome()).toMatchObject({ kind: "reply", text: "GREEN" });
  });

  test("is believed where the registry cannot be read", () => {
    for (const silent of ["gone", "failed"] as const) {
      const { world, sent } = working();
      world.osc(NAME, "idle");
      world.after(1_000);
      if (silent === "gone") says(world, "gone");
      else world.sees(NAME, { kind: "resyncFailed" });
      expect(sent.outcome()).toMatchObject({ kind: "endedWithoutAnswer", how: "interrupted" });
      expect(world.agent(NAME).status).toBe("idle");
    }
  });

  test("is settled by a hook of the turn that comes while the registry is read", () => {
    const { world, sent } = working();
    world.osc(NAME, "idle");
    world.after(1_000);
    world.stops(NAME, "t1", "GREEN");
    says(world, "idle");
    world.after(400);
    expect(sent.outcome()).toMatchObject({ kind: "reply", text: "GREEN" });
  });
});

describe("OSC done that the bridge never told of", () => {
  test("loses the reporter when the registry says idle, and nothing when it says busy", () => {
    const lost = working();
    lost.world.osc(NAME, "done");
    lost.world.after(3_000);
    says(lost.world, "idle");
    expect(lost.world.agent(NAME).level).toBe("listener");

    const forged = working();
    forged.world.osc(NAME, "done");
    forged.world.after(3_000);
    says(forged.world, "busy");
    expect(forged.world.agent(NAME)).toMatchObject({ level: "full peer", status: "working" });
  });
});

verifies("hazard:interrupt-without-hook", "without OSC the registry's idle ends the turn, and its dialog", () => {
  const world = given("test-architect", { name: NAME, like: "witnessed" });
  world.idle("test-architect", NAME);
  const sent = world.send("test-architect", NAME, "touch it", { wait: true });
  world.typed(NAME);
  world.turnStarts(NAME, "t1");
  const prompt = { about: "permission", text: "approve Bash: touch touched", source: "hook" } as const;
  world.sees(NAME, { kind: "promptRaised", prompt });
  says(world, "waiting");
  // What the hook said of it is better.
  expect(world.agent(NAME).prompt).toMatchObject({ about: "permission", text: "approve Bash: touch touched" });
  says(world, "idle");
  expect(sent.outcome()).toMatchObject({ kind: "endedWithoutAnswer", how: "interrupted" });
  expect(world.agent(NAME)).toMatchObject({ status: "idle", prompt: null });
});
