import { describe, expect, test } from "vitest";
import { type Draft, edit, insert } from "../../../src/tui/draft.js";
import type { Action } from "../../../src/tui/keymap.js";

/** `|` is the cursor. */
const at = (shown: string): Draft => ({ text: shown.replace("|", ""), cursor: shown.indexOf("|") });
const shown = (draft: Draft): string => `${draft.text.slice(0, draft.cursor)}|${draft.text.slice(draft.cursor)}`;

const cases: readonly (readonly [string, Action, string])[] = [
  ["ab|c", "cursorLeft", "a|bc"],
  ["|abc", "cursorLeft", "|abc"],
  ["abc|", "cursorRight", "abc|"],
  ["a\u{1f469}\u200d\u{1f467}|b", "cursorLeft", "a|\u{1f469}\u200d\u{1f467}b"],
  ["e\u0301|", "eraseBack", "|"],
  ["a|bc", "eraseForward", "a|c"],
  ["one\ntw|o", "cursorStart", "one\n|two"],
  ["o|ne\ntwo", "cursorEnd", "one|\ntwo"],
  ["send the file |now", "eraseWord", "send the |now"],
  ["one\ntwo|", "eraseToStart", "one\n|"],
  ["a|b", "newLine", "a\n|b"],
];

describe("edit", () => {
  for (const [before, action, after] of cases) {
    test(`${action} on ${JSON.stringify(before)}`, () => expect(shown(edit(at(before), action))).toBe(after));
  }
  test("a paste lands at the cursor", () => expect(shown(insert(at("a|d"), "b\nc"))).toBe("ab\nc|d"));
});
