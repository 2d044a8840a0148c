/** A test run as lines of the conversation: one per test, then the totals. Pure. */
import type { TestRun } from "../test-run.js";

export const shownRun = (run: TestRun): string =>
  [
    ...run.tests.map((test) => `${test.ok ? "ok  " : "FAIL"} ${test.title}`),
    `${run.passed} passed, ${run.failed} failed`,
  ].join("\n");
