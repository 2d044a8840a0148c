import { describe, expect, test } from "vitest";
import type { LaunchInput } from "../../../src/adapters/adapter.js";
import { launchCodex } from "../../../src/adapters/codex-launch.js";
import { codexSettings } from "../../../src/adapters/codex-notify.js";
import { launchInput } from "../../support/launch-input.js";
import { verifies } from "../../support/verifies.js";

const INPUT = launchInput();
const SERVER =
  'mcp_servers.quay-a2a={url="http://127.0.0.1:4000/mcp",bearer_token_env_var="QUAY_TOKEN",tool_timeout_sec=120,startup_timeout_sec=20,default_tools_approval_mode="approve"}';
const HELPER = 'notify=["sh","/assets/codex/turn-end.sh"]';
const OURS = ["codex", "-c", SERVER, "-c", HELPER];

const argvOf = (change: Partial<LaunchInput>): readonly string[] => launchCodex({ ...INPUT, ...change }).argv;
const notifyOf = (change: Partial<LaunchInput>): string | undefined =>
  argvOf(change).find((arg) => arg.startsWith("notify="));

verifies(
  ["peer:codex-overrides", "peer:codex-turn-end-helper", "codex:own-process", "codex:no-forced-hooks"],
  "adds the tools and the turn-end helper by -c, and nothing else",
  () => {
    // An override is also what keeps Codex from its daemon.
    expect(argvOf({})).toEqual(OURS);
    expect(argvOf({}).join(" ")).not.toMatch(/hook|bypass|trust|daemon|remote/);
  },
);

test("secrets stand in the environment only, and are named", () => {
  const plan = launchCodex({ ...INPUT, args: ["-m", "x"], prompt: "go" });
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
  expect(launchCodex({ ...INPUT, env: { A: "1", QUAY_TOKEN: "forged" } }).env).toMatchObject({
    A: "1",
    QUAY_TOKEN: "tool-secret",
  });
});

test("a session around us is not taken for ours", () => {
  expect(launchCodex(INPUT).unsetEnv).toContain("CODEX_THREAD_ID");
});

test("the person's args and the prompt come last, behind what ends all options", () => {
  expect(argvOf({ args: ["-m", "x", "-i", "a.png"], prompt: "-do it" })).toEqual([
    ...OURS,
    "-m",
    "x",
    "-i",
    "a.png",
    "--",
    "-do it",
  ]);
  expect(argvOf({ command: "/opt/codex" })[0]).toBe("/opt/codex");
});

describe("a relaunch", () => {
  const kept = (args: readonly string[]): readonly string[] =>
    argvOf({ args, resume: "the-session" }).slice(OURS.length + 2);

  verifies("codex:relaunch-resumes", "goes on with the terminal's session, whatever its args chose", () => {
    expect(argvOf({ resume: "the-session" })).toEqual([...OURS, "resume", "the-session"]);
    expect(kept(["-m", "x"])).toEqual(["-m", "x"]);
    expect(kept(["resume", "old-one", "-m", "x"])).toEqual(["-m", "x"]);
    expect(kept(["-m", "x", "resume", "--last"])).toEqual(["-m", "x"]);
    expect(kept(["fork", "--all"])).toEqual([]);
  });
});

describe("the person's own helper", () => {
  verifies("codex:helper-of-the-person-kept", "is called after ours, from wherever Codex would take it", () => {
    expect(notifyOf({ settings: ['notify = ["notify-send", "Codex"]\n'] })).toBe(
      'notify=["sh","/assets/codex/turn-end.sh","notify-send","Codex"]',
    );
    // The first file that has one counts; what stands in the command line counts before all files.
    const settings = ['model = "x"', "notify=['a']", "notify=['b']"];
    expect(notifyOf({ settings })).toBe('notify=["sh","/assets/codex/turn-end.sh","a"]');
    expect(notifyOf({ settings, args: ["-c", 'notify=["c"]'] })).toBe('notify=["sh","/assets/codex/turn-end.sh","c"]');
  });

  test.each([
    [["-c", 'notify=["c","d"]', "-m", "x"]],
    [["-m", "x", "--config", 'notify = ["c","d"]']],
    [["-m", "x", "--config=notify=['c','d']"]],
    [["-c", 'notify=["early"]', "-m", "x", '-cnotify=["c","d"]']],
  ])("leaves the args, since the last override would win: %j", (args) => {
    expect(argvOf({ args })).toEqual([
      "codex",
      "-c",
      SERVER,
      "-c",
      'notify=["sh","/assets/codex/turn-end.sh","c","d"]',
      "-m",
      "x",
    ]);
  });

  test("is not taken out of a prompt", () => {
    expect(argvOf({ args: ["--", "-c", 'notify=["c"]'] }).slice(OURS.length)).toEqual(["--", "-c", 'notify=["c"]']);
  });

  test("is looked for in the profile's, the user's and the system's file, not in the project's", () => {
    const env = { HOME: "/h" };
    expect(codexSettings(env, [])).toEqual(["/h/.codex/config.toml", "/etc/codex/config.toml"]);
    expect(codexSettings({ HOME: "/h", CODEX_HOME: "/c" }, ["-p", "work"])).toEqual([
      "/c/work.config.toml",
      "/c/config.toml",
      "/etc/codex/config.toml",
    ]);
    for (const args of [["--profile", "p"], ["--profile=p"], ["-p=p"], ["-pp"]])
      expect(codexSettings(env, args)[0]).toBe("/h/.codex/p.config.toml");
    for (const args of [["-p", "../../x"], ["-p"], ["--", "-p", "x"]]) expect(codexSettings(env, args)).toHaveLength(2);
  });
});

verifies(
  "codex:listener-while-unheard",
  "with the bridge off there is no helper of ours, and theirs is untouched",
  () => {
    const plan = launchCodex({
      ...INPUT,
      args: ["-c", 'notify=["mine"]'],
      wiring: { ...INPUT.wiring, bridge: false },
    });
    expect(plan.argv).toEqual(["codex", "-c", SERVER, "-c", 'notify=["mine"]']);
    expect(Object.keys(plan.env)).toEqual(["QUAY_TERMINAL_ID", "QUAY_MCP_URL", "QUAY_TOKEN"]);
    expect(plan.unsetEnv).toEqual(expect.arrayContaining(["QUAY_SPOOL", "QUAY_EVENTS_URL", "QUAY_EVENTS_SECRET"]));
    expect(plan.secrets).toEqual(["QUAY_TOKEN"]);
  },
);
