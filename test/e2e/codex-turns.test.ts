/** What only Codex has: a helper whose call can be lost, a helper of the person's, a record of its session, subagents. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { codexCli, codexFolder } from "../support/clis/codex.js";
import { needs } from "../support/clis/programs.js";
import { call, say } from "../support/model-server.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";
import { type QuayStage, startQuayStage } from "./quay-stage.js";

needs("codex");

const ready = async (...names: readonly string[]): Promise<QuayStage> => {
  const stage = await startQuayStage({ clis: [codexCli()] });
  for (const name of names) await stage.launch(name);
  for (const name of names) await stage.untilStatus(name, "idle", 60_000);
  return stage;
};

/** More than one argument of a program may hold: Codex cannot call its helper with it. */
const LONG_ANSWER = Array.from({ length: 4_000 }, (_, k) => `${k}: a line of a very long answer`).join("\n");

verifies(
  ["codex:lost-helper-call", "peer:codex-full"],
  "an answer too long for the helper's argument comes back whole, and so does the next one",
  async () => {
    expect(LONG_ANSWER.length).toBeGreaterThan(128 * 1024);
    const stage = await ready("worker");
    stage.model.when(/^Tell it all/, say(LONG_ANSWER));
    stage.model.when(/^And again/, say("Short."));
    const answer = await stage.send("worker", "Tell it all", { wait: true });
    expect(answer).toMatchObject({ ok: true, outcome: { kind: "reply", text: LONG_ANSWER } });
    expect(await stage.untilEntry("Tell it all", "Completed")).toMatchObject({ response: LONG_ANSWER });
    expect(await stage.send("worker", "And again", { wait: true })).toMatchObject({
      outcome: { kind: "reply", text: "Short." },
    });
    await stage.untilStatus("worker", "idle");
    expect(stage.agent("worker").level).toBe("full peer");
  },
);

verifies(
  ["codex:helper-of-the-person-kept", "codex:own-process"],
  "the person's own helper is called for each turn, and Codex runs in its own process alone",
  async () => {
    const stage = await startQuayStage({
      clis: [
        (room) => {
          const helper = join(room.root, "my helper");
          writeFileSync(helper, `#!/bin/sh\nprintf '%s %s %s\\n' "$1" "$#" "$2" >> '${room.root}/helped'\n`, {
            mode: 0o755,
          });
          return codexCli({ notify: [helper, "mine"] })(room);
        },
      ],
    });
    await stage.launch("worker");
    await stage.untilStatus("worker", "idle", 60_000);
    for (const text of ["First one", "Second one"]) {
      stage.model.when(new RegExp(`^${text}`), say(`${text} done.`));
      expect(await stage.send("worker", text, { wait: true })).toMatchObject({ outcome: { text: `${text} done.` } });
    }
    const file = join(stage.room.root, "helped");
    const lines = (): readonly string[] => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);
    await until(
      () => lines().length === 2,
      10_000,
      () => `two calls of the helper: ${lines().join("; ")}`,
    );
    for (const line of lines()) expect(line).toMatch(/^mine 2 \{"type":"agent-turn-complete"/);
    const running = execFileSync("ps", ["-eo", "args="], { encoding: "utf8" });
    expect(running).not.toMatch(/codex.*app-server/);
    expect(existsSync(join(codexFolder(stage.room), "app-server-control"))).toBe(false);
  },
);

verifies("codex:subagents-end-nothing", "a subagent's end does not end the turn that started it", async () => {
  const stage = await ready("worker");
  stage.model.when(/^Sub work/, say("Sub done."));
  stage.model.when(/^Delegate/, call("multi_agent_v1/spawn_agent", { message: "Sub work", agent_type: "default" }), {
    kind: "hang",
    answer: "All done.",
  });
  await stage.send("worker", "Delegate");
  await stage.untilAsked("Sub work");
  const hasEnded = (): boolean => stage.model.requests.filter(({ prompt }) => prompt.includes("Delegate")).length > 1;
  await until(hasEnded, 20_000, () => `the main thread to go on: ${stage.story()}`);
  // Longer than the helper's call for the subagent takes.
  const end = Date.now() + 3_000;
  await until(() => stage.entry("Delegate")?.status !== "Dispatched" || Date.now() > end, 5_000, "three seconds");
  expect(stage.entry("Delegate")?.status).toBe("Dispatched");
  expect(stage.agent("worker").status).toBe("working");
  // What the subagent found is put to the model in the same turn, though the screen rests and OSC says done by then.
  await until(
    () => {
      stage.model.release();
      return stage.entry("Delegate")?.status === "Completed";
    },
    20_000,
    () => `the end: ${stage.story()}`,
  );
  expect(stage.entry("Delegate")).toMatchObject({ response: "All done." });
});

verifies(
  ["codex:relaunch-resumes", "codex:listener-while-unheard"],
  "a relaunch goes on with the session that ran last, and brings the helper back",
  async () => {
    const stage = await startQuayStage({ clis: [codexCli({ bridge: false })] });
    await stage.launch("worker");
    await until(() => stage.agent("worker").level === "listener", 60_000, "the end of the grace");
    stage.setAdapter("codex", { bridge: true });
    stage.quay("relaunch", "worker");
    await stage.untilStatus("worker", "idle", 60_000);
    expect(stage.agent("worker").level).toBe("full peer");
    stage.model.when(/^Remember/, say("The word is heron."));
    await stage.send("worker", "Remember");
    await stage.untilEntry("Remember", "Completed");
    const before = stage.agent("worker").id;
    stage.quay("relaunch", "worker");
    await until(() => stage.agent("worker").id !== before, 10_000, "the new terminal");
    await stage.untilStatus("worker", "idle", 60_000);
    stage.model.when(/^What was it/, say("Heron."));
    expect(await stage.send("worker", "What was it", { wait: true })).toMatchObject({ outcome: { text: "Heron." } });
    const asked = stage.model.requests.findLast(({ prompt }) => prompt === "What was it");
    expect(JSON.stringify(asked?.body)).toContain("The word is heron.");
  },
);

verifies(
  "deliver:codex-not-answered-by-persons-turn",
  "a message sent in the instant in which a person submits a prompt does not take that prompt's answer",
  async () => {
    const stage = await ready("worker");
    stage.model.when(/^The message/, say("Message done."));
    for (const n of [1, 2, 3]) {
      stage.model.when(new RegExp(`^My own work ${n}`), say(`Own done ${n}.`, 1_000));
      stage.press("worker", `My own work ${n}`);
      await until(() => stage.screen("worker").includes(`My own work ${n}`), 10_000, "the person's draft");
      stage.press("worker", "Enter");
      // The line is empty again, and Codex has not said yet that it works.
      const isSubmitted = (): boolean => stage.screen("worker").includes("Ask Codex to do anything");
      await until(isSubmitted, 10_000, () => `the draft to be submitted: ${stage.story()}`);
      const text = `The message ${n}`;
      await stage.send("worker", text);
      const entry = await stage.untilEntry(text, "Completed", 40_000);
      expect(entry.response ?? entry.notes.join()).toMatch(/^Message done\.$|joined/);
      await stage.untilStatus("worker", "idle");
    }
  },
);

verifies(
  ["hazard:start-up-dialogs", "codex:no-forced-hooks"],
  "a message to Codex at its question whether the folder is trusted waits, and the question is untouched",
  async () => {
    const stage = await startQuayStage({ clis: [codexCli()], trusted: false });
    const repository = join(stage.room.root, "repository");
    mkdirSync(repository);
    execFileSync("git", ["init", "-q", repository]);
    await stage.launch("worker", { cwd: repository });
    await stage.untilStatus("worker", "waiting", 60_000);
    const question = (): string => stage.screen("worker").trim();
    await until(
      () => question().includes("Trust this folder?"),
      10_000,
      () => `the question: ${stage.story()}`,
    );
    const before = question();
    stage.model.when(/^First thing/, say("First done."));
    await stage.send("worker", "First thing");
    await stage.untilEntry("First thing", "Queued");
    const end = Date.now() + 3_000;
    await until(() => question() !== before || Date.now() > end, 5_000, "three quiet seconds");
    expect(question()).toBe(before);
    stage.press("worker", "Enter");
    expect(await stage.untilEntry("First thing", "Completed", 60_000)).toMatchObject({ response: "First done." });
    // Nothing of the person's was changed but by the person's own answer.
    expect(readdirSync(codexFolder(stage.room))).not.toContain("hooks.json");
  },
);

verifies(
  "deliver:codex-between-turns",
  "a text that ends in what would open a menu is submitted as it is",
  async () => {
    const stage = await ready("worker");
    writeFileSync(join(stage.cwd, "notes.md"), "notes");
    for (const text of ["Look at @notes", "Look at this: @", "What does it cost, $"]) {
      stage.model.when(text, say("Looked."));
      await stage.send("worker", text);
      await stage.untilEntry(text, "Completed", 20_000);
      expect(stage.model.requests.findLast(({ prompt }) => prompt.startsWith(text.slice(0, 4)))?.prompt).toBe(text);
    }
  },
);
