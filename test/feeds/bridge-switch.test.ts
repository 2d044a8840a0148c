/** A setting that keeps a bridge silent is found where Claude Code itself reads it, and named with its file. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claude } from "../../src/adapters/claude.js";
import { findBridgeSwitch } from "../../src/feeds/bridge-switch.js";
import { tempFolder } from "../support/temp-folder.js";

const world = () => {
  const root = tempFolder();
  const write = (path: string, content: string): string => {
    const file = join(root, path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  const find = (env: Record<string, string> = { HOME: join(root, "home") }) =>
    findBridgeSwitch(claude.bridgeSwitch!, env, join(root, "project"));
  return { root, write, find };
};

const OFF = '{"disableAllHooks":true}';

test("no file, another setting, a file that is no JSON: nothing is switched off", async () => {
  const { write, find } = world();
  expect(await find()).toBeNull();
  write("home/.claude/settings.json", '{"disableAllHooks":false,"hooks":{}}');
  write("project/.claude/settings.json", "{ not JSON");
  expect(await find()).toBeNull();
});

test("the person's own setting is named with its file, also in a moved configuration folder", async () => {
  const { root, write, find } = world();
  const file = write("home/.claude/settings.json", OFF);
  expect(await find()).toBe(`disableAllHooks in ${file}`);
  const moved = write("elsewhere/settings.json", OFF);
  expect(await find({ HOME: "/nowhere", CLAUDE_CONFIG_DIR: join(root, "elsewhere") })).toBe(
    `disableAllHooks in ${moved}`,
  );
});

test("a project's setting comes before the person's", async () => {
  const { write, find } = world();
  write("home/.claude/settings.json", OFF);
  const file = write("project/.claude/settings.local.json", OFF);
  expect(await find()).toBe(`disableAllHooks in ${file}`);
});
