import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { settingsReader } from "../../src/store/settings.js";
import { knownSettings, openSettingsFile } from "../../src/store/settings-file.js";
import { settingsPage } from "../../src/store/settings-page.js";
import { tempFolder } from "../support/temp-folder.js";
import { verifies } from "../support/verifies.js";

const kinds = ["claude", "shell"];
const place = (content?: string) => {
  const settings = join(tempFolder(), "quay", "settings.json");
  const file = openSettingsFile({ settings }, kinds);
  if (content !== undefined) {
    file.set("port", "1");
    writeFileSync(settings, content);
  }
  return { settings, file, text: () => readFileSync(settings, "utf8") };
};

describe("the settings file", () => {
  verifies("config:get-set", "takes a value, gives it back, and forgets it", () => {
    const { settings, file } = place();
    expect(file.get("port")).toEqual({ value: null, isSet: false });
    expect(file.set("port", "47100")).toBe(47_100);
    expect(file.set("mailbox.notify", "true")).toBe(true);
    expect(file.set("adapters.claude.command", "/opt/my claude")).toBe("/opt/my claude");
    expect(file.set("adapters.shell.command", "7501")).toBe("7501");
    expect(file.get("port")).toEqual({ value: 47_100, isSet: true });
    expect(settingsReader({ settings }, kinds)()).toMatchObject({
      port: 47_100,
      mailbox: { notify: true },
      adapters: { claude: { command: "/opt/my claude" }, shell: { command: "7501" } },
    });
    for (const key of ["port", "mailbox.notify", "adapters.claude.command", "adapters.shell.command"]) file.unset(key);
    expect(JSON.parse(readFileSync(settings, "utf8"))).toEqual({});
  });

  test("takes a list as JSON, or one text for its one entry", () => {
    const { file } = place();
    expect(file.set("adapters.claude.approve", '["Bash(ls)","Bash(git status)"]')).toEqual([
      "Bash(ls)",
      "Bash(git status)",
    ]);
    expect(file.set("adapters.claude.approve", "Bash(npm test)")).toEqual(["Bash(npm test)"]);
  });

  verifies("config:get-set", "is private from its first byte", () => {
    const { settings, file } = place();
    expect(existsSync(settings)).toBe(false);
    file.set("port", "47100");
    expect([statSync(settings).mode & 0o777, statSync(join(settings, "..")).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  verifies("config:checked", "refuses a value of the wrong form, and is left as it is", () => {
    const { file, text } = place();
    file.set("port", "47100");
    const before = text();
    for (const [key, value] of [
      ["port", "70000"],
      ["port", "abc"],
      ["mailbox.notify", "yes"],
      ["adapters.claude.approve", "Bash"],
      ["adapters.claude.command", ""],
    ] as const)
      expect(() => file.set(key, value)).toThrow(new RegExp(`^${key} cannot be `));
    expect(text()).toBe(before);
  });

  verifies("config:checked", "with a fault is named and never written over", () => {
    for (const [content, words] of [
      ['{"prot": 1}', 'unknown key "prot"'],
      ["{ not json", "cannot be read as JSON"],
    ] as const) {
      const { file, text } = place(content);
      for (const work of [() => file.set("port", "47100"), () => file.unset("port"), () => file.get("port")])
        expect(work).toThrow(words);
      expect(text()).toBe(content);
    }
  });

  verifies("config:unknown-key", "names a setting that it does not know, and those that are meant", () => {
    const { file } = place();
    expect(() => file.get("prot")).toThrow("There is no setting 'prot'. quay config list shows all.");
    expect(() => file.set("notify", "true")).toThrow("Did you mean mailbox.notify?");
    expect(() => file.set("adapters.claude", "{}")).toThrow("Did you mean adapters.claude.command, ");
    expect(() => file.unset("__proto__")).toThrow("There is no setting '__proto__'");
  });
});

verifies("config:documented", "every setting has a meaning, and its row on the page", () => {
  const known = knownSettings(kinds);
  expect(known.map((setting) => setting.key)).toEqual(
    expect.arrayContaining(["port", "mailbox.notify", "adapters.claude.command", "adapters.shell.approve"]),
  );
  expect(known.filter((setting) => setting.about === "")).toEqual([]);
  const page = settingsPage(kinds);
  for (const { key } of known) expect(page).toContain(`\`${key.replace(/^adapters\.\w+\./, "adapters.KIND.")}\``);
  expect(page).toContain("KIND is one of `claude`, `shell`.");
});
