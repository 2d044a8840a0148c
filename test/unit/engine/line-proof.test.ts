/** When one look at an empty line is proof enough, and when a second one has to agree. */
import { expect, test } from "vitest";
import { adapterOf } from "../../../src/adapters/registry.js";
import { deliveryId, terminalId } from "../../../src/bus/ids.js";
import { createTypist } from "../../../src/engine/typist.js";
import { line } from "../../support/engine-rig.js";
import { createMemoryHost } from "../../support/memory-host.js";

const T = terminalId("term-1");

const world = async (quietMs: number | null) => {
  const host = createMemoryHost();
  await host.start();
  await host.launch({ terminal: T, name: "a", cwd: "/", argv: ["claude"], env: {}, unsetEnv: [] });
  const pauses: number[] = [];
  let time = 0;
  const typist = createTypist({
    host,
    adapterFor: () => ({ ...adapterOf("claude")!, line }),
    mayStillType: () => true,
    pause: async (ms) => void pauses.push(ms),
    quietMs: () => quietMs,
    nextOutput: async () => {},
    now: () => time,
  });
  return {
    host,
    typist,
    pauses,
    passes: (ms: number) => {
      time += ms;
    },
  };
};

test("a terminal that printed nothing for the settling time needs one look", async () => {
  const { typist, pauses } = await world(line.settleMs);
  expect(await typist.look(T)).toBeNull();
  expect(pauses).toEqual([]);
});

test.each([line.settleMs - 1, 0, null])("one that printed %s ms ago is looked at twice", async (quietMs) => {
  const { host, typist, pauses } = await world(quietMs);
  expect(await typist.look(T)).toBeNull();
  expect(pauses).toEqual([line.settleMs]);
  host.pane(T).text = "a draft";
  expect(await typist.look(T)).toBe("a person is typing");
});

test("however still it was, a draft or a dialog on the line is refused", async () => {
  const { host, typist } = await world(60_000);
  host.pane(T).text = "a draft";
  expect(await typist.look(T)).toBe("a person is typing");
  host.pane(T).text = "dialog: permission";
  expect(await typist.look(T)).toBe("a dialog is open");
});

test("a look ahead counts as the first of the two", async () => {
  const { typist, pauses, passes } = await world(0);
  await typist.glance(T);
  passes(line.settleMs - 4);
  expect(await typist.look(T)).toBeNull();
  expect(pauses).toEqual([4]);
  passes(4);
  expect(await typist.look(T)).toBeNull();
  expect(pauses).toEqual([4]);
});

test.each([
  ["a draft", "a draft"],
  ["a dialog", "dialog: permission"],
])("a look ahead that saw %s begins the time anew", async (_, shown) => {
  const { host, typist, pauses, passes } = await world(0);
  await typist.glance(T);
  passes(line.settleMs);
  host.pane(T).text = shown;
  await typist.glance(T);
  host.pane(T).text = "";
  expect(await typist.look(T)).toBeNull();
  expect(pauses).toEqual([line.settleMs]);
});

test("looks that lie far apart, or have a paste of ours between them, prove nothing", async () => {
  const { host, typist, pauses, passes } = await world(0);
  await typist.glance(T);
  passes(60_000);
  await typist.look(T);
  expect(pauses).toEqual([line.settleMs]);
  passes(line.settleMs);
  await typist.paste(T, deliveryId("d-1"), "hello");
  host.pane(T).text = "";
  pauses.length = 0;
  passes(line.settleMs);
  expect(await typist.look(T)).toBeNull();
  expect(pauses).toEqual([line.settleMs]);
});
