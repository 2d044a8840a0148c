import { describe, expect, test } from "vitest";
import { relayState } from "../../../src/cli/relay.js";
import { agentView, trailView } from "../../support/fake-cli.js";

const architect = agentView({ id: "t1", name: "test-architect" });
const green = trailView({ id: "d-3", from: "feature-impl", to: "test-architect", text: "GREEN" });
const opening = trailView({ id: "d-1", to: "test-architect", text: "Write tests. End with RELAY DONE." });

describe("how the relay stands", () => {
  test.each([
    ["nothing yet", [], "running"],
    ["only the prompt names the words", [opening], "running"],
    ["GREEN is typed", [green, opening], "running"],
    [
      "GREEN's turn was answered",
      [{ ...green, status: "Completed", response: "6 pass.\nRELAY DONE" }, opening],
      "done",
    ],
    [
      "RELAY DONE in the middle of a line",
      [{ ...green, status: "Completed", response: "not RELAY DONE yet" }],
      "failed",
    ],
    ["RELAY DONE from another turn", [{ ...opening, status: "Completed", response: "RELAY DONE" }], "running"],
    [
      "the words of another sender",
      [{ ...green, from: "reviewer", status: "Completed", response: "RELAY DONE" }],
      "running",
    ],
    ["RELAY FAILED, in any turn", [{ ...opening, status: "Completed", response: "Refused.\nRELAY FAILED" }], "failed"],
    ["a message that failed", [{ ...opening, status: "Failed", notes: ["exited"] }], "failed"],
    [
      "GREEN's turn had no answer",
      [{ ...green, status: "Completed", response: null, notes: ["interrupted"] }],
      "failed",
    ],
  ] as const)("%s", (_what, trail, kind) => {
    expect(relayState(trail, [architect]).kind).toBe(kind);
  });

  test("an agent of the relay that exits fails it; the reviewer does not matter", () => {
    const exit = { at: 1, why: "status 1" };
    expect(relayState([opening], [{ ...architect, exit }])).toEqual({
      kind: "failed",
      why: "test-architect exited: status 1",
    });
    expect(relayState([opening], [agentView({ exit })]).kind).toBe("running");
  });
});
