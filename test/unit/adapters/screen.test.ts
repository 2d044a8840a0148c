import { describe, expect, it } from "vitest";
import {
  cellAt,
  cellWidth,
  inkFrom,
  isRule,
  parseScreen,
  rulesAround,
  textFrom,
} from "../../../src/adapters/screen.js";

const rowOf = (ansi: string) => parseScreen(ansi)[0];
const styleAt = (ansi: string, x: number) => cellAt(rowOf(ansi), x)?.style;

describe("parseScreen", () => {
  it("gives each character its column; wide ones take two", () => {
    const cells = rowOf("a你b🎉c")?.cells.map(({ text, x, width }) => [text, x, width]);
    expect(cells).toEqual([
      ["a", 0, 1],
      ["你", 1, 2],
      ["b", 3, 1],
      ["🎉", 4, 2],
      ["c", 6, 1],
    ]);
  });

  it("puts marks and joined emoji into the cell before them", () => {
    expect(rowOf("e\u0301x")?.cells.map(({ text, x }) => [text, x])).toEqual([
      ["e\u0301", 0],
      ["x", 1],
    ]);
    expect(rowOf("👩‍💻x")?.cells.map(({ text, x }) => [text, x])).toEqual([
      ["👩‍💻", 0],
      ["x", 2],
    ]);
  });

  it("lets attributes run on into the next line, until they are taken back", () => {
    const rows = parseScreen("a\x1b[1;2;7;38;5;246mb\nc\x1b[22;27;39md\x1b[0me");
    const style = { bold: true, dim: true, inverse: true, fg: "5;246", bg: "" };
    const plain = { bold: false, dim: false, inverse: false, fg: "", bg: "" };
    expect(rows.map((row) => row.cells.map((cell) => cell.style))).toEqual([
      [plain, style],
      [style, plain, plain],
    ]);
  });

  it.each<[string, string]>([
    ["a curly underline", "\x1b[4:3mx"],
    ["a double underline", "\x1b[4:2mx"],
    ["an underline colour", "\x1b[58;5;2mx"],
    ["an underline colour in colons", "\x1b[58:2::2:7:1mx"],
    ["a colour that holds a 2", "\x1b[38;5;2mx"],
    ["a true colour", "\x1b[48;2;2;7;1mx"],
  ])("does not take %s for dim, bold or inverse", (_, ansi) => {
    expect(styleAt(ansi, 0)).toMatchObject({ bold: false, dim: false, inverse: false });
  });

  it("reads colours in every way of writing them", () => {
    expect(styleAt("\x1b[31;102mx", 0)).toMatchObject({ fg: "31", bg: "102" });
    expect(styleAt("\x1b[38;2;1;2;3;48;5;9mx", 0)).toMatchObject({ fg: "2;1;2;3", bg: "5;9" });
    expect(styleAt("\x1b[38:5:9mx", 0)).toMatchObject({ fg: "5;9" });
    expect(styleAt("\x1b[31mx\x1b[my", 1)).toMatchObject({ fg: "" });
  });

  it("leaves out hyperlinks, character sets and stray controls", () => {
    expect(rowOf("\x1b]8;;http://x\x1b\\li\x1b]8;;\x07nk\x1b(B\x0e\x0f!")?.text).toBe("link!");
  });

  it.each(["", "\x1b", "\x1b[", "\x1b[38;2m", "\x1b[38m", "\x1b]8;", "\ud800", "\u200d\u0301", "\x1b[999999999999mx"])(
    "does not throw on %j",
    (ansi) => {
      expect(() => parseScreen(ansi)).not.toThrow();
    },
  );
});

it("a column in the middle of a wide character is that character", () => {
  expect(cellAt(rowOf("你b"), 1)?.text).toBe("你");
  expect(cellAt(rowOf("你b"), 5)).toBeUndefined();
});

it("text and ink start at a column", () => {
  expect(textFrom(rowOf("❯\u00a0hello  "), 2)).toBe("hello");
  expect(inkFrom(rowOf("❯\u00a0a b\u00a0"), 2).map((cell) => cell.text)).toEqual(["a", "b"]);
  expect(textFrom(undefined, 0)).toBe("");
});

it.each([
  ["x", 1],
  ["é", 1],
  ["─", 1],
  ["❯", 1],
  ["\u0301", 0],
  ["\u200b", 0],
  ["한", 2],
  ["Ａ", 2],
  ["𠀀", 2],
] as const)("%j takes %i columns", (character, width) => {
  expect(cellWidth(character)).toBe(width);
});

describe("isRule", () => {
  const rule = (text: string, cols: number) => isRule(rowOf(text), cols);

  it("takes a rule from edge to edge, with a label or without", () => {
    expect(rule("─".repeat(40), 40)).toBe(true);
    expect(rule(`${"─".repeat(10)} レビュー担当 ${"─".repeat(14)}  `, 40)).toBe(true);
    expect(rule(`${"─".repeat(3)} ${"n".repeat(64)} ─`, 70)).toBe(true);
  });

  it("takes no short one, indented one, or box side", () => {
    expect(rule("─".repeat(30), 40)).toBe(false);
    expect(rule(`  ${"─".repeat(38)}`, 40)).toBe(false);
    expect(rule(`╭${"─".repeat(38)}╮`, 40)).toBe(false);
  });
});

describe("rulesAround", () => {
  const RULE = "─".repeat(20);
  const around = (rows: readonly string[], y: number) => rulesAround(parseScreen(rows.join("\n")), 20, y);

  it("finds the nearest rules, and not those beyond them", () => {
    expect(around([RULE, "a", RULE, "b", "c", RULE, "d", RULE], 4)).toEqual({ above: 2, below: 5 });
  });

  it.each<[string, readonly string[], number]>([
    ["no rule above", ["a", RULE], 0],
    ["no rule below", [RULE, "a"], 1],
    ["a rule in that row itself", [RULE, RULE, RULE], 1],
    ["a row out of sight", [RULE, "a", RULE], 9],
  ])("finds none with %s", (_, rows, y) => {
    expect(around(rows, y)).toBeNull();
  });
});
