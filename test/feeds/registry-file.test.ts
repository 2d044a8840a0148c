import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { claudeFiles } from "../../src/adapters/claude-files.js";
import { readRegistry } from "../../src/feeds/registry-file.js";

const GONE = { kind: "registry", status: "gone", waitingFor: "", cliSession: null, transcriptTail: [] };
const SESSION = "72bfa4e8-18fb-40d9-8d24-16f28f0ceec7";

let config: string;
let env: Readonly<Record<string, string>>;
beforeEach(() => {
  config = mkdtempSync(join(tmpdir(), "quay-registry-"));
  env = { CLAUDE_CONFIG_DIR: config };
  mkdirSync(join(config, "sessions"));
  mkdirSync(join(config, "projects", "-home-user-my-project"), { recursive: true });
});
afterEach(() => rmSync(config, { recursive: true, force: true }));

const register = (content: Readonly<Record<string, unknown>> | string): void =>
  writeFileSync(
    join(config, "sessions", "42.json"),
    typeof content === "string"
      ? content
      : JSON.stringify({ pid: 42, sessionId: SESSION, cwd: "/home/user/my_project", ...content }),
  );
const write = (text: string): void =>
  writeFileSync(join(config, "projects", "-home-user-my-project", `${SESSION}.jsonl`), text);

test("says what the CLI does, with the end of its transcript", async () => {
  register({ status: "waiting", waitingFor: "permission prompt" });
  write('{"n":1}\n{"n":2}\n');
  expect(await readRegistry(claudeFiles, env, 42)).toEqual({
    kind: "registry",
    status: "waiting",
    waitingFor: "permission prompt",
    cliSession: SESSION,
    transcriptTail: [{ n: 1 }, { n: 2 }],
  });
});

test("finds the configuration below HOME when nothing else is said", async () => {
  register({ status: "idle" });
  mkdirSync(join(config, ".claude", "sessions"), { recursive: true });
  writeFileSync(join(config, ".claude", "sessions", "42.json"), '{"pid":42,"status":"busy"}');
  expect(await readRegistry(claudeFiles, { HOME: config }, 42)).toMatchObject({ status: "busy", cliSession: null });
});

test.each([
  ["is not JSON", "{"],
  ["is no object", "[]"],
  ["has a status that we do not know", { status: "dreaming" }],
  ["is of another process", { pid: 43, status: "idle" }],
])("says gone when the file %s", async (_what, content) => {
  register(content);
  expect(await readRegistry(claudeFiles, env, 42)).toEqual(GONE);
});

test("says gone when there is no file, or a folder in its place", async () => {
  expect(await readRegistry(claudeFiles, env, 42)).toEqual(GONE);
  mkdirSync(join(config, "sessions", "42.json"));
  expect(await readRegistry(claudeFiles, env, 42)).toEqual(GONE);
});

test("reads without a transcript, and never one outside of the projects", async () => {
  register({ status: "idle" });
  expect(await readRegistry(claudeFiles, env, 42)).toMatchObject({ status: "idle", transcriptTail: [] });
  register({ status: "idle", sessionId: "../../secrets" });
  expect(claudeFiles.transcript(join(config, "sessions", "42.json"), { sessionId: "../x", cwd: "/a" })).toBeNull();
  expect(await readRegistry(claudeFiles, env, 42)).toMatchObject({ status: "idle", transcriptTail: [] });
});

test("reads the last 256 KB only, and only whole lines", async () => {
  register({ status: "idle" });
  const line = (n: number): string => `${JSON.stringify({ n, filler: "x".repeat(1_000) })}\n`;
  const lines = Array.from({ length: 1_000 }, (_, n) => line(n));
  write(`${lines.join("")}{"n":"half`);
  const { transcriptTail } = await readRegistry(claudeFiles, env, 42);
  expect(transcriptTail.length).toBeGreaterThan(250);
  expect(transcriptTail.length).toBeLessThan(257);
  expect(transcriptTail.at(-1)).toMatchObject({ n: 999 });
});
