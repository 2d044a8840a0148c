import { describe, expect, test } from "vitest";
import type { Outcome } from "../../../src/bus/protocol.js";
import { table, wordOutcome, wordRefusalForPeople } from "../../../src/cli/output.js";

const to = "reviewer";

describe("what a call came to, in a person's words", () => {
  test.each<[Outcome, boolean, boolean, string]>([
    [{ kind: "dispatched", to }, false, true, "Typed into reviewer."],
    [
      { kind: "queued", to, why: "working" },
      false,
      true,
      "Queued for reviewer (working). It is typed as soon as it can be; see quay trail.",
    ],
    [
      { kind: "stillQueued", to, circle: [] },
      true,
      false,
      "The message to reviewer is still queued behind its current turn and is typed when that turn ends. Follow it with: quay trail --follow",
    ],
    [
      { kind: "stillQueued", to, circle: ["a", "b"] },
      true,
      false,
      "The message to reviewer is queued; waiting for it would close a circle of waits (a, b). Follow it with: quay trail --follow",
    ],
    [
      { kind: "endedWithoutAnswer", to, how: "failed", detail: "529 overloaded" },
      true,
      false,
      "reviewer got the message, but its turn failed: 529 overloaded",
    ],
    [
      { kind: "cannotReply", to, remedy: "file mailbox", queued: false },
      true,
      false,
      "The message is typed into reviewer, which cannot reply through Quay. Ask it to write its answer to a file, ending with a line you agree on.",
    ],
    [
      { kind: "reporterLost", to: "my agent", remedy: "relaunch with the bridge" },
      true,
      false,
      "my agent got the message, but its event bridge does not report any more, so Quay cannot see the answer. Run: quay relaunch 'my agent'",
    ],
    [
      { kind: "targetExited", to },
      true,
      false,
      "reviewer exited before it answered. Start it again with: quay relaunch reviewer",
    ],
    [
      { kind: "deliveryFailed", to, why: "the pane is closed" },
      false,
      false,
      "The message could not be typed into reviewer: the pane is closed",
    ],
    [
      { kind: "broadcast", reached: [], holding: [], failed: [] },
      false,
      false,
      "Nobody got the notice: no other peer runs in this project. See quay ls, or pass --project DIR.",
    ],
    [
      { kind: "broadcast", reached: ["a"], holding: [], failed: ["b"] },
      false,
      false,
      "Sent to 1 peer: a. Could not be typed into: b.",
    ],
  ])("%o", (outcome, waited, ok, line) => {
    expect(wordOutcome(outcome, waited)).toEqual({ ok, line, body: null });
  });

  test("a refusal names verbs, not tools", () => {
    const refusal = { kind: "unknownTarget", target: "x", peers: [] } as const;
    expect(wordRefusalForPeople(refusal)).toContain("exactly as quay ls lists it");
    expect(wordRefusalForPeople({ kind: "leadingCommandSign", sign: "/" })).toContain("pass --raw");
  });
});

test("a table on a terminal is cut to its width", () => {
  expect(
    table(
      [
        ["NAME", "TASK"],
        ["a", "a long task"],
      ],
      10,
    ),
  ).toBe("NAME  TASK\na     a l…\n");
});
