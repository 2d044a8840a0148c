import { describe, expect, test } from "vitest";
import { limit } from "../../../src/tui/timing.js";
import { manualTiming } from "../../support/manual-timing.js";

describe("limit", () => {
  test("runs at once, then no sooner than the gap, and the last poke counts", async () => {
    const timing = manualTiming();
    const runs: number[] = [];
    const start = timing.now();
    const limiter = limit(timing, 100, () => runs.push(timing.now() - start));
    limiter.poke();
    await timing.advance(10);
    for (let poke = 0; poke < 5; poke += 1) limiter.poke();
    await timing.advance(500);
    expect(runs).toEqual([0, 100]);
    expect(timing.waiting()).toBe(0);
  });

  test("stopped, it runs no more", async () => {
    const timing = manualTiming();
    let runs = 0;
    const limiter = limit(timing, 100, () => {
      runs += 1;
    });
    limiter.poke();
    limiter.poke();
    limiter.stop();
    await timing.advance(500);
    expect(runs).toBe(1);
  });
});
