/** A look begun while the claim of a paste is being committed, and an echo that is new enough to press Enter on. */
import { beforeEach, expect, test } from "vitest";
import { adapterOf } from "../../../src/adapters/registry.js";
import { deliveryId, terminalId } from "../../../src/bus/ids.js";
import { createTypist, type Typist } from "../../../src/engine/typist.js";
import { line } from "../../support/engine-rig.js";
import { createMemoryHost } from "../../support/memory-host.js";

const T = terminalId("term-1");
const [first, second] = [deliveryId("d-1"), deliveryId("d-2")];

let host: ReturnType<typeof createMemoryHost>;
let typist: Typist;
let time: number;
let looks: number;
let quiet: number;
let isBetweenTurns: boolean;

beforeEach(async () => {
  host = createMemoryHost();
  await host.start();
  await host.launch({ terminal: T, name: "a", cwd: "/", argv: ["claude"], env: {}, unsetEnv: [] });
  time = 1_000;
  looks = 0;
  quiet = 60_000;
  isBetweenTurns = true;
  typist = createTypist({
    host: {
      ...host,
      screen: (terminal) => {
        looks += 1;
        return host.screen(terminal);
      },
    },
    adapterFor: () => ({ ...adapterOf("claude")!, line }),
    mayStillType: () => isBetweenTurns,
    pause: async () => {},
    quietMs: () => quiet,
    nextOutput: async () => {},
    now: () => time,
  });
});

test("a paste goes by the look that was begun for it, and looks again at its echo only", async () => {
  typist.foresee(T);
  time += 10;
  expect(await typist.paste(T, first, "hello")).toMatchObject({ kind: "pasted" });
  expect(looks).toBe(2);
});

test("a look that a slow commit made old is not believed", async () => {
  typist.foresee(T);
  time += 11;
  host.pane(T).text = "a draft";
  expect(await typist.paste(T, first, "hello")).toMatchObject({ kind: "typingHeld", why: "a person is typing" });
});

test("a look is not believed either when something was printed since: it may be a draft's first letter", async () => {
  typist.foresee(T);
  await new Promise((resolve) => setImmediate(resolve));
  time += 4;
  quiet = 4;
  host.pane(T).text = "a";
  expect(await typist.paste(T, first, "hello")).toMatchObject({ kind: "typingHeld", why: "a person is typing" });
});

test("a turn that began during the look keeps the paste back", async () => {
  typist.foresee(T);
  isBetweenTurns = false;
  expect(await typist.paste(T, first, "hello")).toMatchObject({ kind: "typingHeld", why: null });
  expect(host.typed).toEqual([]);
});

test("a look serves one paste", async () => {
  typist.foresee(T);
  await typist.paste(T, first, "hello");
  expect(await typist.paste(T, second, "again")).toMatchObject({ kind: "typingHeld" });
});

test("a look that fails is the failure of the paste alone", async () => {
  const failing = createTypist({
    host: { ...host, screen: async () => Promise.reject(new Error("gone")) },
    adapterFor: () => ({ ...adapterOf("claude")!, line }),
    mayStillType: () => isBetweenTurns,
    pause: async () => {},
    quietMs: () => 60_000,
    nextOutput: async () => {},
    now: () => time,
  });
  failing.foresee(T);
  await new Promise((resolve) => setImmediate(resolve));
  await expect(failing.paste(T, first, "hello")).rejects.toThrow("gone");
});

test.each([
  [2, 2, "right after the echo it is not read again"],
  [3, 3, "a little later it is"],
])("Enter %s ms after the echo: %s screens read, since %s", async (ms, read) => {
  await typist.paste(T, first, "hello");
  time += ms;
  expect(await typist.enter(T, first, "hello")).toMatchObject({ kind: "entered" });
  expect(looks).toBe(read);
});

test("a dialog that opened since the echo keeps Enter back once the echo is old", async () => {
  await typist.paste(T, first, "hello");
  time += 3;
  host.pane(T).text = "dialog: permission";
  expect(await typist.enter(T, first, "hello")).toMatchObject({ kind: "pasteStranded" });
});
