/** The relay of the two scripts in a real folder, with real test runs. */
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readPrompt } from "../../../../src/demo/prompt.js";
import { SOURCE_FILE, TEST_FILE, TEST_TEXT } from "../../../../src/demo/sample-project.js";
import { featureImpl } from "../../../../src/demo/scripts/feature-impl.js";
import { HAND_OFF, testArchitect } from "../../../../src/demo/scripts/test-architect.js";
import { recordedStage, temporaryProject } from "../../../support/demo-stage.js";

const OPENING =
  "Write failing unit tests for parseDuration in tests/parseDuration.test.mjs, one per rule in AGENTS.md. " +
  "When GREEN arrives, run the tests again and end with RELAY DONE, or RELAY FAILED.";
const GREEN = readPrompt("[Peer agent (feature-impl)]: GREEN");
const TASK = readPrompt(`[Peer agent (test-architect)]: ${HAND_OFF}`);

let project: Awaited<ReturnType<typeof temporaryProject>>;
beforeEach(async () => {
  project = await temporaryProject();
});
afterEach(() => project.remove());

const write = async (file: string, text: string): Promise<void> => {
  await mkdir(join(project.cwd, file, ".."), { recursive: true });
  await writeFile(join(project.cwd, file), text);
};

describe("the relay", () => {
  it("really fails, then really passes, and ends with RELAY DONE", async () => {
    const opening = recordedStage(project.cwd);
    const handed = await testArchitect.play(readPrompt(OPENING), opening.stage);
    expect(handed).toBe("All 9 tests fail, as they should. Handed off to 'feature-impl'; I wait for GREEN.");
    expect(opening.sent).toEqual([{ target: "feature-impl", message: HAND_OFF }]);
    expect(opening.said.at(-1)).toContain("0 passed, 9 failed");
    expect(await readFile(join(project.cwd, TEST_FILE), "utf8")).toBe(TEST_TEXT);

    const work = recordedStage(project.cwd);
    const done = await featureImpl.play(TASK, work.stage);
    expect(work.sent).toEqual([{ target: "test-architect", message: "GREEN" }]);
    expect(work.said.at(-1)).toContain("9 passed, 0 failed");
    expect(done).toBe("The parseDuration tests pass, unedited. Sent GREEN to 'test-architect'.");

    const closing = recordedStage(project.cwd);
    expect(await testArchitect.play(GREEN, closing.stage)).toBe("All 9 tests pass, unedited.\nRELAY DONE");
    expect(closing.said.at(-1)).toContain("9 passed, 0 failed");
  });

  it("runs again in the same folder", async () => {
    await testArchitect.play(readPrompt(OPENING), recordedStage(project.cwd).stage);
    await featureImpl.play(TASK, recordedStage(project.cwd).stage);
    const again = recordedStage(project.cwd);
    expect(await testArchitect.play(readPrompt(OPENING), again.stage)).toContain("All 9 tests fail");
  });

  it("ends with RELAY FAILED when GREEN comes and the tests fail", async () => {
    await testArchitect.play(readPrompt(OPENING), recordedStage(project.cwd).stage);
    await write(SOURCE_FILE, "export const parseDuration = () => 0;\n");
    expect(await testArchitect.play(GREEN, recordedStage(project.cwd).stage)).toMatch(
      /^\d of 9 tests still fail\.\nRELAY FAILED$/,
    );
  });

  it("ends with RELAY FAILED when the test file was edited, though every test of it passes", async () => {
    await testArchitect.play(readPrompt(OPENING), recordedStage(project.cwd).stage);
    await featureImpl.play(TASK, recordedStage(project.cwd).stage);
    await write(TEST_FILE, 'import test from "node:test";\ntest("nothing", () => {});\n');
    expect(await testArchitect.play(GREEN, recordedStage(project.cwd).stage)).toBe(
      "tests/parseDuration.test.mjs is not the file that I wrote: it was edited.\nRELAY FAILED",
    );
  });

  it("ends with RELAY FAILED when the test file is gone, or the peer reports RED", async () => {
    expect(await testArchitect.play(GREEN, recordedStage(project.cwd).stage)).toMatch(/not there.*\nRELAY FAILED$/);
    const red = readPrompt("[Peer agent (feature-impl)]: RED: 1 of 9 tests fail: rule 1.");
    expect(await testArchitect.play(red, recordedStage(project.cwd).stage)).toMatch(/rule 1.*\nRELAY FAILED$/);
  });

  it("ends with RELAY FAILED when the hand-off is refused", async () => {
    const refused = recordedStage(project.cwd, { ok: false, text: "No agent has the session name 'feature-impl'." });
    expect(await testArchitect.play(readPrompt(OPENING), refused.stage)).toMatch(/No agent has.*\nRELAY FAILED$/);
  });

  it("sends RED with the failing rule when the tests cannot be made to pass", async () => {
    await write(TEST_FILE, `${TEST_TEXT}\ntest("impossible", () => assert.equal(1, 2));\n`);
    const work = recordedStage(project.cwd);
    await featureImpl.play(TASK, work.stage);
    expect(work.sent).toEqual([{ target: "test-architect", message: "RED: 1 of 10 tests fail: impossible." }]);
  });

  it("leaves a person's files alone", async () => {
    await write(TEST_FILE, "// mine\n");
    await expect(testArchitect.play(readPrompt(OPENING), recordedStage(project.cwd).stage)).rejects.toThrow(
      "exists and the demo did not write it",
    );
    expect(await readFile(join(project.cwd, TEST_FILE), "utf8")).toBe("// mine\n");
  });

  it("writes nothing through a link that leads out of the folder", async () => {
    const outside = await temporaryProject();
    await symlink(outside.cwd, join(project.cwd, "tests"));
    await expect(testArchitect.play(readPrompt(OPENING), recordedStage(project.cwd).stage)).rejects.toThrow(
      "leads out",
    );
    await rm(join(project.cwd, "tests"));
    await outside.remove();
  });

  it("does not start over when a peer talks about the tests, and says what it understands", async () => {
    const { stage, sent, tools } = recordedStage(project.cwd);
    const answer = await testArchitect.play(readPrompt("[Peer agent (x)]: parseDuration tests?"), stage);
    expect(answer).toContain("I am a scripted demo in the role test-architect");
    expect(await featureImpl.play(readPrompt("rm -rf /"), stage)).toContain("I am a scripted demo");
    expect([sent, tools]).toEqual([[], []]);
  });
});
