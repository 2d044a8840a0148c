import type { ServerResponse } from "node:http";
import { Writable } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { streamChanges } from "../../../src/mcp/api-stream.js";
import { createFakeEngine, entry } from "../../support/fake-engine.js";

/** A response whose reader takes one write and then nothing until `read` is called. */
const slowReader = () => {
  const writes: string[] = [];
  let taken: (() => void) | null = null;
  const response = new Writable({
    highWaterMark: 1,
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      writes.push(chunk);
      taken = done;
    },
  });
  Object.assign(response, { writeHead: () => response, flushHeaders: () => undefined });
  const read = async (): Promise<void> => {
    const done = taken;
    taken = null;
    done?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  // Only the members that a stream of events uses are there.
  return { response: response as unknown as ServerResponse, writes, read };
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a reader that takes nothing has one snapshot in the pipe; when it reads again it gets the latest and the last toasts", async () => {
  const engine = createFakeEngine();
  const { response, writes, read } = slowReader();
  streamChanges(engine.client, response, 1_000);
  expect(writes).toHaveLength(1);
  for (let round = 1; round <= 100; round += 1) {
    engine.setTrail([entry(`d-${round}`)]);
    engine.toast(`toast ${round}.`);
    await vi.advanceTimersByTimeAsync(200);
  }
  expect(writes).toHaveLength(1);
  expect(response.writableLength).toBeLessThan(2_000);
  for (let round = 0; round < 40; round += 1) {
    await read();
    await vi.advanceTimersByTimeAsync(60);
  }
  const heard = writes.join("");
  expect(heard).toContain(`"revision":${engine.client.snapshot().revision},`);
  expect(heard.split("event: snapshot")).toHaveLength(3);
  expect(heard.split("event: toast")).toHaveLength(21);
  expect(heard).toContain("toast 81.");
  expect(heard).not.toContain("toast 80.");
});

test("changes that come together go out as one snapshot, at most every 50 ms", async () => {
  const engine = createFakeEngine();
  const { response, writes, read } = slowReader();
  streamChanges(engine.client, response, 60_000);
  await read();
  for (let round = 0; round < 50; round += 1) engine.setTrail([entry(`d-${round}`)]);
  expect(writes).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(50);
  expect(writes).toHaveLength(2);
  expect(writes[1]).toContain("d-49");
});

test("the reader's leaving ends the subscription and the timers", async () => {
  const engine = createFakeEngine();
  const { response } = slowReader();
  streamChanges(engine.client, response, 1_000);
  response.destroy();
  await vi.advanceTimersByTimeAsync(0);
  expect(engine.listeners()).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});
