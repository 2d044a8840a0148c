/**
 * Script of the test architect: writes the failing tests and hands off; when GREEN comes, runs them again and ends
 * the relay. Every result it reports is that of a real run.
 */
import { hashProjectFile, hashText, readProjectFile, removeOurFile, writeProjectFile } from "../project-files.js";
import { RULES_FILE, RULES_TEXT, SOURCE_FILE, TEST_FILE, TEST_TEXT } from "../sample-project.js";
import { type Script, type Stage, unknownPrompt } from "../stage.js";
import { runTests, type TestRun } from "../test-run.js";
import { shownRun } from "./shown-run.js";

export const HAND_OFF =
  "The parseDuration tests are failing. Make them pass without editing the tests, then send me the one-line message GREEN.";

const UNDERSTANDS =
  'I start the relay on a prompt about the parseDuration tests, and end it on the one-line message "GREEN" of a peer.';

const failed = (why: string): string => `${why}\nRELAY FAILED`;

const run = (stage: Stage): Promise<TestRun> =>
  stage.tool("Bash", `node --test ${TEST_FILE}`, () => runTests(stage.cwd, TEST_FILE, stage.signal));

const open = async (stage: Stage): Promise<string> => {
  stage.say(`I write failing tests for parseDuration, one per rule of ${RULES_FILE}, and hand them over.`);
  await stage.pause();
  if ((await readProjectFile(stage.cwd, RULES_FILE)) === null)
    await stage.tool("Write", RULES_FILE, () => writeProjectFile(stage.cwd, RULES_FILE, RULES_TEXT));
  if (await removeOurFile(stage.cwd, SOURCE_FILE)) stage.say(`Took away ${SOURCE_FILE} of an earlier run.`);
  await stage.tool("Write", TEST_FILE, () => writeProjectFile(stage.cwd, TEST_FILE, TEST_TEXT));
  await stage.pause();
  const before = await run(stage);
  stage.say(shownRun(before));
  if (before.failed === 0 || before.passed > 0)
    return failed(`${before.passed} of ${before.passed + before.failed} tests pass before anyone did the work.`);
  await stage.pause();
  const sent = await stage.send(stage.peer, HAND_OFF);
  if (!sent.ok) return failed(`The hand-off to '${stage.peer}' was refused: ${sent.text}`);
  return `All ${before.failed} tests fail, as they should. Handed off to '${stage.peer}'; I wait for GREEN.`;
};

const close = async (stage: Stage): Promise<string> => {
  stage.say("GREEN has come. I check the test file and run it again.");
  await stage.pause();
  const hash = await stage.tool("Read", TEST_FILE, () => hashProjectFile(stage.cwd, TEST_FILE));
  if (hash === null) return failed(`${TEST_FILE} is not there any more.`);
  if (hash !== hashText(TEST_TEXT)) return failed(`${TEST_FILE} is not the file that I wrote: it was edited.`);
  const after = await run(stage);
  stage.say(shownRun(after));
  await stage.pause();
  if (after.failed > 0 || after.passed === 0)
    return failed(`${after.failed} of ${after.passed + after.failed} tests still fail.`);
  return `All ${after.passed} tests pass, unedited.\nRELAY DONE`;
};

export const testArchitect: Script = {
  understands: UNDERSTANDS,
  play: async ({ from, body }, stage) => {
    if (from.kind === "notice") return "Noted.";
    if (/^GREEN\.?$/.test(body)) return close(stage);
    if (from.kind === "peer" && /^RED\b/.test(body)) return failed(`'${from.name}' could not do it. ${body}`);
    // Only a person opens the relay: a peer's report that mentions the tests must not start it again.
    if (from.kind === "person" && /\bparseDuration\b/i.test(body) && /\btests?\b/i.test(body)) return open(stage);
    return unknownPrompt("test-architect", UNDERSTANDS);
  },
};
