import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cellsOf, cellWidth, clean, cut, fill, glimpse, wrap } from "../../../src/tui/text.js";
import { verifies } from "../../support/verifies.js";

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

describe("clean", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["plain text", "send GREEN", "send GREEN"],
    ["an escape sequence", "\x1b[31mred\x1b]0;title\x07", "␛[31mred␛]0;title␇"],
    ["a line break", "one\r\ntwo\rthree", "one↵two↵three"],
    ["a tab", "a\tb", "a⇥b"],
    ["a C1 control", "a\u009b2Jb", "a<U+009B>2Jb"],
    ["a bidi override", "user\u202egnp.exe", "user<U+202E>gnp.exe"],
    ["a zero-width space", "a\u200bb", "a<U+200B>b"],
    ["a lone surrogate", "a\ud800b", "a<U+D800>b"],
    ["a joined emoji", "\u{1f469}\u200d\u{1f469}\u200d\u{1f467} ok", "\u{1f469} ok"],
    ["a flag", "\u{1f1eb}\u{1f1f7}", "FR"],
    ["a skin tone", "\u{1f44d}\u{1f3fd}", "\u{1f44d}"],
    ["a variation selector", "\u2764\ufe0f", "\u2764"],
    ["a combining accent", "e\u0301", "é"],
    ["too many marks", `x${"\u0336".repeat(20)}`, "x\u0336\u0336"],
    ["a mark without a letter", "\u0301", "\u25cc\u0301"],
    ["Hebrew and Arabic", "שלום مرحبا", "שלום مرحبا"],
  ];
  for (const [title, text, shown] of cases) test(title, () => expect(clean(text)).toBe(shown));

  verifies("hazard:stored-controls-inert", "leaves no control, bidi or invisible character, whatever comes in", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        expect(clean(text)).not.toMatch(CONTROL);
      }),
    );
    for (let code = 0; code <= 0xa0; code += 1) expect(clean(`a${String.fromCharCode(code)}b`)).not.toMatch(CONTROL);
  });

  test("what is clean stays as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (text) => {
        expect(clean(clean(text))).toBe(clean(text));
      }),
    );
  });
});

describe("cells", () => {
  const widths: readonly (readonly [string, number])[] = [
    ["abc", 3],
    ["你好", 4],
    ["한글", 4],
    ["ﾊﾝ", 2],
    ["Ｑ", 2],
    ["é", 1],
    ["x\u0336", 1],
    ["\u{1f680}", 2],
    ["שלום", 4],
    ["→│…", 3],
  ];
  for (const [text, width] of widths) test(`${text} takes ${width}`, () => expect(cellWidth(text)).toBe(width));

  verifies("hazard:wide-characters", "cut and fill meet the width in cells for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 30 }), fc.integer({ min: 1, max: 30 }), (text, width) => {
        expect(cellWidth(cut(clean(text), width))).toBeLessThanOrEqual(width);
        expect(cellWidth(fill(clean(text), width))).toBe(width);
        expect(cellWidth(glimpse(text, width))).toBeLessThanOrEqual(width);
      }),
    );
  });

  test("a mark stays on its letter", () => {
    expect(cellsOf("x\u0336y")).toEqual([
      { text: "x\u0336", width: 1 },
      { text: "y", width: 1 },
    ]);
  });

  test("a wide character is not cut in half", () => expect(cut("你好吗", 4)).toBe("你…"));
});

describe("wrap", () => {
  test("breaks at words and keeps line breaks", () => {
    expect(wrap("the tests are failing\nmake them pass", 10)).toEqual([
      "the tests",
      "are",
      "failing",
      "make them",
      "pass",
    ]);
  });
  test("breaks a word that is longer than the row", () => expect(wrap("aaaaaaaa", 3)).toEqual(["aaa", "aaa", "aa"]));
  test("keeps the indentation of code", () => expect(wrap("if x:\n\treturn", 20)).toEqual(["if x:", "    return"]));
  test("no row is wider than asked", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), fc.integer({ min: 2, max: 20 }), (text, width) => {
        for (const row of wrap(text, width)) expect(cellWidth(row)).toBeLessThanOrEqual(width);
      }),
    );
  });
  test("a long message is wrapped in well under a second", () => {
    const started = performance.now();
    wrap("lorem ipsum dolor 你好 ".repeat(12_000), 80);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
