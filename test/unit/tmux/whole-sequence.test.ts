import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TerminalSequence } from "../../../src/adapters/terminal-sequence.js";
import { createOscScanner } from "../../../src/tmux/osc-scanner.js";
import { readWhole } from "../../../src/tmux/whole-sequence.js";

const read = (text: string): { readonly end: number; readonly found: readonly TerminalSequence[] } => {
  const found: TerminalSequence[] = [];
  return { end: readWhole(Buffer.from(text), 0, found), found };
};

describe("a whole sequence", () => {
  it.each<[string, string, readonly TerminalSequence[]]>([
    ["a colour", "\x1b[38;5;7m", []],
    ["a mode", "\x1b[?2026h", [{ kind: "privateMode", number: 2026, on: true }]],
    ["the alternate screen", "\x1b[?1049l", [{ kind: "altScreen", on: false }]],
    ["a mode beyond those kept", "\x1b[?99999l", [{ kind: "privateMode", number: 99_999, on: false }]],
    ["a report", "\x1b]7501;state=done\x07", [{ kind: "osc", code: "7501", body: "state=done", terminator: "bel" }]],
    ["a title ended by ST", "\x1b]2;t\x1b\\", [{ kind: "osc", code: "2", body: "t", terminator: "st" }]],
  ])("%s is read to its end", (_, text, expected) => {
    expect(read(`${text}more`)).toEqual({ end: text.length, found: expected });
  });

  it.each([
    ["cut", "\x1b[38;5"],
    ["a cut mode", "\x1b[?2026"],
    ["a cut report", "\x1b]7501;state=done"],
    ["a report cut inside ST", "\x1b]7501;state=done\x1b"],
    ["several modes", "\x1b[?25;2004h"],
    ["a long number", "\x1b[?123456h"],
    ["a control byte inside", "\x1b]0;a\nb\x07"],
    ["another number", "\x1b]8;;x\x07"],
    ["leading zeros", "\x1b]07;x\x07"],
    ["an envelope", "\x1bPtmux;x\x1b\\"],
    ["too long", `\x1b]0;${"x".repeat(4_092)}\x07`],
  ])("%s is left to the scanner", (_, text) => {
    expect(read(text)).toEqual({ end: -1, found: [] });
  });

  it("means what the scanner finds byte by byte", () => {
    const piece = fc.constantFrom(
      ...[
        "\x1b",
        "[",
        "]",
        "?",
        ";",
        "7501;",
        "0;",
        "25",
        "2026",
        "h",
        "l",
        "m",
        "\x07",
        "\x1b\\",
        "\x18",
        "\n",
        "é",
        "x",
      ],
      ...["\x1b[?25l", "\x1b]7501;state=idle\x07", "\x1b]2;t\x1b\\", "\x1b[?1049h", "\x1b[1m", "\x1bPtmux;", "\x1bc"],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const bytes = Buffer.from(pieces.join(""));
        const single = createOscScanner();
        const bitwise = [...bytes].flatMap((byte) => single.feed(Uint8Array.of(byte)));
        expect(createOscScanner().feed(bytes)).toEqual(bitwise);
      }),
      { numRuns: 2_000 },
    );
  });
});
