/** When a swallowed Enter may be looked after: claimed first, once, and never while anything waits or works there. */
import { describe, expect, test } from "vitest";
import type { DeliveryId } from "../../../src/bus/ids.js";
import { SECOND_ENTER_MS } from "../../../src/bus/limits.js";
import { PRESSED_TWICE } from "../../../src/bus/second-enter.js";
import { given, idOf, type Sent, type World } from "../../support/bus.js";
import { verifies } from "../../support/verifies.js";

const typedOne = (): { readonly world: World; readonly sent: Sent } => {
  const world = given("a", "b", { name: "listener", like: "listener" });
  world.idle("a", "b");
  const sent = world.send("a", "b", "one");
  world.typed("b");
  return { world, sent };
};
const asked = (world: World): number => world.effects.filter(({ kind }) => kind === "enterAgain").length;
const ends = (world: World, sent: Sent, pressed: boolean | null): void =>
  world.take({ kind: "enteredAgain", terminal: idOf("b"), delivery: sent.delivery as DeliveryId, pressed });

describe("an Enter without any sign of a turn", () => {
  verifies("hazard:swallowed-enter", "is looked after once, claimed before, and the entry says so", () => {
    const { world, sent } = typedOne();
    world.after(SECOND_ENTER_MS - 1);
    expect(asked(world)).toBe(0);
    world.after(1);
    expect(asked(world)).toBe(1);
    expect(world.delivery(sent).secondEnter).toBe("asked");
    ends(world, sent, true);
    ends(world, sent, true);
    expect(world.entry(sent)).toMatchObject({ status: "Dispatched", notes: [PRESSED_TWICE] });
    world.after(8_000);
    expect(asked(world)).toBe(1);
    world.answers("b", "t1", "done");
    expect(world.entry(sent)).toMatchObject({ status: "Completed", response: "done", notes: [PRESSED_TWICE] });
  });

  test("that was not swallowed is left alone, and nothing is said", () => {
    const { world, sent } = typedOne();
    world.after(SECOND_ENTER_MS);
    ends(world, sent, false);
    world.after(11_000);
    expect(asked(world)).toBe(1);
    expect(world.entry(sent)).toMatchObject({ status: "Dispatched", notes: [] });
  });

  test("is not looked after once its turn was seen", () => {
    const { world } = typedOne();
    world.turnStarts("b", "t1");
    world.after(SECOND_ENTER_MS);
    expect(asked(world)).toBe(0);
  });

  test.each([
    ["a dialog that a hook told of", (world: World) => world.asks("b", "approve?", "osc")],
    ["a CLI that says it is blocked", (world: World) => world.osc("b", "blocked")],
    ["a CLI that says it works", (world: World) => world.osc("b", "working")],
    ["a tmux that does not answer", (world: World) => world.take({ kind: "tmuxReachable", reachable: false })],
  ])("waits behind %s", (_name, happens) => {
    const { world } = typedOne();
    happens(world);
    world.after(SECOND_ENTER_MS + 1_000);
    expect(asked(world)).toBe(0);
  });

  test("comes when that is over, before the message counts as unconfirmed, and never after", () => {
    const { world } = typedOne();
    world.asks("b", "approve?", "osc");
    world.after(9_000);
    world.sees("b", { kind: "promptClosed", source: "osc" });
    world.osc("b", "idle");
    world.after(1);
    expect(asked(world)).toBe(1);
    const { world: late } = typedOne();
    late.asks("b", "approve?", "osc");
    late.after(16_000);
    late.sees("b", { kind: "promptClosed", source: "osc" });
    late.osc("b", "idle");
    late.after(5_000);
    expect(asked(late)).toBe(0);
  });

  test("is not looked after where no turn can be seen", () => {
    const { world } = typedOne();
    world.send("a", "listener", "two");
    world.typed("listener");
    world.after(SECOND_ENTER_MS);
    expect(world.effects.filter((effect) => effect.kind === "enterAgain" && effect.terminal !== idOf("b"))).toEqual([]);
  });

  test("is asked for again by the successor of an engine that died meanwhile, and once more by none that heard", () => {
    const { world, sent } = typedOne();
    world.after(SECOND_ENTER_MS);
    world.restarts();
    world.take({ kind: "tmuxReachable", reachable: true });
    world.after(1);
    expect(asked(world)).toBe(2);
    ends(world, sent, true);
    world.restarts();
    world.take({ kind: "tmuxReachable", reachable: true });
    world.after(5_000);
    expect(asked(world)).toBe(2);
    expect(world.entry(sent).notes).toEqual([PRESSED_TWICE]);
  });

  test("without a clear answer of tmux is not asked for again by the same engine", () => {
    const { world, sent } = typedOne();
    world.after(SECOND_ENTER_MS);
    ends(world, sent, null);
    world.after(5_000);
    expect(asked(world)).toBe(1);
  });
});
