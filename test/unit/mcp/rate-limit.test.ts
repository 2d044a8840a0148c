import { describe, expect, test } from "vitest";
import { createRateLimit, TERMINAL_ALLOWANCE, wordPace } from "../../../src/mcp/rate-limit.js";

const SMALL = { burst: 3, perSecond: 2, open: 2 };

const limitAt = () => {
  const clock = { now: 0 };
  return { clock, limit: createRateLimit(() => clock.now) };
};

describe("the pace of one token", () => {
  test("lets a burst in, then its pace, and says when to come back", () => {
    const { clock, limit } = limitAt();
    for (let n = 0; n < 3; n += 1) expect(limit.take("a", SMALL)).toBeNull();
    expect(limit.take("a", SMALL)).toEqual({ retryAfterS: 1, message: wordPace(SMALL, 1) });
    clock.now = 499;
    expect(limit.take("a", SMALL)).not.toBeNull();
    clock.now = 500;
    expect(limit.take("a", SMALL)).toBeNull();
    expect(limit.take("a", SMALL)).not.toBeNull();
    clock.now = 60_000;
    for (let n = 0; n < 3; n += 1) expect(limit.take("a", SMALL)).toBeNull();
    expect(limit.take("a", SMALL)).not.toBeNull();
  });

  test("one caller's loop costs no other one anything", () => {
    const { limit } = limitAt();
    for (let n = 0; n < 10; n += 1) limit.take("loop", SMALL);
    expect(limit.take("other", SMALL)).toBeNull();
  });

  test("a batch costs what it holds, and a refused one nothing", () => {
    const { limit } = limitAt();
    expect(limit.take("a", SMALL, 4)).toMatchObject({ retryAfterS: 1 });
    expect(limit.take("a", SMALL, 3)).toBeNull();
    expect(limit.take("a", SMALL, 3)).toMatchObject({ retryAfterS: 2 });
    expect(limit.take("a", SMALL, 0)).toBeNull();
  });

  test("a clock that stands still or goes back gives nothing", () => {
    const { clock, limit } = limitAt();
    for (let n = 0; n < 3; n += 1) limit.take("a", SMALL);
    clock.now = -10_000;
    expect(limit.take("a", SMALL)).not.toBeNull();
  });

  test("counts open answers, and each end once", () => {
    const { limit } = limitAt();
    const first = limit.open("a", SMALL);
    expect(limit.open("a", SMALL)).not.toBeNull();
    expect(limit.open("a", SMALL)).toBeNull();
    expect(limit.open("b", SMALL)).not.toBeNull();
    first?.();
    first?.();
    expect(limit.open("a", SMALL)).not.toBeNull();
    expect(limit.open("a", SMALL)).toBeNull();
  });

  test("forgets callers that are long quiet, never one with an open answer or an unpaid loop", () => {
    const { clock, limit } = limitAt();
    limit.open("held", SMALL);
    limit.open("held", SMALL);
    clock.now = 100_000;
    for (let n = 0; n < 4; n += 1) limit.take("loop", SMALL);
    for (let n = 0; n < 1_000; n += 1) limit.take(`t${n}`, SMALL);
    expect(limit.open("held", SMALL)).toBeNull();
    expect(limit.take("loop", SMALL)).not.toBeNull();
  });

  test("the words say what may come and what to do", () => {
    expect(wordPace(TERMINAL_ALLOWANCE, 2)).toBe(
      "Too many requests with this token: 300 may come at once, and 30 in each second after that. Wait 2 seconds, then go on. A program that asks in a loop has to ask less often.",
    );
  });
});
