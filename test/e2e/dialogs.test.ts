/** Dialogs of a real Claude Code: nothing is typed on them, and what waits is typed when they are gone. */
import { expect } from "vitest";
import { needs } from "../support/clis/programs.js";
import { say } from "../support/model-server.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";
import { type QuayStage, startQuayStage } from "./quay-stage.js";

needs("claude");
let stage: QuayStage;

/** The part of the screen below its last full-width rule: the dialog, without the spinner above it. */
const dialogOf = (name: string): string =>
  stage
    .screen(name)
    .split(/─{40,}/)
    .at(-1) ?? "";

/** The dialog stays the same for three seconds, many looks of the engine. */
const staysAs = async (name: string, before: string): Promise<void> => {
  const end = Date.now() + 3_000;
  await until(() => dialogOf(name) !== before || Date.now() > end, 5_000, "three quiet seconds");
  expect(dialogOf(name)).toBe(before);
};

verifies(
  ["hazard:start-up-dialogs", "deliver:queued-while-starting", "hazard:dialog-without-hook"],
  "a message to an agent at the folder-trust dialog waits; the dialog is untouched, and the first message is kept",
  async () => {
    stage = await startQuayStage({ trusted: false });
    await stage.launch("worker");
    await stage.untilStatus("worker", "waiting");
    await until(() => stage.screen("worker").includes("Yes, I trust this folder"), 10_000, "the dialog");
    expect(stage.agent("worker").prompt?.text).toMatch(/trust/);
    const before = dialogOf("worker");
    stage.model.when(/^First thing/, say("First done."));
    await stage.send("worker", "First thing");
    await stage.untilEntry("First thing", "Queued");
    await staysAs("worker", before);
    stage.press("worker", "Down");
    await until(() => /❯ .*Yes, I trust/.test(stage.screen("worker")), 5_000, "the other choice");
    stage.press("worker", "Enter");
    expect(await stage.untilEntry("First thing", "Completed")).toMatchObject({ response: "First done." });
  },
);
