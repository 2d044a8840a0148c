/** Ends of turns and of programs that the engine of a real Claude Code does not see happen. */
import { expect } from "vitest";
import { needs } from "../support/clis/programs.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";
import { type QuayStage, startQuayStage } from "./quay-stage.js";

needs("claude");
let stage: QuayStage;

const ready = async (...names: readonly string[]): Promise<void> => {
  stage = await startQuayStage();
  for (const name of names) await stage.launch(name);
  await Promise.all(names.map((name) => stage.untilStatus(name, "idle")));
};

verifies(
  ["restart:turn-ended-meanwhile"],
  "a turn that ends while the engine is down is known after its restart",
  async () => {
    await ready("worker");
    stage.model.when(/^Long work/, { kind: "hang", answer: "Done meanwhile." });
    await stage.send("worker", "Long work");
    await stage.untilAsked("Long work");
    await stage.send("worker", "After it");
    await stage.killEngine();
    stage.model.release();
    await until(() => stage.screen("worker").includes("Done meanwhile."), 15_000, "the answer on the screen");
    await stage.startEngine();
    expect(await stage.untilEntry("Long work", "Completed")).toMatchObject({ response: "Done meanwhile." });
    await stage.untilEntry("After it", "Completed");
  },
);

verifies(
  ["wait:ends-when-target-exits", "target:id-of-exited-status"],
  "a wait ends when its target exits, and its message fails",
  async () => {
    await ready("worker");
    stage.model.when(/^Long work/, { kind: "hang" });
    const answer = stage.send("worker", "Long work", { wait: true });
    await stage.untilAsked("Long work");
    stage.quay("kill", "worker");
    expect(await answer).toMatchObject({ ok: true, outcome: { kind: "targetExited", to: "worker" } });
    expect(await stage.untilEntry("Long work", "Failed")).toMatchObject({ notes: ["exited before its turn ended"] });
    expect(stage.quay("status", stage.agent("worker").id)).toContain("exited");
  },
);
