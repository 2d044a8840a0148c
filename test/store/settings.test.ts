import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { settingsReader } from "../../src/store/settings.js";
import { tempFolder } from "../support/temp-folder.js";
import { verifies } from "../support/verifies.js";

const kinds = ["claude", "shell", "demo"];

const read = (content?: unknown) => {
  const settings = join(tempFolder(), "settings.json");
  if (content !== undefined) {
    writeFileSync(settings, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
  }
  return settingsReader({ settings }, kinds)();
};

test("no file and an empty object are the defaults", () => {
  expect(read()).toEqual({ adapters: {}, port: null, mailbox: { notify: false } });
  expect(read({})).toEqual({ adapters: {}, port: null, mailbox: { notify: false } });
});

test("reads what is set, and fills in the rest of an adapter's settings", () => {
  expect(read({ adapters: { claude: { command: "/opt/claude" }, demo: { bridge: false } }, port: 7501 })).toEqual({
    adapters: { claude: { command: "/opt/claude", bridge: true }, demo: { command: null, bridge: false } },
    port: 7501,
    mailbox: { notify: false },
  });
});

test.each([
  [{ prot: 1 }, 'unknown key "prot"'],
  [{ adapters: { claude: { comand: "x" } } }, 'unknown key "comand" in adapters.claude'],
  [{ adapters: { cladue: {} } }, 'unknown key "cladue" in adapters'],
  [{ adapters: { claude: { command: 7 } } }, "adapters.claude.command"],
  [{ adapters: { claude: { command: "" } } }, "adapters.claude.command"],
  [{ mailbox: { notfy: true } }, 'unknown key "notfy" in mailbox'],
  [{ mailbox: { notify: "yes" } }, "mailbox.notify"],
  [{ port: 70_000 }, "port"],
  [{ port: 1.5 }, "port"],
  [{ port: "7501" }, "port"],
  ["{ not json", "cannot be read as JSON"],
  ["[1]", "settings.json"],
])("%j is an error that names it", (content, words) => {
  expect(() => read(content)).toThrow(expect.objectContaining({ code: "file-invalid" }));
  expect(() => read(content)).toThrow(words);
});

test("a bad file is left as it is", () => {
  const settings = join(tempFolder(), "settings.json");
  writeFileSync(settings, "{ not json");
  expect(() => settingsReader({ settings }, kinds)()).toThrow(settings);
  expect(readFileSync(settings, "utf8")).toBe("{ not json");
});

verifies("approve:rules-checked", "approval rules are read, and one that is none is named", () => {
  const rules = ["Bash(git status)", "mcp__github__*"];
  expect(read({ adapters: { claude: { approve: rules } } }).adapters.claude).toEqual({
    command: null,
    bridge: true,
    approve: rules,
  });
  expect(() => read({ adapters: { claude: { approve: ["Write"] } } })).toThrow(
    'adapters.claude.approve[0]: "Write" is no approval rule: Write alone would approve all of it',
  );
});

verifies("settings:level-choice", "a level is read where there is a choice, and one that is none is named", () => {
  const levels = { demo: ["listener", "full peer"] } as const;
  const readLevel = (kind: string, level: string) => {
    const settings = join(tempFolder(), "settings.json");
    writeFileSync(settings, JSON.stringify({ adapters: { [kind]: { level } } }), { mode: 0o600 });
    return settingsReader({ settings }, kinds, levels)().adapters[kind]?.level;
  };
  expect(readLevel("demo", "full peer")).toBe("full peer");
  expect(readLevel("demo", "listener")).toBe("listener");
  expect(() => readLevel("demo", "responder")).toThrow("adapters.demo.level");
  expect(() => readLevel("claude", "full peer")).toThrow('unknown key "level" in adapters.claude');
});

verifies("hazard:private-files", "reading makes no file, and its folder is private", () => {
  const folder = join(tempFolder(), "quay");
  mkdirSync(folder, { mode: 0o755 });
  settingsReader({ settings: join(folder, "settings.json") }, kinds)();
  expect(existsSync(join(folder, "settings.json"))).toBe(false);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});
