/** The demo agents in real tmux: what a person sees, what the spool gets, what the tool server is asked. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { demoLine } from "../../src/adapters/demo-line.js";
import { TEST_FILE } from "../../src/demo/sample-project.js";
import { HAND_OFF } from "../../src/demo/scripts/test-architect.js";
import { compileDemo, type DemoProgram } from "../support/demo-program.js";
import { temporaryProject } from "../support/demo-stage.js";
import { type DemoHost, type DemoTerminal, openDemoHost } from "../support/demo-terminal.js";
import { type SendCall, startToolsServer, type ToolsServer } from "../support/demo-tools-server.js";
import { until } from "../support/until.js";

const OPENING = "Write failing unit tests for parseDuration, one per rule in AGENTS.md, and end with RELAY DONE.";

let program: DemoProgram;
let host: DemoHost;
let project: Awaited<ReturnType<typeof temporaryProject>>;
let calls: SendCall[];
let tools: ToolsServer;

beforeAll(async () => {
  program = await compileDemo();
});
afterAll(() => program.remove());
beforeEach(async () => {
  host = await openDemoHost();
  project = await temporaryProject();
  calls = [];
  tools = await startToolsServer(["token-test-architect", "token-feature-impl"], (call) => {
    calls.push(call);
    return `Successfully dispatched task to ${call.target}.`;
  });
});
afterEach(async () => {
  await host.close();
  await tools.close();
  await project.remove();
});

const start = (role: string, more: readonly string[] = [], size: { columns?: number; rows?: number } = {}) =>
  host.start({
    agent: program.agent,
    args: ["--role", role, "--session-id", `session-${role}`, ...more],
    cwd: project.cwd,
    env: { QUAY_MCP_URL: tools.url, QUAY_TOKEN: `token-${role}` },
    ...size,
  });

const isEmpty = async (terminal: DemoTerminal): Promise<boolean> => demoLine.line(await terminal.screen()) === "empty";
const named = async (terminal: DemoTerminal): Promise<readonly string[]> =>
  (await terminal.events()).map(({ event }) => event);

describe("the relay", () => {
  it("goes from failing tests to RELAY DONE, each step over the tools", async () => {
    const architect = await start("test-architect", ["--fast"]);
    const impl = await start("feature-impl", ["--fast"]);

    await architect.type(OPENING);
    expect(await architect.turnEnd(1)).toContain("All 9 tests fail");
    expect(calls).toEqual([{ token: "token-test-architect", target: "feature-impl", message: HAND_OFF, wait: false }]);

    await impl.type(`[Peer agent (test-architect)]: ${HAND_OFF}`);
    expect(await impl.turnEnd(1)).toContain("Sent GREEN to 'test-architect'");
    expect(calls.slice(1)).toEqual([
      { token: "token-feature-impl", target: "test-architect", message: "GREEN", wait: false },
    ]);

    await architect.type("[Peer agent (feature-impl)]: GREEN");
    expect(await architect.turnEnd(2)).toMatch(/RELAY DONE$/);
    await until(async () => (await architect.text()).includes("RELAY DONE"), 2_000, "RELAY DONE on the screen");
    expect(await readFile(join(project.cwd, "src/parseDuration.mjs"), "utf8")).toContain("export const parseDuration");
  });

  it("takes under 30 s with the pauses that let a person follow, and starts on a prompt of its argv", async () => {
    const begun = Date.now();
    const architect = await start("test-architect", ["--", OPENING]);
    await architect.turnEnd(1);
    const impl = await start("feature-impl", []);
    await impl.type(`[Peer agent (test-architect)]: ${HAND_OFF}`);
    await impl.turnEnd(1);
    await architect.type("[Peer agent (feature-impl)]: GREEN");
    expect(await architect.turnEnd(2)).toMatch(/RELAY DONE$/);
    expect(Date.now() - begun).toBeLessThan(30_000);
  });

  it("ends with RELAY FAILED when the test file is tampered with", async () => {
    const architect = await start("test-architect", ["--fast", "--", OPENING]);
    await architect.turnEnd(1);
    const file = join(project.cwd, TEST_FILE);
    await writeFile(file, (await readFile(file, "utf8")).replace("5_400_000", "5_400_001"));
    await architect.type("[Peer agent (feature-impl)]: GREEN");
    expect(await architect.turnEnd(2)).toMatch(/it was edited\.\nRELAY FAILED$/);
  });

  it("fails openly when the tool server refuses its token", async () => {
    const stranger = await host.start({
      agent: program.agent,
      args: ["--role", "test-architect", "--fast", "--", OPENING],
      cwd: project.cwd,
      env: { QUAY_MCP_URL: tools.url, QUAY_TOKEN: "wrong" },
    });
    expect(await stranger.turnEnd(1)).toContain("quay_send_message failed");
    expect(await named(stranger)).toContain("StopFailure");
  });
});

describe("what it reports", () => {
  it("a turn as events of one session and as OSC 7501", async () => {
    const architect = await start("test-architect", ["--fast"]);
    await architect.type(OPENING);
    await architect.turnEnd(1);
    const events = await architect.events();
    expect(events.map(({ event, payload }) => [event, payload.tool_name ?? null])).toEqual([
      ["SessionStart", null],
      ["UserPromptSubmit", null],
      ...["Write", "Write", "Bash", "mcp__quay-a2a__quay_send_message"].flatMap((tool) => [
        ["PreToolUse", tool],
        ["PostToolUse", tool],
      ]),
      ["Stop", null],
    ]);
    expect(events[1]?.payload).toMatchObject({ session_id: "session-test-architect", prompt: OPENING });
    const turns = new Set(events.slice(1).map(({ payload }) => payload.prompt_id));
    expect(turns.size).toBe(1);
    const states = [...(await architect.output()).matchAll(/\u001b\]7501;state=(\w+)/g)].map((found) => found[1]);
    expect([states[0], states[1], states.at(-1)]).toEqual(["idle", "working", "done"]);
  });

  it("its process as the one of the pane", async () => {
    const reviewer = await start("reviewer");
    await until(async () => (await reviewer.events()).length > 0);
    expect(await reviewer.events()).toMatchObject([
      { event: "SessionStart", cliPid: reviewer.pid, secret: "event-secret" },
    ]);
  });

  it("an interrupt by the program's status alone, with no Stop", async () => {
    const architect = await start("test-architect", ["--", OPENING]);
    await until(async () => (await named(architect)).includes("PreToolUse"));
    await architect.keys("Escape");
    await until(async () => (await architect.text()).includes("Interrupted."));
    expect(await architect.output()).toMatch(/.*7501;state=idle:app=quay-demo\u0007(?!.*7501)/s);
    expect(await named(architect)).not.toContain("Stop");
    await architect.type("hello");
    expect(await architect.turnEnd(1)).toContain("I am a scripted demo");
  });

  it("SessionEnd when it is left, and when its terminal is taken away", async () => {
    const first = await start("reviewer");
    await until(() => isEmpty(first), 10_000);
    await first.keys("C-d");
    expect(await first.exited()).toBe("0");
    expect((await first.events()).at(-1)).toMatchObject({
      event: "SessionEnd",
      payload: { reason: "prompt_input_exit" },
    });
    const second = await start("reviewer");
    await until(() => isEmpty(second), 10_000);
    await second.hangUp();
    await until(async () => (await named(second)).includes("SessionEnd"), 5_000, "SessionEnd");
  });
});

describe("its composer", () => {
  it.each([
    [80, 24],
    [120, 40],
    [200, 50],
  ])("shows pastes and submits them unchanged at %i x %i", async (columns, rows) => {
    const reviewer = await start("reviewer", ["--fast"], { columns, rows });
    await until(() => isEmpty(reviewer), 10_000);
    expect(await reviewer.text()).toContain("Quay demo agent – scripted, no model");
    const texts = [
      "[Peer agent (lead)]: one line",
      "[Peer agent (lead)]: three\nlines, the last one\n  indented",
      `[Peer agent (lead)]: ${"many words that wrap ".repeat(17)}`,
      `[Peer agent (lead)]: ${"line\n".repeat(60)}漢字 🎉 end`,
      `[Peer agent (lead)]: ${"x".repeat(20_000)}`,
    ];
    for (const [index, text] of texts.entries()) {
      await reviewer.type(text);
      await reviewer.turnEnd(index + 1);
    }
    const prompts = (await reviewer.events()).filter(({ event }) => event === "UserPromptSubmit");
    expect(prompts.map(({ payload }) => payload.prompt)).toEqual(texts);
    await until(() => isEmpty(reviewer));
  });

  it("keeps a person's draft apart: occupied, and mixed when we paste behind it", async () => {
    const reviewer = await start("reviewer");
    await until(() => isEmpty(reviewer), 10_000);
    await reviewer.keys("-l", "my half typed draft");
    await until(async () => (await reviewer.text()).includes("my half typed draft"));
    expect(demoLine.line(await reviewer.screen())).toBe("occupied");
    await reviewer.paste("[Peer agent (lead)]: hello there");
    await until(async () => (await reviewer.text()).includes("hello there"));
    expect(demoLine.echo(await reviewer.screen(), "[Peer agent (lead)]: hello there")).toBe("mixed");
    await reviewer.keys("C-u");
    await until(() => isEmpty(reviewer));
  });

  it("is understood after every change of size", async () => {
    const reviewer = await start("reviewer", ["--fast"]);
    await reviewer.type("hello");
    await reviewer.turnEnd(1);
    for (const [columns, rows] of [
      [200, 50],
      [80, 24],
      [137, 31],
      [80, 50],
    ] as const) {
      await reviewer.resize(columns, rows);
      await until(
        async () => {
          const screen = await reviewer.screen();
          return screen.cols === columns && demoLine.line(screen) === "empty";
        },
        5_000,
        `a composer at ${columns} x ${rows}`,
      );
      const shown = await reviewer.text();
      expect(shown.match(/demo>/g)).toHaveLength(1);
      expect(shown).toMatch(/^> hello$/m);
      expect(shown).toMatch(/^● I am a scripted demo/m);
    }
  });

  it("keeps what is typed during a turn for the next one", async () => {
    const architect = await start("test-architect", ["--", OPENING]);
    await until(async () => (await named(architect)).includes("UserPromptSubmit"), 10_000);
    await architect.type("hello");
    expect(await architect.turnEnd(1)).toContain("All 9 tests fail");
    expect(await architect.turnEnd(2)).toContain("I am a scripted demo");
  });
});
