import { describe, expect, it } from "vitest";
import { readOptions } from "../../../src/demo/options.js";

describe("the command line of the demo agent", () => {
  it("reads what the adapter gives it", () => {
    const words = ["--session-id", "s", "--role", "feature-impl", "--fast", "--", "--role is part of this prompt"];
    expect(readOptions(words)).toEqual({
      kind: "options",
      options: {
        role: "feature-impl",
        peer: "feature-impl",
        cliSession: "s",
        fast: true,
        prompt: "--role is part of this prompt",
      },
    });
  });

  it.each([
    [[], "--role is missing"],
    [["--role", "boss"], "no role boss"],
    [["--role", "reviewer", "--model", "x"], "--model"],
    [["--role", "reviewer", "one", "two"], "more than one prompt"],
  ])("refuses %j and says how it is used", (words, why) => {
    const read = readOptions(words);
    expect(read).toMatchObject({ kind: "wrong", why: expect.stringContaining(why) });
    expect(read).toMatchObject({ why: expect.stringContaining("test-architect|feature-impl|reviewer") });
  });
});
