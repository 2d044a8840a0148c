/** A Claude Code whose event bridge is not heard: a listener, typed at once, with the remedy; and the remedy itself. */
import { expect } from "vitest";
import { claudeCode, claudeFolder } from "../support/clis/claude.js";
import { needs } from "../support/clis/programs.js";
import { call, say } from "../support/model-server.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";
import { type QuayStage, startQuayStage } from "./quay-stage.js";

needs("claude");
let stage: QuayStage;

verifies(
  [
    "peer:claude-listener-while-unheard",
    "deliver:at-once-while-plugin-silent",
    "wait:silent-plugin-gives-remedy",
    "remedy:relaunch-line",
    "remedy:relaunch-resumes",
    "peer:claude-full-again",
  ],
  "the bridge is switched off: listener, typed at once, remedy; and relaunch brings the bridge back",
  async () => {
    stage = await startQuayStage();
    await stage.launch("asker");
    stage.setAdapter("claude", { bridge: false });
    await stage.launch("mute");
    stage.setAdapter("claude", {});
    await stage.untilStatus("asker", "idle");
    await until(() => stage.agent("mute").level === "listener", 60_000, "the end of the grace");
    expect(stage.agent("mute")).toMatchObject({ status: "unknown", fullLevel: "full peer" });

    stage.model.when(
      /^Ask mute/,
      call("mcp__quay-a2a__quay_send_message", { target_terminal_id: "mute", message: "Write it down." }),
      say("Asked."),
    );
    stage.model.when(/Write it down\./, say("Written down."));
    await stage.send("asker", "Ask mute");
    await stage.untilEntry("Ask mute", "Completed");
    await until(() => stage.screen("mute").includes("Written down."), 15_000, "the typed message and its answer");
    expect(stage.entry("Write it down.")).toMatchObject({ status: "Dispatched", timer: { kind: "none" } });
    const told = JSON.stringify(stage.model.requests.findLast((r) => r.prompt.startsWith("Ask mute"))?.body.messages);
    expect(told).toContain("quay relaunch mute");

    const before = stage.agent("mute").id;
    stage.quay("relaunch", "mute");
    await stage.untilStatus("mute", "idle");
    expect(stage.agent("mute")).toMatchObject({ level: "full peer" });
    expect(stage.agent("mute").id).not.toBe(before);
  },
);

verifies(["remedy:hooks-off-named"], "a setting of the person switches hooks off: the remedy names it", async () => {
  stage = await startQuayStage({ clis: [claudeCode({ hooksOff: true })] });
  await stage.launch("deaf");
  await until(() => stage.agent("deaf").level === "listener", 60_000, "the end of the grace");
  const file = `${claudeFolder(stage.room)}/settings.json`;
  expect(stage.agent("deaf").demoted).toContain(`disableAllHooks in ${file}`);
  stage.model.when(/^Hello/, say("Hello to you."));
  const answer = await stage.send("deaf", "Hello", { wait: true });
  expect(answer).toMatchObject({ ok: true, outcome: { kind: "cannotReply", cause: `disableAllHooks in ${file}` } });
  await until(() => stage.screen("deaf").includes("Hello to you."), 15_000, "the typed message and its answer");
});
