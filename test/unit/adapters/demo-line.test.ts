/** The demo composer's rules, on screens drawn by the agent's own frame. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Screen } from "../../../src/adapters/adapter.js";
import { demoLine, demoPasteChip } from "../../../src/adapters/demo-line.js";
import { composerBlock, type Entry, entryRows, type Size } from "../../../src/demo/frame.js";

const SIZES: readonly Size[] = [
  { columns: 80, rows: 24 },
  { columns: 100, rows: 36 },
  { columns: 200, rows: 50 },
];
const TALK: readonly Entry[] = [
  { mark: "■", text: "Quay demo agent – scripted, no model", dim: false },
  { mark: "●", text: `${"─".repeat(300)}\ndemo> forged\n${"─".repeat(300)}\n  footer`, dim: false },
];

const screenOf = (shown: string, size: Size, talk: readonly Entry[] = TALK): Screen => {
  const composer = composerBlock(shown, "test-architect · scripted, no model · ready", size);
  const above = talk.flatMap((entry) => entryRows(entry, size.columns)).slice(-(size.rows - composer.rows.length));
  const rows = [...Array<string>(size.rows - above.length - composer.rows.length).fill(""), ...above, ...composer.rows];
  return {
    ansi: rows.map((row) => row.trimEnd()).join("\n"),
    cursor: { x: composer.x, y: rows.length - composer.rows.length + composer.y, visible: true },
    cols: size.columns,
    rows: size.rows,
  };
};

const HEADER = "[Peer agent (test-architect)]: ";
const chipOr = (text: string): string => demoPasteChip(text) ?? text;

describe.each(SIZES)("at $columns x $rows", (size) => {
  it("is empty only when nothing stands behind the prompt", () => {
    expect(demoLine.line(screenOf("", size))).toBe("empty");
    for (const draft of ["a", " ", "   ", "\n", "漢字", "x".repeat(3_000), "1\n2\n3\n4"])
      expect(demoLine.line(screenOf(draft, size)), JSON.stringify(draft)).toBe("occupied");
  });

  it("is not understood when the cursor is elsewhere or hidden, or the composer is half drawn", () => {
    const whole = screenOf("", size);
    const elsewhere = [
      { ...whole, cursor: { ...whole.cursor, visible: false } },
      { ...whole, cursor: { ...whole.cursor, x: 3 } },
      { ...whole, cursor: { ...whole.cursor, y: whole.cursor.y - 1 } },
      { ...whole, cursor: { ...whole.cursor, y: whole.cursor.y + 1 } },
      { ...whole, ansi: whole.ansi.split("\n").slice(0, -2).join("\n") },
      { ...whole, ansi: `${whole.ansi}\n$ ` },
      { ...whole, ansi: "$ ", cursor: { x: 2, y: 0, visible: true } },
    ];
    for (const screen of elsewhere) expect(demoLine.line(screen)).toBe("unknown");
    expect(demoLine.echo(elsewhere[0] ?? whole, "x")).toBe("none");
  });

  it("takes no composer from the conversation", () => {
    const composerless = screenOf("", size).ansi.split("\n").slice(0, -4).join("\n");
    expect(demoLine.line({ ...screenOf("", size), ansi: composerless })).toBe("unknown");
  });

  it.each([
    ["a short message", `${HEADER}GREEN`],
    ["one that wraps", `${HEADER}${"The parseDuration tests are failing. ".repeat(8)}`],
    ["three lines", `${HEADER}one\ntwo\n  three`],
    ["a chip of lines", `${HEADER}${"line\n".repeat(40)}end`],
    ["a chip of characters", `${HEADER}${"x".repeat(5_000)}`],
    ["wide and joined characters", `${HEADER}漢字かな交じり文 🎉 e\u0301 ${"漢".repeat(120)}`],
  ])("sees the echo of %s", (_title, text) => {
    expect(demoLine.echo(screenOf(chipOr(text), size), text)).toBe("ours");
    expect(demoLine.echo(screenOf(`draft ${chipOr(text)}`, size), text)).toBe("mixed");
    expect(demoLine.echo(screenOf("", size), text)).toBe("none");
    expect(demoLine.echo(screenOf("something else", size), text)).toBe("none");
  });

  it("sees no echo in the conversation above", () => {
    const said: Entry = { mark: ">", text: `${HEADER}GREEN`, dim: false };
    expect(demoLine.echo(screenOf("", size, [...TALK, said]), `${HEADER}GREEN`)).toBe("none");
  });

  it("does not take a tall draft that ends in our text for ours", () => {
    const tall = `${"somebody's words ".repeat(600)}${HEADER}GREEN`;
    expect(demoLine.echo(screenOf(tall, size), `${HEADER}GREEN`)).toBe("mixed");
  });

  it("sees every pasted text as ours, and none of them with a draft before it", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 500, unit: "grapheme-ascii" }), (body) => {
        const text = `${HEADER}${body}`;
        expect(demoLine.echo(screenOf(chipOr(text), size), text)).toBe("ours");
        expect(demoLine.echo(screenOf(`q${chipOr(text)}`, size), text)).toBe("mixed");
      }),
      { numRuns: 150 },
    );
  });
});

describe("a small terminal", () => {
  it("does not take the rows in sight for the whole draft", () => {
    const size = { columns: 40, rows: 10 };
    const text = "0123456789".repeat(14).slice(0, 4 * 33);
    const screen = screenOf(`somebody's words\n${text}`, size);
    expect(screen.ansi).not.toContain("somebody");
    expect(demoLine.echo(screen, text)).toBe("mixed");
    expect(demoLine.echo(screenOf(text, size), text)).toBe("ours");
  });
});

describe("the chip of a paste", () => {
  it.each([
    ["a".repeat(400), null],
    ["a".repeat(401), "[Pasted 1 line, 401 characters]"],
    ["a\nb\nc", null],
    ["a\nb\nc\n", "[Pasted 4 lines, 6 characters]"],
    ["🎉".repeat(400), null],
  ])("counts lines and code points", (text, chip) => {
    expect(demoPasteChip(text)).toBe(chip);
  });
});

describe("dialogs", () => {
  it("has none", () => {
    expect(demoLine.dialog(screenOf("", { columns: 80, rows: 24 }))).toBeNull();
  });
});
