import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { adapterOf, runKinds } from "../../../src/adapters/registry.js";
import { launchInput } from "../../support/launch-input.js";
import { verifies } from "../../support/verifies.js";

test("each run kind has an adapter that knows its own name", () => {
  expect(runKinds).toEqual([
    "claude",
    "codex",
    "opencode",
    "pig",
    "antigravity",
    "pi",
    "copilot",
    "kiro",
    "gemini",
    "grok",
    "aider",
    "shell",
    "custom",
    "archon",
    "demo",
  ]);
  for (const kind of runKinds) expect(adapterOf(kind)?.kind).toBe(kind);
});

test.each(["", "Claude", "toString", "__proto__", "codexx"])("there is no run kind %j", (kind) => {
  expect(adapterOf(kind)).toBeNull();
});

const INPUT = launchInput({ env: { A: "1" }, prompt: "never typed" });

verifies("non-peer:no-token", "a shell is no peer: no token, no address, and none from an outer terminal", () => {
  const shell = adapterOf("shell")!;
  const plan = shell.launch(INPUT);
  expect(shell.traits).toEqual({ level: "not a peer", typing: "never", turns: "none", reporter: null });
  expect(plan.env).toEqual({ A: "1", QUAY_TERMINAL_ID: "t1" });
  expect(plan.secrets).toEqual([]);
  expect(plan.unsetEnv).toEqual(
    expect.arrayContaining(["QUAY_TOKEN", "QUAY_MCP_URL", "QUAY_SPOOL", "QUAY_EVENTS_URL", "QUAY_EVENTS_SECRET"]),
  );
  expect(JSON.stringify(plan)).not.toMatch(/tool-secret|event-secret|never typed/);
});

test("a shell is the user's own, found where it runs", () => {
  const [program, ...args] = adapterOf("shell")!.launch({
    ...INPUT,
    args: ["-c", "echo $0 $1", "one", "two words"],
  }).argv;
  const run = (env: Readonly<Record<string, string>>): string =>
    execFileSync(program!, args, { encoding: "utf8", env }).trim();
  expect(run({ SHELL: "/bin/sh" })).toBe("one two words");
  expect(run({})).toBe("one two words");
  expect(run({ SHELL: "/bin/echo" })).toBe("-c echo $0 $1 one two words");
});

test("a setting names the shell", () => {
  expect(adapterOf("shell")!.launch({ ...INPUT, command: "/bin/fish", args: ["-l"] }).argv).toEqual([
    "/bin/fish",
    "-l",
  ]);
});
