/** Recipe 1 with real Claude Code agents in real tmux: the product's main job, from the preset to RELAY DONE. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { needs } from "../support/clis/programs.js";
import { call, type ModelRequest, say } from "../support/model-server.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";
import { type QuayStage, startQuayStage } from "./quay-stage.js";

needs("claude");
let stage: QuayStage;

const TESTS = `import assert from "node:assert";
import { test } from "node:test";
import { parseDuration } from "../src/parseDuration.mjs";
test("minutes", () => assert.equal(parseDuration("2m"), 120));
test("seconds", () => assert.equal(parseDuration("7s"), 7));
`;
const CODE = `export const parseDuration = (text) => Number.parseInt(text, 10) * (text.endsWith("m") ? 60 : 1);\n`;
const RUN = { command: "node --test tests/", description: "Run the tests" };
const OPENING =
  "Write failing unit tests for parseDuration in tests/parseDuration.test.mjs, one per rule in AGENTS.md. Run them and confirm they fail. Then hand off to 'feature-impl'. When GREEN arrives, run the tests again and end with RELAY DONE, or RELAY FAILED.";
const HAND_OFF =
  "The parseDuration tests are failing. Make them pass without editing the tests, then send me the one-line message GREEN.";

type ToolResult = { readonly type: string; readonly is_error?: boolean };

/** Did the last tool call of this turn fail? */
const hasFailed = (request: ModelRequest): boolean => {
  const messages = request.body.messages as readonly { readonly content: string | readonly ToolResult[] }[];
  const results = messages.flatMap(({ content }) =>
    typeof content === "string" ? [] : content.filter((block) => block.type === "tool_result"),
  );
  return results.at(-1)?.is_error === true;
};

/** A model whose hand-off fails, since the engine is away for a moment, makes the same call again. */
const again = (quay: QuayStage, prompt: RegExp, target: string, message: string): void =>
  quay.model.when((request) => prompt.test(request.prompt) && hasFailed(request) && request.step > 2, {
    kind: "tools",
    calls: [
      {
        name: "mcp__quay-a2a__quay_send_message",
        input: { target_terminal_id: target, message, wait_for_reply: false },
      },
    ],
    delayMs: 300,
  });

/** The lines of both agents; their tools are real: files are written and tests are run. */
export const scriptRelay = (quay: QuayStage): void => {
  const file = (path: string): string => join(quay.cwd, path);
  quay.model.when(
    /^Write failing unit tests/,
    call("Write", { file_path: file("tests/parseDuration.test.mjs"), content: TESTS }),
    call("Bash", RUN),
    call("mcp__quay-a2a__quay_send_message", {
      target_terminal_id: "feature-impl",
      message: HAND_OFF,
      wait_for_reply: false,
    }),
    say("Handed off."),
  );
  quay.model.when(
    /^\[Peer agent \(test-architect\)\]: The parseDuration tests are failing/,
    call("Write", { file_path: file("src/parseDuration.mjs"), content: CODE }),
    call("Bash", RUN),
    call("mcp__quay-a2a__quay_send_message", {
      target_terminal_id: "test-architect",
      message: "GREEN",
      wait_for_reply: false,
    }),
    say("Sent GREEN."),
  );
  quay.model.when(/^\[Peer agent \(feature-impl\)\]: GREEN/, call("Bash", RUN), say("RELAY DONE"));
  again(quay, /^Write failing unit tests/, "feature-impl", HAND_OFF);
  again(quay, /^\[Peer agent \(test-architect\)\]/, "test-architect", "GREEN");
};

const prepare = async (): Promise<void> => {
  stage = await startQuayStage();
  writeFileSync(join(stage.cwd, "AGENTS.md"), "parseDuration: 2m is 120, 7s is 7.\n");
  scriptRelay(stage);
  await stage.up("tdd-swarm");
  await Promise.all(["test-architect", "feature-impl", "reviewer"].map((name) => stage.untilStatus(name, "idle")));
};

const greenDone = () =>
  until(
    () => stage.trail().find(({ text, status }) => text === "GREEN" && status === "Completed"),
    60_000,
    () => `GREEN: ${stage.story()}`,
  );

/** What a tool of this turn answered, as the model saw it. */
const toolResults = (pattern: RegExp): string =>
  JSON.stringify(stage.model.requests.filter((request) => pattern.test(request.prompt)).map((r) => r.body.messages));

verifies(
  [
    "recipe:tdd-swarm-seats",
    "recipe:hand-off-without-waiting",
    "recipe:hand-off-at-turn-end",
    "recipe:green-is-a-new-message",
    "recipe:relay-done",
    "recipe:trail-shows-both",
  ],
  "both hand-offs, GREEN and RELAY DONE, with the trail as the text says",
  async () => {
    await prepare();
    await stage.send("test-architect", OPENING);
    const done = await greenDone();

    expect(done).toMatchObject({
      from: "feature-impl",
      to: "test-architect",
      label: "Answer:",
      response: "RELAY DONE",
    });
    const entries = await until(
      () => (stage.trail().every((entry) => entry.status === "Completed") ? stage.trail() : null),
      10_000,
    );
    expect(entries.map(({ from, to, response }) => `${from} → ${to}: ${response}`)).toEqual([
      "feature-impl → test-architect: RELAY DONE",
      "test-architect → feature-impl: Sent GREEN.",
      "You → test-architect: Handed off.",
    ]);
    expect(entries[1]?.text).toBe(HAND_OFF);
    expect(toolResults(/^Write failing/)).toContain("fail 1");
    expect(toolResults(/GREEN/)).toContain("pass 2");
    expect(toolResults(/^Write failing/)).toContain("Successfully dispatched task to feature-impl.");
    expect(stage.agent("reviewer").status).toBe("idle");
  },
);

verifies(
  ["restart:nothing-twice", "restart:readopts"],
  "the engine is killed in the middle of the relay: it still ends, nothing twice",
  async () => {
    await prepare();
    await stage.send("test-architect", OPENING);
    await stage.untilEntry("The parseDuration tests are failing", "Dispatched", 60_000);
    await stage.killEngine();
    await stage.startEngine();
    await greenDone();
    const texts = stage.trail().map((entry) => entry.text);
    expect(texts).toEqual(["GREEN", HAND_OFF, OPENING]);
    const prompts = new Set(
      stage.model.requests.map((request) => request.prompt).filter((prompt) => prompt.startsWith("[Peer agent")),
    );
    expect(prompts.size).toBe(2);
    expect(stage.trail()[0]?.response).toBe("RELAY DONE");
  },
);
