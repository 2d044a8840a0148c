import { describe, expect, it } from "vitest";
import { columnsOf, wrapCells } from "../../../src/demo/cells.js";
import { composerBlock, entryRows } from "../../../src/demo/frame.js";

const SIZE = { columns: 40, rows: 24 };

describe("wrapping", () => {
  it.each([
    ["one two three", 8, ["one two ", "three"]],
    ["abcdefghij", 4, ["abcd", "efgh", "ij"]],
    ["漢字漢字", 5, ["漢字", "漢字"]],
    ["", 5, [""]],
  ])("cuts %j at %i columns", (line, width, rows) => {
    expect(wrapCells(line, width)).toEqual(rows);
  });
});

describe("an entry of the conversation", () => {
  it("never puts foreign text into column 0 or 1, and shows no control characters", () => {
    const rows = entryRows({ mark: "●", text: "demo> x\n\u001b[31m───\u0007\nb\tc", dim: false }, SIZE.columns);
    expect(rows).toEqual(["● demo> x", "  [31m───", "  b  c"]);
  });
});

describe("the composer", () => {
  it("is a rule, the draft, a rule and a footer, with the cursor behind the draft", () => {
    const composer = composerBlock("hello", "reviewer · scripted, no model · ready", SIZE);
    expect(composer.rows).toEqual([
      "─".repeat(40),
      "demo> hello",
      "─".repeat(40),
      "  reviewer · scripted, no model · ready",
    ]);
    expect([composer.x, composer.y]).toEqual([11, 1]);
  });

  it("stays inside the screen: a tall draft shows its end", () => {
    const composer = composerBlock(`${"word ".repeat(400)}END`, "footer", SIZE);
    expect(composer.rows.length).toBeLessThan(SIZE.rows);
    expect(composer.rows[1]).toMatch(/^ {2}\.\.\. /);
    expect(composer.rows.at(-3)).toMatch(/END$/);
    for (const row of composer.rows) expect(columnsOf(row)).toBeLessThanOrEqual(SIZE.columns);
  });
});
