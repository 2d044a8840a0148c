import { describe, expect, test } from "vitest";
import type { LaunchInput } from "../../../src/adapters/adapter.js";
import { configContent, parseContent } from "../../../src/adapters/opencode-config.js";
import { launchOpencode } from "../../../src/adapters/opencode-launch.js";
import { launchInput } from "../../support/launch-input.js";
import { verifies } from "../../support/verifies.js";

const INPUT = launchInput({ inherited: {}, server: { port: 4100, password: "server-secret" } });
const plan = (change: Partial<LaunchInput> = {}) => launchOpencode({ ...INPUT, ...change });
const configOf = (change: Partial<LaunchInput>) =>
  JSON.parse(plan(change).env.OPENCODE_CONFIG_CONTENT ?? "") as Record<string, unknown>;
const TOOLS = {
  type: "remote",
  url: "http://127.0.0.1:4000/mcp",
  enabled: true,
  oauth: false,
  headers: { Authorization: "Bearer {env:QUAY_TOKEN}" },
  timeout: 120_000,
};

verifies("peer:opencode-config-content", "the tools come by OPENCODE_CONFIG_CONTENT and nothing else", () => {
  expect(configOf({})).toEqual({ mcp: { "quay-a2a": TOOLS }, permission: { "quay-a2a_*": "allow" } });
  expect(plan().argv).toEqual(["opencode", "--port", "4100", "--hostname", "127.0.0.1"]);
});

verifies("opencode:server-private", "secrets stand in the environment only, and are named", () => {
  const made = plan({ args: ["-m", "x/y"], prompt: "- go" });
  expect(made.argv.join(" ")).not.toMatch(/-secret/);
  expect(made.argv.at(-1)).toBe("--prompt=- go");
  const shown = Object.entries(made.env).filter(([name]) => !made.secrets.includes(name));
  expect(JSON.stringify(shown)).not.toMatch(/-secret/);
  expect(made.env).toMatchObject({ QUAY_TOKEN: "tool-secret", OPENCODE_SERVER_PASSWORD: "server-secret" });
  expect(plan({ env: { A: "1", QUAY_TOKEN: "forged" } }).env).toMatchObject({ A: "1", QUAY_TOKEN: "tool-secret" });
  expect(made.unsetEnv).toEqual(["QUAY_SPOOL", "QUAY_EVENTS_URL", "QUAY_EVENTS_SECRET"]);
});

describe("what the person chose stays in force", () => {
  verifies("opencode:persons-configuration-kept", "in their own OPENCODE_CONFIG_CONTENT, comments and all", () => {
    const own = `{ // mine
      "model": "a/b", /* "mcp": {} */ "theme": "x // y",
      "mcp": { "mine": { "type": "local" }, "quay-a2a": { "url": "http://other" }, },
      "permission": { "bash": "ask", "quay-a2a_*": "ask" },
    }`;
    const expected = {
      model: "a/b",
      theme: "x // y",
      mcp: { mine: { type: "local" }, "quay-a2a": TOOLS },
      permission: { bash: "ask", "quay-a2a_*": "ask" },
    };
    expect(configOf({ inherited: { OPENCODE_CONFIG_CONTENT: own } })).toEqual(expected);
    // The terminal's own value is laid over what all programs get.
    expect(configOf({ env: { OPENCODE_CONFIG_CONTENT: own }, inherited: { OPENCODE_CONFIG_CONTENT: "{}" } })).toEqual(
      expected,
    );
  });

  verifies("opencode:persons-configuration-kept", "in one word for all permissions", () => {
    const { permission } = configOf({ env: { OPENCODE_CONFIG_CONTENT: '{"permission":"ask"}' } });
    // The last rule that fits counts.
    expect(Object.entries(permission as object)).toEqual([
      ["*", "ask"],
      ["quay-a2a_*", "allow"],
    ]);
  });

  test.each(["{", "[]", "no", '{"a":1}}'])("a value that OpenCode cannot read is left to it: %s", (own) => {
    expect(configContent(own, "http://x")).toBe(own);
  });

  test.each([undefined, "", "  \n"])("no value is none: %j", (own) => {
    expect(Object.keys(JSON.parse(configContent(own, "http://x")) as object)).toEqual(["mcp", "permission"]);
  });

  test("strings are no comments, and no commas of lists", () => {
    expect(parseContent('{"a":"/* x */ // y ,]","b":[1,2,],"c":"\\"//",// ,}\n}')).toEqual({
      a: "/* x */ // y ,]",
      b: [1, 2],
      c: '"//',
    });
  });

  verifies("opencode:persons-configuration-kept", "port, host name, user and password", () => {
    const made = plan({
      args: ["--port", "5000", "--hostname=0.0.0.0"],
      env: { OPENCODE_SERVER_PASSWORD: "own" },
      inherited: { OPENCODE_SERVER_USERNAME: "me", OPENCODE_SERVER_PASSWORD: "of all" },
    });
    expect(made.argv).toEqual(["opencode", "--port", "5000", "--hostname=0.0.0.0"]);
    expect(made.door).toEqual({ port: 5000, user: "me", password: "own", cliSession: null });
    expect(made.env.OPENCODE_SERVER_PASSWORD).toBe("own");
    expect(plan({ args: ["--mdns"] }).argv).toEqual(["opencode", "--mdns", "--port", "4100"]);
  });

  test("any port is Quay's to choose", () => {
    const made = plan({ args: ["--port=0", "--model", "x"] });
    expect(made.argv).toEqual(["opencode", "--model", "x", "--port", "4100", "--hostname", "127.0.0.1"]);
    expect(made.door).toEqual({ port: 4100, user: "opencode", password: "server-secret", cliSession: null });
  });

  test("a server that is not on this machine's loopback is not read", () => {
    const made = plan({ args: ["--hostname", "192.0.2.1"] });
    expect(made).toMatchObject({ argv: ["opencode", "--hostname", "192.0.2.1"], door: null });
    expect(made.env.OPENCODE_SERVER_PASSWORD).toBeUndefined();
  });
});

test("switched off, its server is neither started nor read", () => {
  const made = plan({ wiring: { ...INPUT.wiring, bridge: false } });
  expect(made).toMatchObject({ argv: ["opencode"], door: null, secrets: ["QUAY_TOKEN"] });
  expect(made.env).toMatchObject({ QUAY_TOKEN: "tool-secret" });
  expect(made.env.OPENCODE_SERVER_PASSWORD).toBeUndefined();
});

verifies("opencode:relaunch-resumes", "a relaunch goes on with the session of the terminal", () => {
  const made = plan({ args: ["-c", "--session", "ses_old", "--fork", "-m", "x"], resume: "ses_new" });
  expect(made.argv).toEqual([
    "opencode",
    "-m",
    "x",
    "--session",
    "ses_new",
    "--port",
    "4100",
    "--hostname",
    "127.0.0.1",
  ]);
  expect(made.door?.cliSession).toBe("ses_new");
  const first = plan({ args: ["-s", "ses_mine"] });
  expect(first.argv.slice(0, 3)).toEqual(["opencode", "-s", "ses_mine"]);
  expect(first.door?.cliSession).toBe("ses_mine");
});

test("another program by the setting", () => {
  expect(plan({ command: "/opt/opencode" }).argv[0]).toBe("/opt/opencode");
});
