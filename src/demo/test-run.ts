/**
 * Runs the demo project's test file with Node's own test runner, in the project's folder, with an environment that
 * holds nothing of Quay's, and reads its TAP report. The command is fixed: nothing of a message gets into it.
 */
import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { QuayError } from "../lib/errors.js";

export type TestRun = {
  readonly passed: number;
  readonly failed: number;
  /** Titles in the order of the file. */
  readonly tests: readonly { readonly title: string; readonly ok: boolean }[];
};

const LONGEST_RUN_MS = 20_000;

/** Reads a TAP report of `node --test`; null when it holds no totals, so that no half report counts as a pass. */
export const readTap = (tap: string): TestRun | null => {
  const total = (name: string): number | null => {
    const found = new RegExp(`^# ${name} (\\d+)$`, "m").exec(tap)?.[1];
    return found === undefined ? null : Number(found);
  };
  const count = total("tests");
  const passed = total("pass");
  if (count === null || passed === null) return null;
  const tests = [...tap.matchAll(/^(not )?ok \d+ - (.*?)(?: # .*)?$/gm)].map((line) => ({
    title: line[2] ?? "",
    ok: line[1] === undefined,
  }));
  return { passed, failed: count - passed, tests };
};

/** Throws QuayError when the runner gave no report within 20 s. */
export const runTests = async (cwd: string, file: string, signal?: AbortSignal): Promise<TestRun> => {
  const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, LANG: "C.UTF-8", NO_COLOR: "1" };
  const report = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      ["--test", "--test-reporter=tap", file],
      { cwd, env, timeout: LONGEST_RUN_MS, maxBuffer: 4_000_000, ...(signal === undefined ? {} : { signal }) },
      // A failing test makes the exit status non-zero: the report decides, not the status.
      (_error, stdout) => resolve(stdout),
    );
  });
  const run = readTap(report);
  if (run === null)
    throw new QuayError(
      "demo.no-report",
      `node --test ${file} gave no report in ${cwd} within ${LONGEST_RUN_MS / 1000} s.`,
    );
  return run;
};
