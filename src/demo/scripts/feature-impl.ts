/**
 * Script of the implementer: on the hand-off it writes parseDuration, runs the tests and reports GREEN, or RED with
 * what failed. It never touches the test file, and checks that.
 */
import { hashProjectFile, writeProjectFile } from "../project-files.js";
import { SOURCE_FILE, SOURCE_TEXT, TEST_FILE } from "../sample-project.js";
import { type Script, type Stage, unknownPrompt } from "../stage.js";
import { runTests, type TestRun } from "../test-run.js";
import { shownRun } from "./shown-run.js";

const UNDERSTANDS =
  'I make the parseDuration tests pass when a prompt says that they are failing, and send "GREEN" back.';

const run = (stage: Stage): Promise<TestRun> =>
  stage.tool("Bash", `node --test ${TEST_FILE}`, () => runTests(stage.cwd, TEST_FILE, stage.signal));

/** What there is to report: GREEN, or RED with the reason on the same line. */
const work = async (stage: Stage): Promise<string> => {
  const before = await stage.tool("Read", TEST_FILE, () => hashProjectFile(stage.cwd, TEST_FILE));
  if (before === null) return `RED: ${TEST_FILE} is not in ${stage.cwd}.`;
  const first = await run(stage);
  stage.say(shownRun(first));
  await stage.pause();
  if (first.failed > 0) {
    await stage.tool("Write", SOURCE_FILE, () => writeProjectFile(stage.cwd, SOURCE_FILE, SOURCE_TEXT));
    await stage.pause();
  }
  const last = await run(stage);
  stage.say(shownRun(last));
  await stage.pause();
  if ((await hashProjectFile(stage.cwd, TEST_FILE)) !== before) return `RED: ${TEST_FILE} changed while I worked.`;
  const broken = last.tests.filter((test) => !test.ok).map((test) => test.title);
  if (last.failed > 0 || last.passed === 0)
    return `RED: ${last.failed} of ${last.passed + last.failed} tests fail: ${broken.join("; ")}.`;
  return "GREEN";
};

export const featureImpl: Script = {
  understands: UNDERSTANDS,
  play: async ({ from, body }, stage) => {
    if (from.kind === "notice") return "Noted.";
    if (!/\bparseDuration\b.*\btests?\b.*\bfail/is.test(body)) return unknownPrompt("feature-impl", UNDERSTANDS);
    stage.say("I read the failing tests and write parseDuration, without editing the tests.");
    await stage.pause();
    const report = await work(stage);
    if (from.kind !== "peer") return report;
    const sent = await stage.send(from.name, report);
    if (!sent.ok) return `${report}, but '${from.name}' could not be told: ${sent.text}`;
    return report === "GREEN"
      ? `The parseDuration tests pass, unedited. Sent GREEN to '${from.name}'.`
      : `Told '${from.name}': ${report}`;
  },
};
