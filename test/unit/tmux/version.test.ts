import { describe, expect, it } from "vitest";
import { hasManualSizeCrash, isAtLeast, parseVersion, rewritesPastes } from "../../../src/tmux/version.js";

describe("versions of tmux", () => {
  it.each([
    ["tmux 3.1c\n", false, false, false],
    ["tmux 3.2a", true, false, false],
    ["3.3a", true, true, false],
    ["tmux 3.6b", true, true, false],
    ["tmux 3.7", true, false, true],
    ["tmux next-3.8", true, false, true],
    ["tmux 4.0", true, false, true],
    ["tmux master", true, false, true],
    ["tmux openbsd-7.6", true, false, true],
    ["tmux 2.9", false, false, false],
  ])("%j", (text, floor, crash, rewrites) => {
    const version = parseVersion(text);
    expect(isAtLeast(version, 3, 2)).toBe(floor);
    expect(hasManualSizeCrash(version)).toBe(crash);
    expect(rewritesPastes(version)).toBe(rewrites);
  });
});
