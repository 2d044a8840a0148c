import { describe, expect, it } from "vitest";
import type { Screen } from "../../../src/adapters/adapter.js";
import { piLine } from "../../../src/adapters/pi-line.js";
import { labelledScreens } from "../../support/labelled-screens.js";

const labelled = labelledScreens("pi");

/** Blanks with the cursor before them look like nothing, and our text would stand before them. */
const LOOKS_EMPTY = "spaces-home";

describe("real screens of Pi", () => {
  it("are all there", () => {
    expect(labelled).toHaveLength(197);
  });

  it.each(labelled.map((row, index) => [`${index} ${row.label} ${row.cols}x${row.rows}`, row] as const))(
    "%s",
    (_, row) => {
      const { screen } = row;
      expect({ line: piLine.line(screen), dialog: piLine.dialog(screen) }).toEqual({
        line: row.label === LOOKS_EMPTY ? "empty" : row.state,
        dialog: row.dialog,
      });
      if (row.pasted !== undefined) {
        expect(piLine.echo(screen, row.pasted)).toBe(row.label === "draft+paste" ? "mixed" : "ours");
        expect(piLine.echo(screen, `${row.pasted}\nand more`)).toBe("none");
      } else if (!row.label.startsWith("draft")) {
        // An earlier text of ours may stand above the line: it is no echo.
        const texts = labelled.flatMap((other) => other.pasted ?? []);
        for (const text of texts) expect(piLine.echo(screen, text)).toBe("none");
      }
    },
  );
});

const COLS = 60;
const RULE = "─".repeat(COLS);

/** A screen as Pi draws it; `cursor` counts from the line's first row. */
const draw = (body: readonly string[], cursor: readonly [x: number, y: number], upper = RULE): Screen => {
  const rows = [" said before", "", upper, ...body, RULE, "/dir", "0.0%/200k (auto)"];
  return {
    ansi: rows.join("\n"),
    cursor: { x: cursor[0], y: 3 + cursor[1], visible: false },
    cols: COLS,
    rows: rows.length,
  };
};

const BOTH = ["", " Deploy?", "", " → Yes", "   No", "", " ↑↓ navigate  enter select  escape/ctrl+c cancel", ""];

describe("the line of Pi", () => {
  it.each<[string, Screen, "empty" | "occupied" | "unknown", string | null]>([
    ["nothing", draw([""], [0, 0]), "empty", null],
    ["blanks, which the capture trims", draw([""], [2, 0]), "occupied", null],
    ["a newline", draw(["", ""], [0, 1]), "occupied", null],
    ["while it works", draw([""], [0, 0], `── ⠇ Working ${"─".repeat(47)}`), "empty", null],
    ["a dialog with its cursor inside", draw(BOTH, [0, 3]), "unknown", "permission"],
    ["a dialog with its cursor on the rule below", draw(BOTH, [59, BOTH.length]), "unknown", "permission"],
    ["a draft that quotes a dialog", draw(["see:", ...BOTH.slice(1, 7)], [3, 6]), "occupied", null],
    ["the cursor in the footer", draw([""], [0, 2]), "unknown", null],
  ])("%s", (_, screen, line, dialog) => {
    expect({ line: piLine.line(screen), dialog: piLine.dialog(screen) }).toEqual({ line, dialog });
  });

  it("is no echo with a draft before it, or with rows out of sight that are not its own", () => {
    const text = "[Peer agent (lead)]: look at the tests";
    expect(piLine.echo(draw([text], [38, 0]), text)).toBe("ours");
    expect(piLine.echo(draw([`draft ${text}`], [44, 0]), text)).toBe("mixed");
    expect(piLine.echo(draw([text], [38, 0], `─── ↑ 2 more ${"─".repeat(47)}`), text)).toBe("mixed");
  });

  it("knows the chip of its own text alone", () => {
    const long = "x".repeat(1_200);
    expect(piLine.echo(draw(["[paste #1 1200 chars]"], [21, 0]), long)).toBe("ours");
    expect(piLine.echo(draw(["[paste #2 1201 chars]"], [21, 0]), long)).toBe("none");
    expect(piLine.echo(draw(["hm [paste #1 1200 chars]"], [24, 0]), long)).toBe("mixed");
    expect(piLine.gate(long)).toBeNull();
    expect(piLine.gate("short")).toBe("short");
    const tabs = `\t${"y".repeat(998)}`;
    expect(piLine.echo(draw(["[paste #1 1002 chars]"], [21, 0]), tabs)).toBe("ours");
  });

  it.each(["", "\n\n", RULE, `${RULE}\n${RULE}`, "\u001b["])("claims nothing of %j", (ansi) => {
    const screen: Screen = { ansi, cursor: { x: 0, y: 0, visible: true }, cols: COLS, rows: 24 };
    expect([piLine.line(screen), piLine.echo(screen, "text"), piLine.dialog(screen)]).toEqual([
      "unknown",
      "none",
      null,
    ]);
  });
});
