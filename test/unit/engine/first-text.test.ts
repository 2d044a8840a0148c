/** When a CLI that nobody hears from is typed on for the first time. */
import { expect, test } from "vitest";
import { deliveryId, terminalId } from "../../../src/bus/ids.js";
import { afterStart, createFirstTexts } from "../../../src/engine/first-text.js";
import type { Typist } from "../../../src/engine/typist.js";
import { verifies } from "../../support/verifies.js";

const T = terminalId("term-1");
const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");

/** Time passes only while it waits for output; `script` is what the program prints, by its time. */
const play = async (script: readonly (readonly [at: number, text: string])[], startedAt = 0): Promise<number> => {
  let now = startedAt === 0 ? 0 : 60_000;
  const coming = [...script];
  const first = createFirstTexts({
    now: () => now,
    nextOutput: async (terminal, ms) => {
      const next = coming[0];
      if (next === undefined || next[0] > now + ms) {
        now += ms;
        return;
      }
      now = next[0];
      coming.shift();
      first.output(terminal, bytes(next[1]));
    },
  });
  first.open(T, startedAt);
  await first.taken(T);
  await first.taken(T);
  return now;
};

verifies("listener:typed-when-it-takes-text", "when it has asked for bracketed paste", async () => {
  expect(
    await play([
      [400, "hello"],
      [900, "\u001b[?2004h"],
    ]),
  ).toBe(900);
  expect(
    await play([
      [300, "x\u001b[?20"],
      [700, "04h"],
    ]),
  ).toBe(700);
  expect(await play([[300, "\u001b[?1049;2004;25h"]])).toBe(300);
});

verifies("listener:typed-when-it-takes-text", "or was quiet for a second after its first output", async () => {
  expect(
    await play([
      [400, "hello"],
      [900, "again"],
    ]),
  ).toBe(1_900);
  expect(await play([[400, "\u001b[?2004l \u001b[?12004h \u001b[?20041h"]])).toBe(1_400);
});

verifies("listener:typed-when-it-takes-text", "and after ten seconds in any case", async () => {
  expect(await play([])).toBe(10_000);
  expect(await play(Array.from({ length: 40 }, (_, k) => [k * 500, "busy"] as const))).toBe(10_000);
  expect(await play([], 20_000)).toBe(60_000);
});

test("a terminal that was not opened is typed on at once", async () => {
  const first = createFirstTexts({ now: () => 0, nextOutput: () => Promise.reject(new Error("waited")) });
  await first.taken(T);
  first.open(T, 0);
  first.close(T);
  await first.taken(T);
});

test("a paste waits for it, and nothing else does", async () => {
  const done: string[] = [];
  const typist = { paste: async () => void done.push("paste") } as unknown as Typist;
  const late = afterStart(typist, async () => void done.push("taken"));
  await late.paste(T, deliveryId("msg-1"), "text");
  expect(done).toEqual(["taken", "paste"]);
});
