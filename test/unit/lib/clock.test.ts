import { afterEach, expect, test, vi } from "vitest";
import { systemClock } from "../../../src/lib/clock.js";

afterEach(() => {
  vi.useRealTimers();
});

/** Fake timers that move performance.now too, but leave the wall clock to the test. */
const fakeTime = (): void => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"], now: 1_700_000_000_000 });
};

test("starts at the wall clock and follows time", () => {
  fakeTime();
  const clock = systemClock();
  expect(clock.now()).toBe(1_700_000_000_000);
  vi.advanceTimersByTime(250);
  expect(clock.now()).toBe(1_700_000_000_250);
});

test("does not follow a wall clock that is set back", () => {
  fakeTime();
  const clock = systemClock();
  vi.setSystemTime(1_600_000_000_000);
  vi.advanceTimersByTime(5);
  expect(clock.now()).toBe(1_700_000_000_005);
});

test("rings at the time and not before, once", () => {
  fakeTime();
  const clock = systemClock();
  const ring = vi.fn();
  clock.alarm(clock.now() + 100, ring);
  vi.advanceTimersByTime(99);
  expect(ring).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(ring).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  expect(ring).toHaveBeenCalledTimes(1);
});

test("a new alarm replaces the old one, and null clears it", () => {
  fakeTime();
  const clock = systemClock();
  const first = vi.fn();
  const second = vi.fn();
  clock.alarm(clock.now() + 10, first);
  clock.alarm(clock.now() + 20, second);
  vi.advanceTimersByTime(30);
  expect(first).not.toHaveBeenCalled();
  expect(second).toHaveBeenCalledTimes(1);
  clock.alarm(clock.now() + 10, first);
  clock.alarm(null, first);
  vi.advanceTimersByTime(20);
  expect(first).not.toHaveBeenCalled();
});

test("rings for a time that has passed, but not inside the call", () => {
  fakeTime();
  const clock = systemClock();
  const ring = vi.fn();
  clock.alarm(clock.now() - 5, ring);
  expect(ring).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(ring).toHaveBeenCalledTimes(1);
});

test("waits longer than one timer of the platform can", () => {
  fakeTime();
  const clock = systemClock();
  const ring = vi.fn();
  const month = 31 * 24 * 3_600_000;
  clock.alarm(clock.now() + month, ring);
  vi.advanceTimersByTime(month - 1);
  expect(ring).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(ring).toHaveBeenCalledTimes(1);
});
