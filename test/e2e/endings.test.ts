/** How a turn of a real Claude Code can end, or go on, other than by an answer. */
import { expect } from "vitest";
import { claudeCode } from "../support/clis/claude.js";
import { needs } from "../support/clis/programs.js";
import { call, say } from "../support/model-server.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";
import { type QuayStage, startQuayStage } from "./quay-stage.js";

needs("claude");
let stage: QuayStage;

const ready = async (permissions: "allow" | "ask" = "allow"): Promise<void> => {
  stage = await startQuayStage({ clis: [claudeCode({ permissions })] });
  await stage.launch("worker");
  await stage.untilStatus("worker", "idle");
};

verifies(["ending:interrupted"], "a dialog's No ends the turn as interrupted", async () => {
  await ready("ask");
  stage.model.when(/^Touch it/, call("Bash", { command: "touch touched", description: "Touch" }), say("unreachable"));
  await stage.send("worker", "Touch it");
  await stage.untilStatus("worker", "waiting");
  await until(() => stage.screen("worker").includes("Do you want to proceed?"), 10_000, "the dialog");
  stage.press("worker", "Escape");
  expect(await stage.untilEntry("Touch it", "Completed")).toMatchObject({ notes: ["interrupted before it answered"] });
});

verifies(
  ["ending:interrupted", "hazard:interrupt-without-hook"],
  "a CLI that prints no OSC 7501 is seen to be interrupted, at work and at a dialog",
  async () => {
    stage = await startQuayStage({ clis: [claudeCode({ permissions: "ask" })] });
    await stage.launch("worker", { env: { CLAUDE_CODE_DISABLE_TERMINAL_TITLE: "1" } });
    await stage.untilStatus("worker", "idle");
    stage.model.when(/^Touch it/, call("Bash", { command: "touch touched", description: "Touch" }), say("unreachable"));
    stage.model.when(/^Long work/, { kind: "hang" });
    await stage.send("worker", "Touch it");
    await stage.untilStatus("worker", "waiting");
    await until(() => stage.screen("worker").includes("Do you want to proceed?"), 10_000, "the dialog");
    stage.press("worker", "Escape");
    expect(await stage.untilEntry("Touch it", "Completed")).toMatchObject({
      notes: ["interrupted before it answered"],
    });
    await stage.send("worker", "Long work");
    await stage.untilAsked("Long work");
    stage.press("worker", "Escape");
    expect(await stage.untilEntry("Long work", "Completed")).toMatchObject({
      notes: ["interrupted before it answered"],
    });
  },
);

verifies(
  ["tool:send-message:waits-for-its-own-turn", "deliver:next-at-turn-end"],
  "a message typed while the person's own Stop hook still runs gets its own answer",
  async () => {
    stage = await startQuayStage({ clis: [claudeCode({ stopHook: "sleep 5" })] });
    await stage.launch("worker");
    await stage.untilStatus("worker", "idle");
    stage.model.when(/^First/, say("One."));
    stage.model.when(/^Second/, say("Two."));
    await stage.send("worker", "First");
    // The same words twice: under one id they look like a hook that ran twice.
    for (const text of ["Second", "Second"]) {
      expect(await stage.send("worker", text, { wait: true })).toMatchObject({
        outcome: { kind: "reply", text: "Two." },
      });
    }
    expect(
      stage.model.requests.filter(({ prompt, tools }) => tools.length > 0 && prompt.includes("Second")),
    ).toHaveLength(2);
  },
);

verifies(["ending:cleared"], "/clear in a turn ends it as cleared, and the next message is typed", async () => {
  await ready();
  stage.model.when(/^Long work/, { kind: "hang" });
  stage.model.when(/^Afterwards/, say("Here again."));
  await stage.send("worker", "Long work");
  await stage.untilAsked("Long work");
  stage.press("worker", "/clear", "Enter");
  await until(() => stage.screen("worker").includes("Queued"), 10_000, "the queued command");
  // Esc ends the turn, and the CLI runs the command that waited.
  stage.press("worker", "Escape");
  const entry = await stage.untilEntry("Long work", "Completed");
  expect(entry.notes).toEqual(["its session was cleared"]);
  await stage.untilStatus("worker", "idle");
  await stage.send("worker", "Afterwards");
  expect(await stage.untilEntry("Afterwards", "Completed")).toMatchObject({ response: "Here again." });
});

verifies(["hazard:subagents-hold-turn"], "a turn is not over while its subagent runs", async () => {
  await ready();
  stage.model.when(
    /^Delegate/,
    call("Agent", { description: "do sub", prompt: "Sub work", subagent_type: "general-purpose" }),
    say("Started a helper."),
  );
  stage.model.when(/^Sub work/, { kind: "hang", answer: "Sub done." });
  await stage.send("worker", "Delegate");
  await until(() => stage.screen("worker").includes("Started a helper."), 20_000, "the main answer");
  expect(stage.entry("Delegate")?.status).toBe("Dispatched");
  await stage.send("worker", "Not yet");
  await stage.untilEntry("Not yet", "Queued");
  // The next request is the automatic turn, in which the CLI hears that its subagent ended.
  stage.model.queue(say("All is done."));
  stage.model.release();
  expect(await stage.untilEntry("Delegate", "Completed")).toMatchObject({ response: "All is done." });
  await stage.untilEntry("Not yet", "Completed");
});

verifies(["hazard:subagents-hold-turn"], "a background shell does not hold the turn", async () => {
  await ready();
  stage.model.when(
    /^Start a server/,
    call("Bash", { command: "sleep 300", description: "serve", run_in_background: true }),
    say("It runs."),
  );
  stage.model.when(/^Another thing/, say("Done too."));
  await stage.send("worker", "Start a server");
  expect(await stage.untilEntry("Start a server", "Completed")).toMatchObject({ response: "It runs." });
  await stage.send("worker", "Another thing");
  expect(await stage.untilEntry("Another thing", "Completed")).toMatchObject({ response: "Done too." });
});
