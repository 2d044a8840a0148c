/** When a session's record is read: as often as the adapter misses something, for a while, and for heard terminals only. */
import { expect, test } from "vitest";
import type { Adapter, LogSignal, Signal } from "../../../src/adapters/adapter.js";
import { terminalId } from "../../../src/bus/ids.js";
import { createLogReadings } from "../../../src/engine/compose-log.js";
import type { Engine } from "../../../src/engine/engine.js";
import { manualClock } from "../../support/engine-rig.js";

const T = terminalId("term-1");

/** `misses`: how many readings leave the adapter without what it waits for. */
const readings = (options: {
  readonly misses: number;
  readonly session?: string | null;
  readonly reporter?: string;
}) => {
  const { misses, session = "s1", reporter = "heard" } = options;
  const clock = manualClock();
  const taken: (LogSignal & { readonly after: number })[] = [];
  const begun = clock.now();
  const known = { reporter, closing: [{ endedAt: 77 }], launchedAt: 11 };
  const reader = createLogReadings({
    engine: { state: () => ({ terminals: new Map([[T, known]]) }) } as unknown as Engine,
    signals: {
      take: async (_terminal: unknown, signal: Signal) => {
        taken.push({ ...(signal as LogSignal), after: clock.now() - begun });
        return taken.length <= misses;
      },
      forget: () => {},
      memoryOf: () => ({}),
    },
    logs: { read: async (_t, _log, _pid, since) => ({ session, entries: [], since }), forget: () => {} },
    adapterFor: () => ({ log: {} }) as unknown as Adapter,
    pidOf: () => 7,
    pause: clock.pause,
  });
  return { reader, taken, clock };
};

test("once, when that says all; what is known is what has ended", async () => {
  const { reader, taken, clock } = readings({ misses: 0 });
  const done = reader.readOn(T);
  await clock.advance(5_000);
  await done;
  expect(taken).toEqual([
    { kind: "log", session: "s1", entries: [], since: 77, asked: false, isLast: false, after: 0 },
  ]);
});

test("again and again while something is missing, and at last for the last time", async () => {
  const { reader, taken, clock } = readings({ misses: 99 });
  void reader.readOn(T);
  await clock.advance(5_000);
  expect(taken.map((one) => one.after)).toEqual([0, 25, 75, 175, 375, 775, 1575]);
  expect(taken.map((one) => one.isLast)).toEqual([false, false, false, false, false, false, true]);
});

test("for a shorter time where there is no record", async () => {
  const { reader, taken, clock } = readings({ misses: 99, session: null });
  void reader.readOn(T);
  await clock.advance(200);
  expect(taken.map((one) => one.isLast).slice(0, 4)).toEqual([false, false, false, true]);
});

test("anew when something new is asked for meanwhile, in one go", async () => {
  const { reader, taken, clock } = readings({ misses: 99 });
  const first = reader.readOn(T);
  await clock.advance(300);
  expect(taken).toHaveLength(4);
  const second = reader.readOn(T);
  await clock.advance(5_000);
  await Promise.all([first, second]);
  expect(taken.filter((one) => one.isLast)).toHaveLength(1);
  expect(taken.at(-1)!.after).toBeGreaterThan(1_900);
});

test.each(["silent", "lost"])("never for a terminal whose reporter is %s", async (reporter) => {
  const { reader, taken, clock } = readings({ misses: 0, reporter });
  void reader.readOn(T);
  await clock.advance(5_000);
  expect([taken, await reader.answer(T)]).toEqual([[], false]);
});

test("once for a bus that asks", async () => {
  const { reader, taken } = readings({ misses: 99 });
  expect(await reader.answer(T)).toBe(true);
  expect(taken).toMatchObject([{ asked: true, isLast: true }]);
});
