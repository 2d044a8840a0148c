import { expect, test } from "vitest";
import { readBehaviour } from "../../../src/drill/behaviour.js";

test("an agent that is told nothing is friendly", () => {
  expect(readBehaviour({ PATH: "/bin" })).toMatchObject({
    turnMs: { min: 200, max: 200 },
    swallowMs: 0,
    osc: "ask",
    busyInput: "queue",
    dies: "never",
    reads: "always",
    forges: "no",
    hooks: { fault: "none" },
  });
});

test("reads ranges, words and counts", () => {
  const env = { DRILL_TURN_MS: "5-60", DRILL_DIES: "2", DRILL_READS: "8000", DRILL_HOOKS: "lost", DRILL_PRINT_MB: "2" };
  expect(readBehaviour(env)).toMatchObject({
    turnMs: { min: 5, max: 60 },
    dies: { inTurn: 2 },
    reads: { afterMs: 8_000 },
    hooks: { fault: "lost" },
    printBytes: 2_097_152,
  });
});

test.each([
  [{ DRILL_TURN: "5" }, "DRILL_TURN is not known"],
  [{ DRILL_TURN_MS: "60-5" }, "DRILL_TURN_MS must be a number of ms or a range"],
  [{ DRILL_OSC: "loud" }, "DRILL_OSC must be one of: ask, unasked, off"],
  [{ DRILL_SWALLOW_MS: "-1" }, "DRILL_SWALLOW_MS must be a whole number"],
])("refuses %j", (env, words) => {
  expect(() => readBehaviour(env)).toThrow(words);
});
