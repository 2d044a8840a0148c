import { expect, test } from "vitest";
import { inertText, padTo, tmuxSocketOf, wordTrailChange } from "../../../src/cli/screen.js";
import { trailView } from "../../support/fake-cli.js";

test("text of many lines keeps its lines and tabs, and no control", () => {
  expect(inertText("a\r\nb\tc\u001b[2J\rd")).toBe("a\nb\tc␛[2J\nd");
});

test("cells are counted, not characters", () => {
  expect(padTo("测试", 6)).toBe("测试  ");
});

test("a change on a pipe shows no count that has just begun", () => {
  const counting = trailView({ timer: { kind: "counting", since: 0 } });
  expect(wordTrailChange(counting, 0)).toMatch(/Dispatched You → reviewer: /);
  expect(wordTrailChange({ ...counting, timer: { kind: "took", ms: 1_200 } }, 0)).toContain("1.2s");
});

test("the tmux that one is in, by its socket", () => {
  expect([tmuxSocketOf({ TMUX: "/tmp/s,1,0" }), tmuxSocketOf({ TMUX: "" }), tmuxSocketOf({})]).toEqual([
    "/tmp/s",
    null,
    null,
  ]);
});
