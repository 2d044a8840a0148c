import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TerminalSequence } from "../../../src/adapters/terminal-sequence.js";
import { createOscScanner } from "../../../src/tmux/osc-scanner.js";

const feedAll = (chunks: readonly Uint8Array[]): readonly TerminalSequence[] => {
  const scanner = createOscScanner();
  return chunks.flatMap((chunk) => scanner.feed(chunk));
};

const bytesOf = (text: string): Uint8Array => Buffer.from(text, "utf8");

/** The sequences of a text, after checking that cutting it after every byte changes nothing. */
const scan = (text: string): readonly TerminalSequence[] => {
  const whole = feedAll([bytesOf(text)]);
  expect(feedAll([...bytesOf(text)].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
  return whole;
};

const osc = (code: string, body: string, terminator: "bel" | "st" = "bel"): TerminalSequence => ({
  kind: "osc",
  code,
  body,
  terminator,
});

const wrap = (text: string): string => `\x1bPtmux;${text.replaceAll("\x1b", "\x1b\x1b")}\x1b\\`;

describe("OSC", () => {
  it.each<[string, string, readonly TerminalSequence[]]>([
    ["a title", "\x1b]0;my title\x07", [osc("0", "my title")]],
    ["a title ended by ST", "\x1b]2;t\x1b\\", [osc("2", "t", "st")]],
    ["a folder", "\x1b]7;file://host/home\x07", [osc("7", "file://host/home")]],
    ["progress", "\x1b]9;4;1;50\x07", [osc("9", "4;1;50")]],
    ["a prompt mark", "\x1b]133;A;k=s\x07", [osc("133", "A;k=s")]],
    ["a code without a body", "\x1b]133\x07", [osc("133", "")]],
    ["other codes", "\x1b]52;c;YQ==\x07\x1b]8;;http://x\x1b\\\x1b]11;?\x07\x1b]07501;a\x07\x1b];x\x07\x1b]\x07", []],
    ["text in UTF-8, byte for byte", "\x1b]0;é✓\x07", [osc("0", Buffer.from("é✓").toString("latin1"))]],
    ["control bytes inside", "\x1b]0;a\x00\tb\nc\x07", [osc("0", "abc")]],
    ["CAN", "\x1b]0;a\x18b\x07", []],
    ["SUB", "\x1b]0;a\x1ab\x07", []],
    ["a new sequence inside", "\x1b]0;a\x1b]2;b\x07", [osc("2", "b")]],
    ["a colour inside", "\x1b]0;a\x1b[31mb\x07", []],
    ["an unended one", "\x1b]0;a", []],
    ["ESC ESC before it", "\x1b\x1b]0;a\x07", [osc("0", "a")]],
  ])("%s", (_, text, expected) => {
    expect(scan(`before${text}`)).toEqual(expected);
  });

  it("is no different for text that holds the bytes of 8-bit controls", () => {
    const text = "ÜÝ 𝜝 œ ✜ „ 札";
    expect(scan(`${text}\x1b]0;${text}\x07${text}`)).toEqual([osc("0", Buffer.from(text).toString("latin1"))]);
    expect(
      feedAll([Uint8Array.of(0x9d, 0x30, 0x3b, 0x61, 0x07, 0x90, 0x9b, 0x98, 0x9f), bytesOf("\x1b]0;b\x07")]),
    ).toEqual([osc("0", "b")]);
  });

  it("may be 4096 bytes long from ESC to its end, and no byte more", () => {
    const sequence = (length: number, end: string) => `\x1b]0;${"x".repeat(length - 4 - end.length)}${end}`;
    expect(scan(sequence(4096, "\x07"))).toHaveLength(1);
    expect(scan(sequence(4096, "\x1b\\"))).toHaveLength(1);
    expect(scan(sequence(4097, "\x07"))).toEqual([]);
    expect(scan(sequence(4097, "\x1b\\"))).toEqual([]);
    expect(scan(`${sequence(100_000, "\x07")}\x1b]0;a\x07`)).toEqual([osc("0", "a")]);
  });

  it("keeps little of a sequence that never ends", () => {
    const scanner = createOscScanner();
    const before = process.memoryUsage();
    for (const start of ["\x1b]0;", "\x1b]52;", "\x1bP", "\x1b[?", "\x1b[", "\x1bPtmux;\x1b\x1b]0;"]) {
      scanner.feed(bytesOf(`\x18${start}`));
      for (let i = 0; i < 200; i++) expect(scanner.feed(new Uint8Array(65_536).fill(0x31))).toEqual([]);
    }
    const after = process.memoryUsage();
    expect(after.heapUsed - before.heapUsed).toBeLessThan(64 * 1024 * 1024);
    expect(scanner.feed(bytesOf("\x18\x1b\\\x1b]0;a\x07"))).toEqual([osc("0", "a")]);
  });
});

describe("modes and resets", () => {
  it.each<[string, string, readonly TerminalSequence[]]>([
    ["one mode", "\x1b[?2004h", [{ kind: "privateMode", number: 2004, on: true }]],
    ["switched off", "\x1b[?2031l", [{ kind: "privateMode", number: 2031, on: false }]],
    [
      "several at once",
      "\x1b[?1049;25h",
      [
        { kind: "altScreen", on: true },
        { kind: "privateMode", number: 25, on: true },
      ],
    ],
    [
      "the older alternate screens",
      "\x1b[?47h\x1b[?1047l",
      [
        { kind: "altScreen", on: true },
        { kind: "altScreen", on: false },
      ],
    ],
    [
      "public modes, queries and device status",
      "\x1b[4h\x1b[?2004$p\x1b[?6n\x1b[>5u\x1b[?u\x1b[c\x1b[2J\x1b[!p\x1b[1;?25h",
      [],
    ],
    ["a mode that was called off", "\x1b[?20\x1804h\x1b[?20\x1b[31m04h", []],
    ["a full reset", "\x1bc", [{ kind: "ris" }]],
    ["character sets and ESC c look-alikes", "\x1b(c\x1b#c\x1b%Gc\x1b]52;c\x07\x1bM", []],
    ["too many parameters", `\x1b[?${"1;".repeat(100)}25h`, []],
  ])("%s", (_, text, expected) => {
    expect(scan(text)).toEqual(expected);
  });
});

describe("other strings and envelopes", () => {
  const inner = "\x1b]7501;state=done\x07";
  const found = osc("7501", "state=done");

  it.each(["\x1bPq", "\x1bX", "\x1b^", "\x1b_G", "\x1bPtmux", "\x1bPtmuxx;"])("%j hides what is in it", (start) => {
    expect(scan(`${start}]7501;state=done\x07\x1b\\${inner}`)).toEqual([found]);
  });

  it("are opened four levels deep", () => {
    expect(scan(wrap(inner))).toEqual([found]);
    expect(scan(wrap(wrap(wrap(wrap(inner)))))).toEqual([found]);
    expect(scan(wrap(wrap(wrap(wrap(wrap(inner))))))).toEqual([]);
  });

  it("give their OSCs only: modes and resets in them are for another terminal", () => {
    expect(scan(wrap(`\x1bc\x1b[?1049h${inner}\x1b[?2031h`))).toEqual([found]);
  });

  it("do not leak what they left unfinished", () => {
    expect(scan(`${wrap("\x1b]7501;state=done")}\x07`)).toEqual([]);
    expect(scan(`${wrap("\x1b]7501;state=do")}${wrap("ne\x07")}`)).toEqual([]);
  });

  it("end at any other sequence", () => {
    expect(scan(`\x1bPtmux;abc\x1b[31m${inner}`)).toEqual([found]);
  });
});

it("finds the same wherever the output is cut", () => {
  const piece = fc.constantFrom(
    ..."\x1b \x1b] \x1b[ \x1b[? \x1bP tmux; \x1b\\ \x07 \x18 \x1bc 0; 7501; state=idle ? 2031 1049 ; h l m \x1b\x1b \x9c \xff é x".split(
      " ",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.array(fc.nat(120), { maxLength: 6 }), (pieces, cuts) => {
      const bytes = Buffer.from(pieces.join(""), "latin1");
      const at = [...new Set([0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length])].sort(
        (a, b) => a - b,
      );
      const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
      expect(feedAll(chunks)).toEqual(feedAll([bytes]));
    }),
    { numRuns: 3000 },
  );
});
