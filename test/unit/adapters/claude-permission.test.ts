import { expect, test } from "vitest";
import { claudePermission } from "../../../src/adapters/claude-permission.js";

const asked = (payload: Readonly<Record<string, unknown>>, event = "PermissionRequest") =>
  claudePermission.asked({ kind: "hook", event, payload, cliPid: 1 });

test.each([
  ["Bash", { command: "touch x", description: "Touch" }, { kind: "command", value: "touch x" }],
  ["Write", { file_path: "/a/b", content: "x" }, { kind: "path", value: "/a/b" }],
  ["NotebookEdit", { notebook_path: "/a/n" }, { kind: "path", value: "/a/n" }],
  ["WebFetch", { url: "https://a.b/", prompt: "p" }, { kind: "address", value: "https://a.b/" }],
  ["WebSearch", { query: "tmux" }, { kind: "text", value: "tmux" }],
  ["mcp__x__y", { command: "ls" }, null],
  ["toString", {}, null],
])("a request of %s is judged by its argument", (tool, input, argument) => {
  expect(asked({ tool_name: tool, tool_input: input })).toMatchObject({ tool, argument });
});

test.each([
  ["another event", { tool_name: "Bash", tool_input: { command: "ls" } }, "PreToolUse"],
  ["no tool", { tool_input: { command: "ls" } }, undefined],
  ["an input that is none", { tool_name: "Bash", tool_input: "ls" }, undefined],
  ["an argument that is no text", { tool_name: "Bash", tool_input: { command: ["ls"] } }, undefined],
  ["an argument under another name", { tool_name: "Write", tool_input: { path: "/a" } }, undefined],
  [
    "a command outside the sandbox",
    { tool_name: "Bash", tool_input: { command: "ls", dangerouslyDisableSandbox: true } },
    undefined,
  ],
])("%s asks for nothing that a rule may answer", (_what, payload, event) => {
  expect(asked(payload, event)).toBeNull();
});

test("what is shown is one cut line, and its dialog is the prompt's text", () => {
  const request = asked({ tool_name: "Bash", tool_input: { command: `a\nb ${"x".repeat(300)}` } });
  expect(request?.what).toMatch(/^Bash: a b x+…$/);
  expect(request?.dialog).toBe(`approve ${request?.what}`);
});
