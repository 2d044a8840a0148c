import { describe, expect, it } from "vitest";
import type { Signal } from "../../../src/adapters/adapter.js";
import { demo } from "../../../src/adapters/demo.js";
import { launchInput } from "../../support/launch-input.js";

const input = launchInput(
  {
    id: "term-1",
    args: ["--role", "test-architect"],
    env: { LANG: "C.UTF-8" },
    newSession: "session-1",
  },
  { token: "tool-token", spoolDir: "/state/spool/term-1", assetsDir: "/quay/dist/adapters/assets" },
);

describe("launch", () => {
  it("runs the program of the package, the prompt last, and puts secrets into the environment only", () => {
    const plan = demo.launch({ ...input, prompt: "--fast is no option here" });
    expect(plan.argv).toEqual([
      "node",
      "/quay/dist/adapters/assets/../../demo/agent.js",
      "--session-id",
      "session-1",
      "--role",
      "test-architect",
      "--",
      "--fast is no option here",
    ]);
    expect(plan.env).toEqual({
      LANG: "C.UTF-8",
      QUAY_TERMINAL_ID: "term-1",
      QUAY_MCP_URL: "http://127.0.0.1:4000/mcp",
      QUAY_TOKEN: "tool-token",
      QUAY_SPOOL: "/state/spool/term-1",
      QUAY_EVENTS_URL: "http://127.0.0.1:4000/events",
      QUAY_EVENTS_SECRET: "event-secret",
    });
    expect(plan.secrets.every((name) => name in plan.env)).toBe(true);
    expect(plan.argv.join(" ")).not.toMatch(/tool-token|event-secret/);
  });

  it("keeps the session of a relaunch, and takes another program from the settings", () => {
    const plan = demo.launch({ ...input, resume: "session-0", command: "/opt/node/bin/node" });
    expect(plan.argv.slice(0, 4)).toEqual([
      "/opt/node/bin/node",
      "/quay/dist/adapters/assets/../../demo/agent.js",
      "--session-id",
      "session-0",
    ]);
  });

  it("gives no bridge when it is switched off, but the tools", () => {
    const plan = demo.launch({ ...input, wiring: { ...input.wiring, bridge: false } });
    expect(Object.keys(plan.env)).toEqual(["LANG", "QUAY_TERMINAL_ID", "QUAY_MCP_URL", "QUAY_TOKEN"]);
    expect(plan.unsetEnv).toEqual(expect.arrayContaining(["QUAY_SPOOL", "QUAY_EVENTS_URL", "QUAY_EVENTS_SECRET"]));
  });
});

describe("interpret", () => {
  const hook = (event: string, payload: Readonly<Record<string, unknown>>): Signal => ({
    kind: "hook",
    event,
    payload: { session_id: "s", ...payload },
    cliPid: 7,
  });
  const observe = (signals: readonly Signal[]) => {
    let memory: Parameters<typeof demo.interpret>[0] = {};
    return signals.flatMap((signal) => {
      const meant = demo.interpret(memory, signal);
      memory = meant.memory;
      return meant.observations;
    });
  };

  it("understands a whole turn", () => {
    const use = { prompt_id: "p", tool_name: "Bash", tool_use_id: "t" };
    const seen = observe([
      hook("SessionStart", { source: "startup" }),
      hook("UserPromptSubmit", { prompt_id: "p", prompt: "[Peer agent (x)]: GREEN" }),
      hook("PreToolUse", use),
      hook("PostToolUse", use),
      hook("Stop", { prompt_id: "p", last_assistant_message: "RELAY DONE", background_tasks: [] }),
    ]);
    expect(seen).toEqual([
      { kind: "ready", cliSession: "s", cleared: false },
      { kind: "turnStarted", cliTurn: "p", prompt: "[Peer agent (x)]: GREEN", automatic: false },
      { kind: "toolStarted", tool: "t", name: "Bash" },
      { kind: "turnContinued", cliTurn: "p" },
      { kind: "toolEnded", tool: "t", autoApproved: false },
      { kind: "turnContinued", cliTurn: "p" },
      { kind: "turnStopped", cliTurn: "p", end: { kind: "answered", text: "RELAY DONE" }, subagentsRunning: false },
    ]);
  });

  it("understands a failed turn, the program's status and a gap", () => {
    const failed = hook("StopFailure", { prompt_id: "p", error: "unknown", last_assistant_message: "no bus" });
    expect(observe([failed])).toEqual([
      { kind: "turnStopped", cliTurn: "p", end: { kind: "failed", text: "no bus" }, subagentsRunning: false },
    ]);
    const working: Signal = { kind: "programStatus", state: "working", id: "", about: null, msg: "Bash: node --test" };
    expect(observe([working])).toContainEqual({
      kind: "programStatus",
      state: "working",
      about: null,
      text: "Bash: node --test",
    });
    expect(observe([{ kind: "gap" }])).toEqual([{ kind: "programStatusLost" }]);
  });
});

describe("the description", () => {
  it("is a full peer, typed between turns, whose turns come from the bridge", () => {
    expect(demo.traits).toEqual({
      level: "full peer",
      typing: "between turns",
      turns: "bridge",
      reporter: { graceMs: 30_000, remedy: "relaunch with the bridge" },
    });
    expect(demo.title).toContain("scripted, no model");
  });
});
