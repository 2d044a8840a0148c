/** What the bus writes and keeps must not grow with its past: an engine may live for months. */
import { expect, test } from "vitest";
import { decide, decideOn } from "../../../src/bus/decide.js";
import { callId, deliveryId } from "../../../src/bus/ids.js";
import { MAX_TRAIL } from "../../../src/bus/limits.js";
import type { Input } from "../../../src/bus/protocol.js";
import { closeDraft, emptyState, evolve, openDraft } from "../../../src/bus/state.js";
import { given, idOf, START } from "../../support/bus.js";

const sendTo = (name: string, count: number): Input => ({
  kind: "send",
  call: callId(`call-${String(count).padStart(6, "0")}`),
  delivery: deliveryId(`more-${String(count).padStart(6, "0")}`),
  caller: { kind: "person", as: null, project: null },
  target: idOf(name),
  text: `message ${String(count).padStart(6, "0")}`,
  wait: false,
  raw: false,
});

test("a message behind many others is written in as few bytes as the first", () => {
  const world = given("impl");
  const written = (count: number): number => {
    const { facts } = decide(world.state(), sendTo("impl", count), START);
    return JSON.stringify(facts).length;
  };
  const first = written(1);
  for (let count = 1; count <= 300; count += 1) world.take(sendTo("impl", count));
  expect(world.terminal("impl").queue).toHaveLength(300);
  expect(written(301)).toBe(first);
});

test("the oldest finished entries go while the engine runs, and none that is open", () => {
  const world = given("impl", "gone");
  const open = world.say("impl", "not typed yet");
  for (let count = 1; count <= MAX_TRAIL * 1.1 + 1; count += 1) world.take(sendTo("gone", count));
  world.exits("gone");
  expect(world.state().deliveries.size).toBeLessThanOrEqual(MAX_TRAIL * 1.1);
  expect(world.state().deliveries.has(deliveryId("more-000001"))).toBe(false);
  expect(world.delivery(open).state).toBe("queued");
});

test("inputs decided on one draft come to the same as one after the other", () => {
  const world = given("impl", "reviewer");
  world.idle("impl");
  const inputs = Array.from({ length: 20 }, (_, index) => sendTo(index % 3 === 0 ? "reviewer" : "impl", index));
  const before = world.state();
  const draft = openDraft(before);
  const together = inputs.flatMap((input) => decideOn(draft, input, START).facts);
  let state = before;
  const single = inputs.flatMap((input) => {
    const { facts } = decide(state, input, START);
    state = evolve(state, facts);
    return facts;
  });
  expect(together).toEqual(single);
  expect(closeDraft(draft)).toEqual(state);
  expect(world.state()).toBe(before);
  expect(before.deliveries.size).toBe(0);
  expect(emptyState.deliveries.size).toBe(0);
});
