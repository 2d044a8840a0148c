/** Three real CLIs on one bus: Claude Code asks Codex, Codex asks OpenCode, and the answers come back the same way. */
import { expect } from "vitest";
import { claudeCode } from "../support/clis/claude.js";
import { codexCli } from "../support/clis/codex.js";
import { openCode } from "../support/clis/opencode.js";
import { needs } from "../support/clis/programs.js";
import { call, say } from "../support/model-server.js";
import { verifies } from "../support/verifies.js";
import { type QuayStage, startQuayStage } from "./quay-stage.js";

needs("claude", "codex", "opencode");

/** What the tools of the turn with this prompt answered, as its model heard it. */
const resultsOf = (stage: QuayStage, prompt: string): string =>
  stage.model.requests.findLast((request) => request.prompt.includes(prompt))?.results.join("\n") ?? "";

verifies(
  "contract:three-clis",
  "a question goes through three CLIs, and its answers come back",
  async () => {
    const stage = await startQuayStage({ clis: [claudeCode(), codexCli(), openCode()] });
    const { model } = stage;
    model.when(
      /^Find out the number/,
      call("mcp__quay-a2a__quay_send_message", { target_terminal_id: "coder", message: "What is the number?" }),
      say("The lead knows: 42."),
    );
    model.when(
      /What is the number\?/,
      call("mcp__quay_a2a/quay_send_message", { target_terminal_id: "keeper", message: "Which number do you keep?" }),
      say("The keeper says 42."),
    );
    model.when(/Which number do you keep\?/, say("I keep 42.", 1_000));

    await stage.launch("lead", { kind: "claude" });
    await stage.launch("coder", { kind: "codex" });
    await stage.launch("keeper", { kind: "opencode" });
    for (const name of ["lead", "coder", "keeper"]) await stage.untilStatus(name, "idle", 60_000);
    await stage.send("lead", "Find out the number.");
    await stage.untilEntry("Find out the number.", "Completed", 90_000);

    expect(stage.trail().map(({ from, to, label, response }) => ({ from, to, label, response }))).toEqual([
      { from: "coder", to: "keeper", label: "Reply:", response: "I keep 42." },
      { from: "lead", to: "coder", label: "Reply:", response: "The keeper says 42." },
      { from: "You", to: "lead", label: "Answer:", response: "The lead knows: 42." },
    ]);
    expect(stage.trail().map(({ status }) => status)).toEqual(["Completed", "Completed", "Completed"]);
    expect(resultsOf(stage, "What is the number?")).toContain("Reply from keeper:\nI keep 42.");
    expect(resultsOf(stage, "Find out the number.")).toContain("Reply from coder:\nThe keeper says 42.");
    const asked = model.requests.find(({ prompt }) => prompt.includes("Which number do you keep?"));
    expect(asked?.prompt).toContain("[Peer agent (coder)]: Which number do you keep?");
    for (const name of ["lead", "coder", "keeper"]) await stage.untilStatus(name, "idle");
  },
  180_000,
);
