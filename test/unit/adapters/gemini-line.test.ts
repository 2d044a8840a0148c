import { describe, expect, it } from "vitest";
import type { Screen } from "../../../src/adapters/adapter.js";
import { geminiLine } from "../../../src/adapters/gemini-line.js";
import { labelledScreens } from "../../support/labelled-screens.js";

const labelled = labelledScreens("gemini");

/** Every text that was pasted on one of the screens: none of them may be taken for another. */
const texts = [...new Set(labelled.flatMap(({ pasted }) => pasted ?? []))];

describe("real screens of Gemini", () => {
  it("are all there", () => {
    expect(labelled).toHaveLength(199);
  });

  it.each(labelled.map((row, index) => [`${index} ${row.label} ${row.cols}x${row.rows}`, row] as const))(
    "%s",
    (_, { label, state, dialog, pasted, screen }) => {
      expect(geminiLine.line(screen)).toBe(state);
      const named = geminiLine.dialog(screen);
      // A dialog that is known and not named in the fixture: any name will do.
      if (dialog === "some dialog") expect(named).not.toBeNull();
      else expect(named).toBe(dialog);
      if (pasted !== undefined) {
        expect(geminiLine.echo(screen, pasted)).toBe(label === "draft+paste" ? "mixed" : "ours");
        expect(geminiLine.echo(screen, `${pasted}\nand more`)).toBe("none");
        return;
      }
      // A draft of the same words is what it looks like.
      if (!label.startsWith("draft")) for (const text of texts) expect(geminiLine.echo(screen, text)).toBe("none");
    },
  );
});

const COLS = 60;
const EMPTY = " >   Type your message or @path/to/file";
const FOOT = [" workspace (/directory)      sandbox      /model", " /dir            no sandbox      m"];

/** A screen as it is drawn before the cursor has come into the line: it is parked below everything. */
const parked = (above: readonly string[], line: readonly string[], below: readonly string[] = FOOT): Screen => {
  const rows = [...above, "─".repeat(COLS), " Shift+Tab to accept edits", ...boxed(line), ...below];
  const cursor = { x: 0, y: rows.length, visible: false };
  return { ansi: [...rows, "", "", ""].join("\n"), cursor, cols: COLS, rows: rows.length + 3 };
};
const boxed = (line: readonly string[]): readonly string[] => ["▄".repeat(COLS), ...line, "▀".repeat(COLS)];

describe("a line that the cursor is not in yet", () => {
  const past = boxed([" > an earlier prompt"]);
  it.each<[string, Screen, string]>([
    ["nothing", parked([], [EMPTY]), "empty"],
    ["nothing, below past prompts", parked(past, [EMPTY]), "empty"],
    ["text", parked(past, [" > hello"]), "occupied"],
    ["shell mode", parked(past, [" !   Type your shell command"]), "unknown"],
    ["no footer below", parked(past, [EMPTY], []), "unknown"],
    ["a dialog below", parked([], [EMPTY], ["╭───╮", "│ Allow execution of [Shell]? │", "╰───╯"]), "unknown"],
    ["a visible cursor there", { ...parked([], [EMPTY]), cursor: { x: 0, y: 8, visible: true } }, "unknown"],
  ])("%s", (_, screen, state) => {
    expect(geminiLine.line(screen)).toBe(state);
  });

  it("shows the echo of our text alone", () => {
    const text = "[Peer agent (lead)]: look at the tests";
    expect(geminiLine.echo(parked(past, [` > ${text}`]), text)).toBe("ours");
    expect(geminiLine.echo(parked(past, [` > draft ${text}`]), text)).toBe("mixed");
    expect(geminiLine.echo(parked(boxed([` > ${text}`]), [EMPTY]), text)).toBe("none");
  });
});
