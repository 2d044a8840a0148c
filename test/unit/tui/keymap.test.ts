import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { actionOf, bindings, type Context, helpGroups, keysPage, wordKey } from "../../../src/tui/keymap.js";

const contexts: readonly Context[] = [
  "agents",
  "trail",
  "entry",
  "composer",
  "help",
  "filter",
  "confirm",
  "palette",
  "naming",
  "look",
];

describe("the key table", () => {
  for (const context of contexts) {
    test(`no key has two meanings in ${context}`, () => {
      const keys = bindings.filter((one) => one.contexts.includes(context)).flatMap((one) => one.keys);
      expect(keys).toEqual([...new Set(keys)]);
    });
    test(`Esc goes back in ${context}, and Ctrl+L draws anew`, () => {
      expect(actionOf(context, "escape")).toBe("back");
      expect(actionOf(context, "ctrl+l")).toBe("redraw");
    });
  }

  test("a letter is never a command while writing", () => {
    for (const letter of "abcdefghijklmnopqrstuvwxyz?/!#@") expect(actionOf("composer", letter)).toBeNull();
  });

  test("the help documents every binding once", () => {
    const rows = helpGroups().flatMap((group) => group.rows.map((row) => `${row.keys}: ${row.does}`));
    expect([...rows].sort()).toEqual(bindings.map((one) => `${one.keys.map(wordKey).join(", ")}: ${one.does}`).sort());
  });

  test("docs/keys.md is the page that the table gives", () => {
    expect(readFileSync(new URL("../../../docs/keys.md", import.meta.url), "utf8")).toBe(keysPage());
  });
});
