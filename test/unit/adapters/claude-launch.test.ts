import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { LaunchInput } from "../../../src/adapters/adapter.js";
import { launchClaude } from "../../../src/adapters/claude-launch.js";
import { launchInput } from "../../support/launch-input.js";
import { verifies } from "../../support/verifies.js";

const INPUT = launchInput({ newSession: "new-uuid" });
const argvOf = (change: Partial<LaunchInput>): readonly string[] => launchClaude({ ...INPUT, ...change }).argv;
const ADDED = 4;

verifies(
  ["peer:claude-mcp-inline", "peer:claude-plugin-answers"],
  "adds the tools and the bridge, and nothing else",
  () => {
    const { argv } = launchClaude(INPUT);
    expect(argv).toEqual([
      "claude",
      "--plugin-dir=/assets/claude-plugin",
      expect.stringMatching(/^--mcp-config=/),
      "--allowedTools=mcp__quay-a2a",
      "--session-id",
      "new-uuid",
    ]);
    expect(JSON.parse(argv[2]!.slice("--mcp-config=".length))).toEqual({
      mcpServers: {
        "quay-a2a": {
          type: "http",
          url: "http://127.0.0.1:4000/mcp",
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the CLI expands it
          headers: { Authorization: "Bearer ${QUAY_TOKEN}" },
          alwaysLoad: true,
          timeout: 120_000,
        },
      },
    });
  },
);

verifies("tools:at-quay-mcp-url", "secrets stand in the environment only, and are named", () => {
  const plan = launchClaude({ ...INPUT, args: ["--model", "x"], prompt: "go" });
  expect(plan.argv.join(" ")).not.toMatch(/tool-secret|event-secret/);
  expect(plan.env).toEqual({
    QUAY_TERMINAL_ID: "t1",
    QUAY_MCP_URL: "http://127.0.0.1:4000/mcp",
    QUAY_TOKEN: "tool-secret",
    QUAY_SPOOL: "/s/t1",
    QUAY_EVENTS_URL: "http://127.0.0.1:4000/events",
    QUAY_EVENTS_SECRET: "event-secret",
  });
  const shown = Object.entries(plan.env).filter(([name]) => !plan.secrets.includes(name));
  expect(JSON.stringify(shown)).not.toMatch(/tool-secret|event-secret/);
});

test("the user's environment stays, but cannot take the place of ours", () => {
  const { env } = launchClaude({ ...INPUT, env: { EDITOR: "vi", QUAY_TOKEN: "forged" } });
  expect(env).toMatchObject({ EDITOR: "vi", QUAY_TOKEN: "tool-secret" });
});

test("a session around us is not taken for ours", () => {
  expect(launchClaude(INPUT).unsetEnv).toContain("CLAUDECODE");
});

describe("the session", () => {
  test.each([[[]], [["--model", "opus"]], [["--add-dir", "-c-d"]]])("is new by default: %j", (args) => {
    expect(argvOf({ args }).slice(ADDED)).toEqual(["--session-id", "new-uuid", ...args]);
  });

  test.each([
    [["--resume", "abc"]],
    [["--resume=abc"]],
    [["-r"]],
    [["--continue"]],
    [["-c", "--fork-session"]],
    [["--session-id", "mine"]],
  ])("is the user's when they choose it: %j", (args) => {
    expect(argvOf({ args }).slice(ADDED)).toEqual(args);
  });

  test.each([
    [
      ["--model", "opus", "--verbose"],
      ["--model", "opus", "--verbose"],
    ],
    [
      ["--session-id", "mine", "--model", "opus"],
      ["--model", "opus"],
    ],
    [
      ["-c", "--fork-session", "--model", "opus"],
      ["--model", "opus"],
    ],
    [
      ["--resume", "--model", "opus"],
      ["--model", "opus"],
    ],
    [
      ["--model", "opus", "-r", "old"],
      ["--model", "opus"],
    ],
    [
      ["--resume=old", "--model", "opus"],
      ["--model", "opus"],
    ],
  ])("is the terminal's own after a relaunch, whatever its args chose: %j", (args, kept) => {
    expect(argvOf({ args, resume: "the-session" }).slice(ADDED)).toEqual(["--resume", "the-session", ...kept]);
  });
});

test("the prompt comes last, after what ends all options", () => {
  expect(argvOf({ args: ["--disallowedTools", "WebFetch"], prompt: "-do it" }).slice(-4)).toEqual([
    "--disallowedTools",
    "WebFetch",
    "--",
    "-do it",
  ]);
});

test("a setting names another program", () => {
  expect(argvOf({ command: "/opt/claude" })[0]).toBe("/opt/claude");
});

test("with the bridge off there is no plugin and no spool, and the tools stay", () => {
  const plan = launchClaude({ ...INPUT, wiring: { ...INPUT.wiring, bridge: false } });
  expect(plan.argv.some((arg) => arg.includes("plugin"))).toBe(false);
  expect(plan.argv[1]).toMatch(/^--mcp-config=/);
  expect(Object.keys(plan.env)).toEqual(["QUAY_TERMINAL_ID", "QUAY_MCP_URL", "QUAY_TOKEN"]);
  expect(plan.unsetEnv).toEqual(expect.arrayContaining(["QUAY_SPOOL", "QUAY_EVENTS_URL", "QUAY_EVENTS_SECRET"]));
  expect(plan.secrets).toEqual(["QUAY_TOKEN"]);
});

test("the plugin hooks every event that the interpreter reads", () => {
  const read = (file: string): string =>
    readFileSync(new URL(`../../../src/adapters/${file}`, import.meta.url), "utf8");
  const { hooks } = JSON.parse(read("assets/claude-plugin/hooks/hooks.json")) as {
    readonly hooks: Readonly<Record<string, readonly { readonly hooks: readonly { readonly command: string }[] }[]>>;
  };
  const cases = [...read("claude-interpret.ts").matchAll(/case "([A-Z]\w+)":/g)].map((match) => match[1]);
  expect(cases.length).toBeGreaterThan(10);
  expect(Object.keys(hooks)).toEqual(expect.arrayContaining(cases));
  for (const [event, entries] of Object.entries(hooks)) {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the CLI expands it
    const command = 'exec sh "${CLAUDE_PLUGIN_ROOT}/hooks/spool.sh"';
    expect(entries).toEqual([{ hooks: [{ type: "command", command: `${command} ${event}`, timeout: 10 }] }]);
  }
});
