import { describe, expect, it } from "vitest";
import { compareEcho } from "../../../src/adapters/line-text.js";

const FAMILY = "\u{1f469}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}";

describe("the echo of a text that tmux cannot hold whole", () => {
  it.each([
    ["a joined emoji that lost its last part", `see ${FAMILY} there`, `see ${FAMILY.slice(0, -2)} there`],
    ["a joined emoji shown as its parts", `see ${FAMILY} there`, `see ${FAMILY.replaceAll("\u200d", "")} there`],
    ["a letter that lost some of its marks", `x${"\u0301\u0302".repeat(20)} y`, `x${"\u0301\u0302".repeat(3)} y`],
    ["a code point that stands for no character", "see \u{dc9b3} there", "see  there"],
    ["an emoji newer than the system's tmux", "see \u{1fae8} there", "see  there"],
    ["direction marks that were left out", "one \u202etwo\u202c \u2067three\u2069", "one two three"],
  ])("%s is ours", (_case, text, shown) => {
    expect(compareEcho(shown, text, null)).toBe("ours");
  });

  it.each([
    ["another emoji", `see ${FAMILY} there`, "see \u{1f680} there"],
    ["an emoji that only stands elsewhere", "\u{1f680} then \u{1f680}", "\u{1f680} then"],
    ["a word of another script left out", "see 日本 there", "see there"],
    ["a word behind it", `see ${FAMILY} there`, `see ${FAMILY.slice(0, -2)} there and on`],
    ["marks alone", "\u0301\u0302", "\u0303"],
  ])("%s is not", (_case, text, shown) => {
    expect(compareEcho(shown, text, null)).not.toBe("ours");
  });
});
