/** How the listeners and the terminals beside the agents are launched, and what they are on the bus. */
import { describe, expect, test } from "vitest";
import type { LaunchInput } from "../../../src/adapters/adapter.js";
import { adapterOf } from "../../../src/adapters/registry.js";
import { launchInput } from "../../support/launch-input.js";
import { verifies } from "../../support/verifies.js";

const INPUT = launchInput({ env: { A: "1" } }, { mcpUrl: "http://127.0.0.1:1/mcp" });

const planOf = (kind: string, change: Partial<LaunchInput> = {}) => adapterOf(kind)!.launch({ ...INPUT, ...change });

const LISTENERS = ["copilot", "kiro", "gemini", "grok", "aider"];

verifies("listener:kinds", "five CLIs are listeners: typed at once, their turns unseen", () => {
  for (const kind of LISTENERS) {
    expect(adapterOf(kind)?.traits).toEqual({ level: "listener", typing: "at once", turns: "none", reporter: null });
    expect(adapterOf(kind)?.interpret({ a: 1 }, { kind: "gap" })).toEqual({ memory: { a: 1 }, observations: [] });
  }
});

verifies("listener:own-flags", "their command line is the person's own", () => {
  const argvOf = (kind: string, change: Partial<LaunchInput>) => planOf(kind, change).argv;
  const args = ["--model", "m"];
  expect(argvOf("copilot", { args })).toEqual(["copilot", "--model", "m"]);
  expect(argvOf("kiro", { args })).toEqual(["kiro-cli", "chat", "--model", "m"]);
  expect(argvOf("kiro", { args: ["chat", "--resume"] })).toEqual(["kiro-cli", "chat", "--resume"]);
  expect(argvOf("gemini", { args, command: "/x/gemini" })).toEqual(["/x/gemini", "--model", "m"]);
  expect(argvOf("grok", { args })).toEqual(["grok", "--model", "m"]);
  expect(argvOf("aider", { args })).toEqual(["aider", "--model", "m"]);
});

describe("the environment of a listener", () => {
  test.each(LISTENERS)("%s", (kind) => {
    const plan = planOf(kind);
    expect(plan.env).toEqual({
      A: "1",
      QUAY_TERMINAL_ID: "t1",
      QUAY_MCP_URL: "http://127.0.0.1:1/mcp",
      QUAY_TOKEN: "tool-secret",
    });
    expect(plan.secrets).toEqual(["QUAY_TOKEN"]);
    expect(plan.unsetEnv).toEqual(["QUAY_SPOOL", "QUAY_EVENTS_URL", "QUAY_EVENTS_SECRET"]);
    expect(plan.argv.join(" ")).not.toContain("secret");
  });
});

test("a first prompt goes by the CLI's own flag, and is refused where there is none", () => {
  const prompt = "--help me";
  expect(planOf("gemini", { prompt }).argv).toEqual(["gemini", "-i", prompt]);
  expect(planOf("copilot", { prompt }).argv).toEqual(["copilot", "-i", prompt]);
  expect(planOf("kiro", { prompt }).argv).toEqual(["kiro-cli", "chat", "--", prompt]);
  for (const kind of ["grok", "aider"]) {
    expect(adapterOf(kind)?.seatFault?.({ args: [], prompt, command: null })).toMatch(/no flag for a first prompt/);
    expect(adapterOf(kind)?.seatFault?.({ args: [], prompt: null, command: null })).toBeNull();
  }
  expect(adapterOf("gemini")?.seatFault?.({ args: [], prompt, command: null })).toBeNull();
});

test("Enter comes late where it was seen to be lost, or where nobody could try", () => {
  expect(LISTENERS.map((kind) => adapterOf(kind)?.enterAfterMs)).toEqual([0, 300, 300, 300, 300]);
});

verifies(["listener:not-peers-beside", "non-peer:no-token"], "a custom command and Archon get nothing", () => {
  for (const kind of ["custom", "archon"]) {
    expect(adapterOf(kind)?.traits.level).toBe("not a peer");
    const plan = planOf(kind, { args: ["workflow", "list"], prompt: "never typed" });
    expect(plan.env).toEqual({ A: "1", QUAY_TERMINAL_ID: "t1" });
    expect(plan.unsetEnv).toEqual(expect.arrayContaining(["QUAY_TOKEN", "QUAY_MCP_URL"]));
    expect(JSON.stringify(plan)).not.toMatch(/secret"|never typed/);
  }
  expect(planOf("archon", { args: ["workflow", "list"] }).argv).toEqual(["archon", "workflow", "list"]);
  expect(planOf("custom", { args: ["htop", "-d", "5"] }).argv).toEqual(["htop", "-d", "5"]);
  expect(planOf("custom", { command: "/x/run", args: ["-v"] }).argv).toEqual(["/x/run", "-v"]);
});

test("a custom terminal without a command is refused with what to do", () => {
  const faultOf = adapterOf("custom")!.seatFault!;
  expect(faultOf({ args: [], prompt: null, command: null })).toMatch(/-- COMMAND ARGS/);
  expect(faultOf({ args: ["htop"], prompt: null, command: null })).toBeNull();
  expect(faultOf({ args: [], prompt: null, command: "/x/run" })).toBeNull();
});
