/** Permission requests of a real Claude Code that a rule of Quay answers, and those that none does. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { claudeCode } from "../support/clis/claude.js";
import { needs } from "../support/clis/programs.js";
import { call, say } from "../support/model-server.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";
import { type QuayStage, startQuayStage } from "./quay-stage.js";

needs("claude");
let stage: QuayStage;
const start = async (approve?: readonly string[]): Promise<void> => {
  stage = await startQuayStage({ clis: [claudeCode({ permissions: "ask" })] });
  await stage.launch("worker", approve === undefined ? {} : { approve });
  await stage.untilStatus("worker", "idle");
};

const bash = (prompt: RegExp, command: string, answer: string): void =>
  stage.model.when(prompt, call("Bash", { command, description: "Touch" }), say(answer));

const isMade = (file: string): boolean => existsSync(join(stage.cwd, file));
const isAsked = (): boolean => stage.screen("worker").includes("Do you want to proceed?");

verifies(
  ["approve:counted", "approve:on-trail", "approve:never-typed"],
  "a rule lets the tool run without a key; it is counted and on the trail",
  async () => {
    await start(["Bash(touch made-*)"]);
    bash(/^Touch it/, "touch made-one", "Touched.");
    await stage.send("worker", "Touch it");
    expect(await stage.untilEntry("Touch it", "Completed")).toMatchObject({ response: "Touched." });
    expect(isMade("made-one")).toBe(true);
    expect(stage.agent("worker")).toMatchObject({ status: "idle", autoApproved: 1, prompt: null });
    expect(stage.entry("Bash: touch made-one")).toMatchObject({
      from: "Quay",
      to: "worker",
      tag: "Approval",
      notes: ["approved by the rule Bash(touch made-*) of its launch"],
    });
    expect(stage.quay("status", "worker")).toMatch(/auto-approved\s+1\n/);
  },
);

verifies(
  ["approve:no-rule-no-answer", "approve:commands", "hazard:dialog-untouched"],
  "what no rule covers opens the dialog as ever, and nothing runs",
  async () => {
    await start(["Bash(touch made-*)"]);
    bash(/^Touch more/, "touch made-one; touch made-two", "Touched.");
    await stage.send("worker", "Touch more");
    await stage.untilStatus("worker", "waiting");
    await until(isAsked, 10_000, "the dialog");
    // Longer than any answer of Quay takes.
    const end = Date.now() + 5_000;
    await until(() => !isAsked() || Date.now() > end, 10_000, "five quiet seconds");
    expect([isAsked(), isMade("made-one"), isMade("made-two")]).toEqual([true, false, false]);
    expect(stage.agent("worker").autoApproved).toBe(0);
    stage.press("worker", "Enter");
    expect(await stage.untilEntry("Touch more", "Completed")).toMatchObject({ response: "Touched." });
    expect(isMade("made-two")).toBe(true);
    expect(stage.agent("worker").autoApproved).toBe(0);
  },
);

verifies(
  "approve:without-engine",
  "while the engine is away the dialog opens as ever; the next engine answers again",
  async () => {
    await start(["Bash(touch made-*)"]);
    bash(/^Touch alone/, "touch made-alone", "Alone.");
    bash(/^Touch again/, "touch made-again", "Again.");
    await stage.killEngine();
    stage.press("worker", "-l", "Touch alone");
    stage.press("worker", "Enter");
    await until(isAsked, 15_000, "the dialog");
    expect(isMade("made-alone")).toBe(false);
    // A dialog takes no key in its first moment: a person presses again.
    let pressedAt = 0;
    const press = (): boolean => {
      if (isAsked() && Date.now() - pressedAt > 1_000) {
        pressedAt = Date.now();
        stage.press("worker", "Enter");
      }
      return isMade("made-alone");
    };
    await until(press, 10_000, () => `the file: ${stage.screen("worker")}`);
    await until(() => stage.screen("worker").includes("Alone."), 10_000, "the answer");
    await stage.startEngine();
    await stage.untilStatus("worker", "idle");
    await stage.send("worker", "Touch again");
    expect(await stage.untilEntry("Touch again", "Completed")).toMatchObject({ response: "Again." });
    expect(stage.agent("worker").autoApproved).toBe(1);
  },
);
