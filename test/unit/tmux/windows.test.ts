import { describe, expect, it } from "vitest";
import { paneArgv, windowName } from "../../../src/tmux/windows.js";

describe("windowName", () => {
  it.each([
    ["reviewer", "reviewer"],
    ["a\x1b[31m\nb", "a [31m b"],
    ["#{pid}", "##{pid}"],
    ["", "agent"],
    ["語".repeat(100), "語".repeat(64)],
  ])("%j", (name, shown) => {
    expect(windowName(name)).toBe(shown);
  });
});

describe("paneArgv", () => {
  it("takes names out of the environment on the way", () => {
    expect(paneArgv(["claude", "--x"], ["TMUX", "A"])).toEqual([
      "/usr/bin/env",
      "-u",
      "TMUX",
      "-u",
      "A",
      "claude",
      "--x",
    ]);
  });

  it("does not let env read a program as a variable or a flag", () => {
    for (const program of ["/a=b/claude", "-x"]) {
      expect(paneArgv([program, "y"], [])).toEqual(["/usr/bin/env", "/bin/sh", "-c", 'exec "$@"', "sh", program, "y"]);
    }
  });
});
