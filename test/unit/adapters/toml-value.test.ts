import { describe, expect, test } from "vitest";
import { stringsAtTop, stringsOf } from "../../../src/adapters/toml-value.js";

const find = (toml: string) => stringsAtTop(toml, "notify");

describe("a key at the top of a file", () => {
  test.each<[string, readonly string[] | null]>([
    ['notify = ["a", "b c"]', ["a", "b c"]],
    ["notify=['a\\n']", ["a\\n"]],
    ['"notify" = ["a"]', ["a"]],
    ['notify = [ # why\n  "a", # one\n\n  "b",\n]\n', ["a", "b"]],
    ['notify = ["\\"q\\" \\u00e9 \\U0001F600 \\\\"]', ['"q" é 😀 \\']],
    ["notify = [\"\"\"two\nlines\"\"\", '''raw\\''']", ["two\nlines", "raw\\"]],
    ["\ufeff# head\r\nmodel = \"x\"\r\nnotify = ['a']\r\n", ["a"]],
    ['text = """\nnotify = ["no"]\n"""\nnotify = ["yes"]', ["yes"]],
    ["text = '''\nnotify = [\"no\"]'''\nnotify = ['yes']", ["yes"]],
    ["a.b = {x = [1, 2], y = {z = 'notify = 1'}}\nd = 1979-05-27T07:32:00Z\nnotify = ['a']", ["a"]],
    ["[tui]\nnotify = ['a']", null],
    ["tui.notify = ['a']", null],
    ["# notify = ['a']", null],
    ["notify = 'a'", null],
    ["notify = []", null],
    ["notify = ['a', 1]", null],
    ["notify = ['a'", null],
    ["what is this\nnotify = ['a']", null],
    ["", null],
  ])("%j: %j", (toml, expected) => {
    expect(find(toml)).toEqual(expected);
  });

  test("is looked for in broken and huge files without an error", () => {
    for (const text of ["[".repeat(10_000), `a = ${"[".repeat(10_000)}`, '"""', "a = {", 'a = "\\', "=", "a ="])
      expect(find(text)).toBeNull();
  });
});

test("one value of a command line", () => {
  expect(stringsOf(' ["a", "b"] ')).toEqual(["a", "b"]);
  expect([stringsOf('["a"] x'), stringsOf("a"), stringsOf(""), stringsOf("{a=1}")]).toEqual([null, null, null, null]);
});
