import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Depth, depthOf, fitColours } from "../../../src/tui/colours.js";
import { applySgr } from "../../../src/tui/sgr.js";
import { verifies } from "../../support/verifies.js";

const fitted = (depth: Depth, ...codes: readonly string[]): string => fitColours(codes, depth).join(" ");

describe("a terminal has", () => {
  test.each<[Depth, Record<string, string>]>([
    ["all", { COLORTERM: "truecolor", TERM: "xterm-256color" }],
    ["all", { COLORTERM: "24bit", TERM: "screen" }],
    ["all", { TERM: "xterm-kitty" }],
    ["all", { TERM: "xterm-direct" }],
    ["256", { TERM: "xterm-256color", COLORTERM: "" }],
    ["256", { TERM: "tmux-256color", COLORTERM: "yes" }],
    ["16", { TERM: "linux" }],
    ["16", { TERM: "screen" }],
    ["16", {}],
    ["none", { TERM: "dumb", COLORTERM: "truecolor" }],
    ["none", { TERM: "xterm-256color", COLORTERM: "truecolor", NO_COLOR: "1" }],
    ["256", { TERM: "xterm-256color", NO_COLOR: "" }],
  ])("%s colours with %j", (depth, env) => {
    expect(depthOf(env)).toBe(depth);
  });
});

describe("colours", () => {
  test.each<[Depth, readonly string[], string]>([
    ["all", ["38;2;215;119;87", "48;5;17"], "38;2;215;119;87 48;5;17"],
    ["256", ["38;2;255;135;0", "48;2;1;2;3"], "38;5;208 48;5;16"],
    ["256", ["38;2;118;118;118"], "38;5;243"],
    ["256", ["38;5;99", "41"], "38;5;99 41"],
    ["16", ["31", "107"], "31 107"],
    ["16", ["38;5;3", "48;5;12"], "33 104"],
    // A hue stays what it is: an orange accent is no grey.
    ["16", ["38;2;215;119;87"], "31"],
    ["16", ["38;5;208"], "93"],
    ["16", ["38;2;95;135;175"], "34"],
    ["16", ["38;5;244"], "90"],
    ["16", ["38;5;255", "48;5;233"], "37 40"],
    ["16", ["48;5;231"], "107"],
    ["none", ["31", "48;2;1;2;3"], ""],
    // No number of theirs is a colour.
    ["16", ["38;5;999"], ""],
    ["256", ["38;2;1;2;900"], ""],
  ])("for %s: %j", (depth, codes, shown) => {
    expect(fitted(depth, ...codes)).toBe(shown);
  });

  test("that differ on the screen of the agent stay apart as text and ground", () => {
    expect(fitted("16", "38;5;245", "48;5;240")).toBe("97 100");
    expect(fitted("16", "38;2;250;250;250", "48;2;255;255;255")).toBe("30 107");
    // Text that was hidden on its ground stays hidden.
    expect(fitted("16", "38;5;240", "48;5;240")).toBe("90 100");
  });

  verifies("screen:colours", "need no more than the terminal has, whatever the colour", () => {
    const part = fc.integer({ min: 0, max: 255 });
    const extended = fc.oneof(
      part.map((index) => `5;${index}`),
      fc.tuple(part, part, part).map((rgb) => `2;${rgb.join(";")}`),
    );
    fc.assert(
      fc.property(extended, extended, (text, ground) => {
        const codes = applySgr([], `38;${text};48;${ground}`);
        for (const code of fitColours(codes, "256")) expect(code).toMatch(/^[34]8;5;\d{1,3}$/);
        for (const code of fitColours(codes, "16")) expect(code).toMatch(/^(?:3|4|9|10)[0-7]$/);
        expect(fitColours(codes, "16")).toHaveLength(2);
        expect(fitColours(codes, "none")).toEqual([]);
        expect(fitColours(codes, "all")).toEqual(codes);
      }),
    );
  });
});
