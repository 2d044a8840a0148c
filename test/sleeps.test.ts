/** Tests wait for what they need with `until`, never for time to pass: a sleep is too short on a busy machine. */
import { expect, test } from "vitest";
import { sleepsIn } from "./support/sleeps.js";
import { readSources } from "./support/source-files.js";

/** `until` itself sleeps between two looks; fixtures are programs, whose pauses are what they play. */
const MAY_SLEEP = /^test\/(support\/until\.ts$|fixtures\/)/;

/** What looks like a sleep and is the very thing that is tested: one line of one file each. */
const NOT_SLEEPS = [
  {
    file: "test/tmux/output.test.ts",
    line: "Atomics.wait(",
    reason: "plays a process that is stopped and reads nothing",
  },
];

const isListed = (path: string, line: string): boolean =>
  NOT_SLEEPS.some((entry) => entry.file === path && line.trim().startsWith(entry.line));

test("no test sleeps", () => {
  const files = readSources("test", /\.(ts|tsx|mts|mjs)$/).filter((file) => !MAY_SLEEP.test(file.path));
  expect(files.length).toBeGreaterThan(10);
  const sleeps = files.flatMap(({ path, text }) =>
    sleepsIn(path, text)
      .filter((line) => !isListed(path, text.split("\n")[line - 1] ?? ""))
      .map((line) => `${path}:${line}`),
  );
  if (sleeps.length > 0) expect.fail(`wait with until(…) of test/support/until.ts:\n  ${sleeps.join("\n  ")}`);
});

test("until is known to sleep", () => {
  const [file] = readSources("test/support", /until\.ts$/);
  expect(sleepsIn("until.ts", file?.text ?? "")).toHaveLength(1);
});

test.each([
  "await new Promise((resolve) => setTimeout(resolve, 50));",
  "const sleep = (ms) => new Promise((r) => setTimeout(r, ms));",
  "await new Promise((resolve) => { setTimeout(() => resolve(1), 50); });",
  "await new Promise(function (resolve) { setTimeout(function () { resolve(); }, 50); });",
  'import { setTimeout } from "node:timers/promises";',
  'import { scheduler } from "timers/promises";',
  "Atomics.wait(cells, 0, 0, 50);",
  'execFileSync("sleep", ["1"]);',
])("finds the sleep in: %s", (text) => {
  expect(sleepsIn("a.test.ts", `\n${text}`)).toEqual([2]);
});

test.each([
  "await until(() => seen, 500);",
  "await new Promise((resolve) => child.once('exit', resolve));",
  "await new Promise((resolve, reject) => { child.once('exit', resolve); setTimeout(() => reject(new Error('late')), 50); });",
  "const first = new Promise((resolve) => { timer = setTimeout(() => resolve('late'), 50); child.once('exit', resolve); });",
  "await new Promise((resolve) => setImmediate(resolve));",
  "setTimeout(() => child.kill(), 50);",
  'const shell = spawn("sleep", ["1000"]);',
  "// await new Promise((resolve) => setTimeout(resolve, 50));",
  'const text = "await new Promise((resolve) => setTimeout(resolve, 50));";',
])("finds none in: %s", (text) => {
  expect(sleepsIn("a.test.ts", text)).toEqual([]);
});
