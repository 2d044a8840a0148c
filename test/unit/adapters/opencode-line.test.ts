import { describe, expect, it } from "vitest";
import type { Screen } from "../../../src/adapters/adapter.js";
import { opencodeLine } from "../../../src/adapters/opencode-line.js";
import { labelledScreens } from "../../support/labelled-screens.js";

const labelled = labelledScreens("opencode");

/** Our own texts that stand behind a draft or an earlier paste. */
const MIXED = /^(draft\+paste|paste-l10\+p20)$/;

describe("real screens of OpenCode", () => {
  it("are all there", () => {
    expect(labelled).toHaveLength(214);
  });

  it.each(labelled.map((row, index) => [`${index} ${row.label} ${row.cols}x${row.rows}`, row] as const))(
    "%s",
    (_, row) => {
      expect({ line: opencodeLine.line(row.screen), dialog: opencodeLine.dialog(row.screen) }).toEqual({
        line: row.state,
        dialog: row.dialog,
      });
      if (row.pasted !== undefined)
        expect(opencodeLine.echo(row.screen, row.pasted)).toBe(MIXED.test(row.label) ? "mixed" : "ours");
      if (row.notPasted !== undefined) expect(opencodeLine.echo(row.screen, row.notPasted)).toBe("none");
    },
  );
});

/** A screen as OpenCode draws it, with these rows of text in its line; the cursor counts from the first of them. */
const draw = (text: readonly string[], [x, y]: readonly [number, number], visible = true): Screen => {
  const rows = [
    "",
    "  ┃",
    ...text.map((row) => `  ┃  ${row}`),
    "  ┃",
    "  ┃  Build · Model",
    `  ╹${"▀".repeat(50)}`,
    "   /work",
  ];
  return { ansi: rows.join("\n"), cursor: { x: 5 + x, y: 2 + y, visible }, cols: 60, rows: rows.length };
};

describe("the line", () => {
  it("is nobody's while the cursor is hidden, outside it, or an overlay's", () => {
    expect(opencodeLine.line(draw([""], [0, 0]))).toBe("empty");
    expect(opencodeLine.line(draw([""], [0, 0], false))).toBe("unknown");
    expect(opencodeLine.line(draw([""], [0, 2]))).toBe("unknown");
    expect(opencodeLine.line(draw([""], [-1, 0]))).toBe("unknown");
  });

  it("shows 150 characters and two lines in full, and longer texts as a chip of their lines", () => {
    const chip = (lines: number): Screen => draw([`[Pasted ~${lines} lines] `], [18, 0]);
    expect(opencodeLine.echo(chip(1), "x".repeat(151))).toBe("ours");
    expect(opencodeLine.echo(chip(1), "x".repeat(150))).toBe("none");
    expect(opencodeLine.echo(draw(["[Pasted ~3 lines] see"], [21, 0]), "a\nb\nc\n")).toBe("mixed");
    expect(opencodeLine.echo(chip(3), "a\nb\nc\n")).toBe("ours");
    expect(opencodeLine.echo(chip(2), "a\nb")).toBe("none");
    expect(opencodeLine.echo(chip(4), "a\nb\nc")).toBe("none");
    expect([opencodeLine.gate("a\nb"), opencodeLine.gate("a\nb\nc")]).toEqual(["a\nb", null]);
  });

  it.each(["", "\n\n\n", "\x1b[", "╹▀▀▀▀▀", "  ┃\n  ╹▀▀▀▀▀▀", "user@host:~$ "])("claims nothing of %j", (ansi) => {
    const screen: Screen = { ansi, cursor: { x: 2, y: 0, visible: true }, cols: 60, rows: 24 };
    expect([opencodeLine.line(screen), opencodeLine.echo(screen, "text"), opencodeLine.dialog(screen)]).toEqual([
      "unknown",
      "none",
      null,
    ]);
  });
});
