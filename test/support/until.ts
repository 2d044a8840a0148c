/**
 * Waiting in tests: asks again until the answer is truthy, and fails with a sentence when the deadline passes.
 * The only place of the tests that sleeps.
 */
const EVERY_MS = 10;

export const until = async <T>(
  fn: () => T | Promise<T>,
  deadlineMs = 5_000,
  what: string | (() => string) = "the condition",
): Promise<Exclude<T, null | undefined | false>> => {
  const end = Date.now() + deadlineMs;
  for (;;) {
    const value = await fn();
    if (value) return value as Exclude<T, null | undefined | false>;
    if (Date.now() >= end) {
      throw new Error(`waited ${deadlineMs} ms in vain for ${typeof what === "string" ? what : what()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
};
