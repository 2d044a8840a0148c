import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readTap, runTests } from "../../../src/demo/test-run.js";
import { temporaryProject } from "../../support/demo-stage.js";

let project: Awaited<ReturnType<typeof temporaryProject>>;
beforeEach(async () => {
  project = await temporaryProject();
  await mkdir(join(project.cwd, "tests"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await project.remove();
});

const write = (text: string) => writeFile(join(project.cwd, "tests/a.test.mjs"), text);

describe("a test run", () => {
  it("counts what really passed and failed", async () => {
    await write(
      'import test from "node:test";\ntest("good", () => {});\ntest("bad", () => { throw new Error("no"); });\n',
    );
    expect(await runTests(project.cwd, "tests/a.test.mjs")).toEqual({
      passed: 1,
      failed: 1,
      tests: [
        { title: "good", ok: true },
        { title: "bad", ok: false },
      ],
    });
  });

  it("gives the tests nothing of the agent's environment", async () => {
    vi.stubEnv("QUAY_TOKEN", "secret");
    vi.stubEnv("NODE_OPTIONS", "--no-warnings");
    await write(
      'import assert from "node:assert";\nimport test from "node:test";\n' +
        'test("clean", () => assert.deepEqual(Object.keys(process.env).filter((k) => /QUAY|NODE_OPTIONS/.test(k)), []));\n',
    );
    expect((await runTests(project.cwd, "tests/a.test.mjs")).passed).toBe(1);
  });

  it("counts a file that does not load as a failure", async () => {
    await write("syntax error here");
    expect(await runTests(project.cwd, "tests/a.test.mjs")).toMatchObject({ passed: 0, failed: 1 });
  });

  it("takes no report without totals", () => {
    expect(readTap("TAP version 13\nok 1 - a\n")).toBeNull();
    expect(readTap("ok 1 - a\n# pass 1\n")).toBeNull();
    expect(readTap("ok 1 - a\n# tests 1\n")).toBeNull();
    expect(readTap("")).toBeNull();
  });
});
