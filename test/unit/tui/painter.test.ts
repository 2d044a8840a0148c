import { Terminal } from "@xterm/headless";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Frame, paint } from "../../../src/tui/painter.js";
import { clean } from "../../../src/tui/text.js";
import { verifies } from "../../support/verifies.js";

const SIZE = { columns: 24, rows: 4 };
const frame = (...rows: readonly string[]): Frame => ({ rows, cursor: null });

const screenAfter = async (...steps: readonly string[]): Promise<readonly string[]> => {
  const screen = new Terminal({ cols: SIZE.columns, rows: SIZE.rows, allowProposedApi: true });
  for (const bytes of ["\x1b[?7l", ...steps]) await new Promise<void>((resolve) => screen.write(bytes, resolve));
  return Array.from(
    { length: SIZE.rows },
    (_, row) => screen.buffer.active.getLine(row)?.translateToString().trimEnd() ?? "",
  );
};

describe("paint", () => {
  verifies("hazard:still-screen-no-bytes", "the same frame again is no byte", () => {
    const same = { rows: ["a", "\x1b[1mb\x1b[22m 你"], cursor: { row: 1, column: 2 } };
    expect(paint(same, { ...same, rows: [...same.rows] }, SIZE)).toBe("");
  });

  test("only the cells that differ are written, placed absolutely", () => {
    expect(paint(frame("Dispatched 0:07 a"), frame("Dispatched 0:08 a"), SIZE)).toBe("\x1b[1;15H8");
  });

  test("a shorter row is erased to its end", () => {
    expect(paint(frame("a long row of text"), frame("a"), SIZE)).toBe("\x1b[1;3H\x1b[K");
  });

  test("the column is set again after foreign characters", () => {
    expect(paint(frame(""), frame("你 x"), SIZE)).toBe("\x1b[1;1H你\x1b[3G x");
  });

  test("nothing known: every row is written and its rest erased, without a clear", () => {
    const bytes = paint(null, frame("a"), SIZE);
    expect(bytes).not.toContain("\x1b[2J");
    expect(bytes).not.toContain("\x1b[3J");
    expect(bytes.match(/\x1b\[K/g)).toHaveLength(SIZE.rows);
  });

  test("a moved cursor alone is moved", () => {
    const before = { rows: ["a"], cursor: { row: 0, column: 0 } };
    expect(paint(before, { ...before, cursor: { row: 0, column: 1 } }, SIZE)).toBe("\x1b[1;2H\x1b[?25h");
  });

  const word = fc.constantFrom(
    "a",
    "bc",
    "你",
    "é",
    "x\u0336",
    " ",
    "   ",
    "\x1b[1mB\x1b[22m",
    "\x1b[7m \x1b[27m",
    "→",
    "ש",
  );
  const row = fc.array(word, { maxLength: 14 }).map((words) => words.join(""));
  const rows = fc.array(row, { minLength: 1, maxLength: SIZE.rows });

  verifies("hazard:wide-characters", "a changed screen equals one painted anew, for any two frames", async () => {
    await fc.assert(
      fc.asyncProperty(rows, rows, rows, async (first, second, third) => {
        const [a, b, c] = [frame(...first), frame(...second), frame(...third)];
        const changed = await screenAfter(paint(null, a, SIZE), paint(a, b, SIZE), paint(b, c, SIZE));
        expect(changed).toEqual(await screenAfter(paint(null, c, SIZE)));
      }),
      { numRuns: 150 },
    );
  });

  test("what is on the screen is the text of the row", async () => {
    expect(await screenAfter(paint(null, frame("ab 你好 cd", clean("e\u0301x")), SIZE))).toEqual([
      "ab 你好 cd",
      "éx",
      "",
      "",
    ]);
  });
});
