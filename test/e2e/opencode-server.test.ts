/** The real OpenCode and the server that its TUI runs: what Quay does when it cannot be reached, and what stays the user's. */
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished } from "vitest";
import { openCode } from "../support/clis/opencode.js";
import { needs } from "../support/clis/programs.js";
import { call, say } from "../support/model-server.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";
import { startQuayStage } from "./quay-stage.js";

needs("opencode");

verifies(
  "opencode:hung-start-noticed",
  "a start that hangs on a port that is taken makes it a listener that says so",
  async () => {
    const taken = createServer(() => {});
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    const stage = await startQuayStage({ clis: [openCode()] });
    await stage.launch("hung", { args: ["--port", String(port)] });
    await until(
      () => stage.agent("hung").level === "listener",
      60_000,
      () => stage.story(),
    );
    expect(stage.agent("hung")).toMatchObject({
      status: "unknown",
      demoted: expect.stringContaining("quay relaunch hung"),
    });
    const answer = await stage.send("hung", "Hello", { wait: true });
    expect(answer).toMatchObject({ ok: true, outcome: { kind: "cannotReply", remedy: "relaunch with its server" } });
    expect(stage.quay("status", "hung")).toContain("its server cannot be reached");
  },
);

verifies(
  ["opencode:relaunch-resumes", "opencode:persons-configuration-kept", "opencode:gap-made-good"],
  "a relaunch goes on with the session; the user's own configuration and password stay in force",
  async () => {
    const stage = await startQuayStage({ clis: [openCode()] });
    const own = '{ "permission": "ask", /* mine */ "instructions": [], }';
    await stage.launch("worker", { env: { OPENCODE_CONFIG_CONTENT: own, OPENCODE_SERVER_PASSWORD: "my own: ä" } });
    await stage.untilStatus("worker", "idle", 60_000);
    stage.model.when(/^Remember/, say("I will remember."));
    stage.model.when(/^List/, call("quay-a2a_quay_list_agents"), say("Listed."));
    stage.model.when(/^Touch/, call("bash", { command: "touch touched", description: "Touch" }), say("Touched."));
    await stage.send("worker", "Remember the number 7");
    await stage.untilEntry("Remember", "Completed", 60_000);

    const before = stage.agent("worker").id;
    stage.quay("relaunch", "worker");
    await until(() => stage.agent("worker").id !== before, 10_000, "the new terminal");
    await stage.untilStatus("worker", "idle", 60_000);
    // Nothing of the old session is told as the new terminal's.
    expect(stage.trail()).toHaveLength(1);

    // Quay's own tools ask nobody, though everything else does.
    await stage.send("worker", "List them");
    expect(await stage.untilEntry("List them", "Completed")).toMatchObject({ response: "Listed." });
    const asked = stage.model.requests.findLast(({ prompt, tools }) => prompt.startsWith("List") && tools.length > 0);
    expect(JSON.stringify(asked?.body.messages)).toContain("Remember the number 7");
    expect(stage.agent("worker").autoApproved).toBe(1);
    await stage.send("worker", "Touch it");
    await stage.untilStatus("worker", "waiting");
    expect(stage.agent("worker").prompt).toMatchObject({ about: "permission", text: "approve bash: touch touched" });
  },
);

verifies("opencode:gap-made-good", "an answer that came while no Quay ran is the answer to its message", async () => {
  const stage = await startQuayStage({ clis: [openCode()] });
  await stage.launch("worker");
  await stage.untilStatus("worker", "idle", 60_000);
  stage.model.when(/^Long work/, { kind: "hang", answer: "Work done." });
  await stage.send("worker", "Long work");
  await stage.untilAsked("Long work");
  await stage.killEngine();
  stage.model.release();
  await until(() => stage.screen("worker").includes("Work done."), 20_000, "the answer on the screen");
  await stage.startEngine();
  expect(await stage.untilEntry("Long work", "Completed")).toMatchObject({ response: "Work done." });
  await stage.untilStatus("worker", "idle");
});
