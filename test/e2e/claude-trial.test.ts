/** The adapter against the real Claude Code: launch plan, plugin, spool and interpreter, event by event. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { claude } from "../../src/adapters/claude.js";
import { readRegistry } from "../../src/feeds/registry-file.js";
import { needs } from "../support/clis/programs.js";
import { call, say } from "../support/model-server.js";
import { until } from "../support/until.js";
import { type ClaudeStage, startClaudeStage } from "./claude-stage.js";

needs("claude");
let stage: ClaudeStage;
afterEach(() => stage?.close());

const DIALOG = "Do you want";

/** A dialog takes no key in its first moments: pressed again while it is still there, never after. */
const answerDialog = async (key: string): Promise<void> => {
  await until(() => stage.screen().includes(DIALOG), 15_000, "the dialog");
  let pressedAt = 0;
  await until(
    () => {
      if (!stage.screen().includes(DIALOG)) return true;
      if (Date.now() - pressedAt > 500) {
        stage.keys(key);
        pressedAt = Date.now();
      }
      return false;
    },
    15_000,
    "the dialog to close",
  );
};

const registry = () => readRegistry(claude.resync!, stage.env, stage.panePid);
const requestsOf = (prompt: string) => stage.model.requests.filter((request) => request.prompt.includes(prompt));

test("a turn, its tools and its answer come through the spool, and nothing of them is left behind", async () => {
  stage = await startClaudeStage();
  const started = await stage.event("SessionStart");
  expect(started).toMatchObject({ secret: stage.eventSecret, cliPid: stage.panePid, pane: "%0" });
  const session = stage.plan.argv[stage.plan.argv.indexOf("--session-id") + 1];
  expect(stage.observed("ready")).toEqual([{ kind: "ready", cliSession: session, cleared: false }]);

  stage.model.when("list them", call("mcp__quay-a2a__quay_list_agents"), say("nobody, I see"));
  await stage.type("list them");
  await stage.event("Stop");
  const cliTurn = stage.events.find((event) => event.event === "UserPromptSubmit")?.payload.prompt_id;
  expect(stage.observed("turnStarted")).toEqual([
    { kind: "turnStarted", cliTurn, prompt: "list them", automatic: false },
  ]);
  expect(stage.observed("turnStopped")).toEqual([
    { kind: "turnStopped", cliTurn, end: { kind: "answered", text: "nobody, I see" }, subagentsRunning: false },
  ]);
  // Allowed beforehand by the launch plan: no dialog, and the token from the environment.
  const tool = stage.tools.calls[0]?.toolUseId;
  expect(stage.tools.calls).toEqual([
    { name: "quay_list_agents", authorization: `Bearer ${stage.token}`, toolUseId: tool },
  ]);
  expect(stage.observed("toolStarted")).toEqual([
    { kind: "toolStarted", tool, name: "mcp__quay-a2a__quay_list_agents" },
  ]);
  expect(stage.observed("toolEnded")).toEqual([{ kind: "toolEnded", tool, autoApproved: true }]);

  stage.model.when("many lines", say("read"));
  await stage.type("many lines:\n2\n3\n4\n5\n6");
  const pasted = await stage.event("UserPromptSubmit", 2);
  expect(pasted.payload.prompt).toContain("<pasted_content id=");
  expect(stage.observed("turnStarted").at(-1)?.prompt).toBe("many lines:\n2\n3\n4\n5\n6");
  await stage.event("Stop", 2);

  await until(() => stage.tools.pokes.length === stage.events.length, 15_000, "a poke for each event");
  expect(new Set(stage.tools.pokes.map((poke) => poke.authorization))).toEqual(
    new Set([`Bearer ${stage.eventSecret}`]),
  );
  expect(readdirSync(join(stage.spoolRoot, "trial"))).toEqual([]);
  expect(statSync(join(stage.spoolRoot, "trial")).mode & 0o777).toBe(0o700);
  // The mark at which Quay answers the OSC 7501 query stands before the query.
  const output = stage.output();
  expect(output.indexOf(claude.programStatus?.answerAt ?? "?")).toBeGreaterThanOrEqual(0);
  expect(output.indexOf(claude.programStatus?.answerAt ?? "?")).toBeLessThan(output.indexOf("\u001b]7501;?"));
  const shown = execFileSync("ps", ["-o", "args=", "-p", String(stage.panePid)], { encoding: "utf8" });
  expect(shown).toContain("--mcp-config=");
  expect(shown.includes(stage.token) || shown.includes(stage.eventSecret)).toBe(false);
});

test("an approval is announced; Esc, No, an API error and /clear end the turn as the interpreter says", async () => {
  stage = await startClaudeStage();
  await stage.event("SessionStart");
  stage.model.when("touch it", call("Bash", { command: "touch it", description: "touch" }), say("touched"));
  await stage.type("touch it");
  await stage.event("PermissionRequest");
  expect(stage.observed("promptRaised").at(-1)?.prompt).toEqual({
    about: "permission",
    text: "approve Bash: touch it",
    source: "hook",
  });
  await until(async () => (await registry()).status === "waiting", 15_000, "the registry to say waiting");
  expect(await registry()).toMatchObject({ waitingFor: expect.stringMatching(/./) });
  await answerDialog("1");
  await stage.event("Stop");
  expect(stage.observed("toolEnded").at(-1)).toMatchObject({ autoApproved: false });
  expect(stage.observed("promptClosed").at(-1)).toEqual({ kind: "promptClosed", source: "hook" });

  const seen = stage.events.length;
  await stage.type("touch it once more");
  await stage.event("PermissionRequest", 2);
  await answerDialog("Escape");
  // No hook tells of it: the registry and the transcript do.
  const told = { kind: "registryStatus", state: "idle", text: "", lastEnd: { kind: "interrupted" } };
  const denied = await until(
    async () => {
      const signal = await registry();
      const [said] = claude.interpret({}, signal).observations;
      return JSON.stringify(said) === JSON.stringify(told) && signal;
    },
    15_000,
    "the registry and the transcript to tell of the interrupt",
  );
  expect(stage.events.slice(seen).map((event) => event.event)).toEqual([
    "UserPromptSubmit",
    "PreToolUse",
    "PermissionRequest",
  ]);

  stage.model.when("hang now", { kind: "hang" });
  await stage.type("hang now");
  await until(() => requestsOf("hang now").length > 0, 15_000, "the model to be asked");
  stage.keys("Escape");
  await until(async () => (await registry()).status === "idle", 15_000, "the registry to say idle");
  // Nothing had come from the model yet: Claude Code puts the prompt back on its line.
  await until(
    () => stage.line().includes("hang now"),
    15_000,
    () => `the prompt on the line\n${stage.screen()}`,
  );
  stage.keys("C-u");

  stage.model.when("go wrong", { kind: "error", status: 400 });
  await stage.type("go wrong");
  await stage.event("StopFailure");
  expect(stage.observed("turnStopped").at(-1)?.end).toEqual({
    kind: "failed",
    text: "API Error: 400 scripted error 400",
  });

  await stage.type("/clear");
  await stage.event("SessionStart", 2);
  expect(stage.observations.slice(-2)).toEqual([
    { kind: "turnStopped", cliTurn: null, end: { kind: "cleared" }, subagentsRunning: false },
    { kind: "ready", cliSession: expect.not.stringMatching(String(denied.cliSession)), cleared: true },
  ]);
});

test("running subagents hold a turn, a background shell does not; their reports are automatic prompts", async () => {
  stage = await startClaudeStage();
  await stage.event("SessionStart");
  stage.model.when("sub work", say("sub answer", 1_000));
  stage.model.when("do sub", say("all done"));
  stage.model.when(
    "use a subagent",
    call("Agent", { description: "do sub", prompt: "sub work", subagent_type: "general-purpose" }),
    say("launched"),
  );
  await stage.type("use a subagent");
  await stage.event("Stop", 2);
  expect(stage.observed("turnStopped")).toMatchObject([
    { end: { kind: "answered", text: "launched" }, subagentsRunning: true },
    { end: { kind: "answered" }, subagentsRunning: false },
  ]);
  expect(stage.observed("turnStarted").map((one) => one.automatic)).toEqual([false, true]);

  const shell = { command: "sleep 1", description: "wait", run_in_background: true };
  stage.model.when("a shell behind", call("Bash", shell), say("started"));
  await stage.type("a shell behind");
  await stage.event("Stop", 3);
  expect(stage.events.at(-1)?.payload.background_tasks).toMatchObject([{ type: "shell", status: "running" }]);
  expect(stage.observed("turnStopped").at(-1)).toMatchObject({ subagentsRunning: false });
  await stage.event("Stop", 4);
  expect(stage.observed("turnStarted").at(-1)?.automatic).toBe(true);
});

test("the user's own list option does not swallow the first prompt, and a relaunch goes on with the session", async () => {
  stage = await startClaudeStage((input) => ({
    ...input,
    args: [...input.args, "--disallowedTools", "WebFetch"],
    prompt: "-- first prompt",
  }));
  stage.model.when("first prompt", say("first answer"));
  await stage.event("Stop");
  expect(stage.observed("turnStarted").at(-1)?.prompt).toBe("-- first prompt");
  const session = stage.observed("ready").at(-1)?.cliSession ?? null;
  expect(requestsOf("first prompt")[0]?.tools).not.toContain("WebFetch");
  stage.keys("C-d");
  stage.keys("C-d");
  const ended = await stage.event("SessionEnd");
  expect(ended.payload.reason).toBe("prompt_input_exit");

  const args = ["--permission-mode", "manual", "--session-id", String(session)];
  stage.restart({ ...stage.input, args, prompt: null, resume: session });
  const resumed = await stage.event("SessionStart", 2);
  expect(resumed.payload).toMatchObject({ source: "resume", session_id: session });
  expect(resumed.cliPid).toBe(stage.panePid);
  stage.model.when("second prompt", say("second answer"));
  await stage.type("second prompt");
  await stage.event("Stop", 2);
  expect(JSON.stringify(requestsOf("second prompt")[0]?.body.messages)).toContain("first answer");
});

test("without the bridge no event is left, and the tools are there all the same", async () => {
  stage = await startClaudeStage((input) => ({ ...input, wiring: { ...input.wiring, bridge: false } }));
  await until(() => stage.screen().includes("❯"), 20_000, "the prompt");
  stage.model.when("list them", call("mcp__quay-a2a__quay_list_agents"), say("listed"));
  await stage.type("list them");
  await until(() => stage.tools.calls.length === 1, 15_000, "the tool call");
  expect(readdirSync(join(stage.spoolRoot, "trial"))).toEqual([]);
});

test("the hook costs a turn little", async () => {
  stage = await startClaudeStage();
  await stage.event("SessionStart");
  for (const nth of [1, 2, 3, 4, 5]) {
    await stage.type(`turn ${nth}`);
    await stage.event("Stop", nth);
  }
  const folder = join(stage.configDir, "projects");
  const [project] = readdirSync(folder);
  const file = join(folder, project!, `${stage.observed("ready")[0]?.cliSession}.jsonl`);
  const took = await until(() => {
    const entries = readFileSync(file, "utf8").split("\n").filter(Boolean);
    const found = entries
      .map((line) => JSON.parse(line))
      .filter((entry) => entry.subtype === "stop_hook_summary")
      .flatMap((entry) => entry.hookInfos.map((hook: { readonly durationMs: number }) => hook.durationMs));
    return found.length >= 4 && found;
  }, 15_000);
  console.log(`Stop hook as Claude Code measured it, in ms: ${took.join(" ")}`);
  // The best of them: the others tell of the load of the machine.
  expect(Math.min(...took)).toBeLessThan(150);
});

test("no event comes before the folder is trusted; then the session starts", async () => {
  stage = await startClaudeStage((input) => input, { trusted: false });
  await until(
    () => stage.screen().includes("I trust this folder"),
    20_000,
    () => `the trust dialog\n${stage.screen()}`,
  );
  expect(readdirSync(join(stage.spoolRoot, "trial"))).toEqual([]);
  // Down and Enter at once ended the program, with "No, exit" selected in its last frame: wait until our choice stands.
  let chosenAt = 0;
  let pressedAt = 0;
  await until(
    () => {
      const isChosen = /❯\s+Yes, I trust/.test(stage.screen());
      if (!isChosen) chosenAt = 0;
      else if (chosenAt === 0) chosenAt = Date.now();
      if (!isChosen && Date.now() - pressedAt > 1_000) {
        stage.keys("Down");
        pressedAt = Date.now();
      }
      return chosenAt > 0 && Date.now() - chosenAt > 2_000;
    },
    20_000,
    () => `Yes to stay selected\n${stage.screen()}`,
  );
  stage.keys("Enter");
  await stage.event("SessionStart");
  expect(stage.observed("ready")).toHaveLength(1);
});
