import { describe, expect, test } from "vitest";
import type { Outcome } from "../../../src/bus/protocol.js";
import {
  orderAgents,
  recipients,
  tagOf,
  trailLine,
  trailLines,
  wordClock,
  wordCount,
  wordOutcome,
  wordProject,
  wordTimer,
  wordTook,
} from "../../../src/tui/view-model.js";
import { agentView, START, trailView } from "../../support/fake-client.js";
import { verifies } from "../../support/verifies.js";

describe("times", () => {
  const counts: readonly (readonly [number, string])[] = [
    [-5, "0:00"],
    [999, "0:00"],
    [7_000, "0:07"],
    [750_000, "12:30"],
    [3_723_000, "1:02:03"],
  ];
  for (const [ms, shown] of counts) test(`${ms} ms count as ${shown}`, () => expect(wordCount(ms)).toBe(shown));
  const tooks: readonly (readonly [number, string])[] = [
    [0, "0.0s"],
    [420, "0.4s"],
    [9_940, "9.9s"],
    [9_960, "10s"],
    [59_400, "59s"],
    [185_000, "3m05s"],
    [3_720_000, "1h02m"],
  ];
  for (const [ms, shown] of tooks) test(`${ms} ms took ${shown}`, () => expect(wordTook(ms)).toBe(shown));

  verifies("trail:timer-counts-from-delivery", "a counting timer counts from its since", () => {
    expect(wordTimer({ kind: "counting", since: START }, START + 65_000)).toBe("1:05");
  });
  verifies("trail:completed-shows-turn-time", "a finished one says how long the turn took", () => {
    expect(wordTimer({ kind: "took", ms: 4_200 }, START + 999_000)).toBe("4.2s");
  });
  verifies(["trail:queued-has-no-timer", "trail:blind-has-no-timer"], "without a timer nothing is said", () => {
    expect(wordTimer({ kind: "none" }, START + 999_000)).toBe("");
  });
});

describe("agents", () => {
  verifies(
    ["mission-control:listener-tag", "responder:tagged"],
    "responders and listeners are tagged, full peers are not",
    () => {
      expect(tagOf(agentView({ name: "a", level: "listener" }))).toBe("Listener");
      expect(tagOf(agentView({ name: "a", level: "responder" }))).toBe("Responder");
      expect(tagOf(agentView({ name: "a" }))).toBeNull();
    },
  );

  test("those that wait come first, the exited last, the others as listed", () => {
    const exit = { at: START, why: "exited with status 0" };
    const names = orderAgents([
      agentView({ name: "gone", status: "exited", exit }),
      agentView({ name: "b", status: "working" }),
      agentView({ name: "a" }),
      agentView({ name: "asks", status: "waiting" }),
    ]).map((agent) => agent.name);
    expect(names).toEqual(["asks", "b", "a", "gone"]);
  });

  test("only live peers can be written to", () => {
    const exit = { at: START, why: "exited" };
    const agents = [
      agentView({ name: "shell", level: "not a peer" }),
      agentView({ name: "gone", status: "exited", exit }),
      agentView({ name: "listener", level: "listener", status: "unknown" }),
    ];
    expect(recipients(agents).map((agent) => agent.name)).toEqual(["listener"]);
  });

  test("a project is called by its last folder", () => {
    expect(wordProject("/work/shop/")).toBe("shop");
    expect(wordProject("E:\\Projects\\Quay2")).toBe("Quay2");
    expect(wordProject("/")).toBe("/");
  });
});

describe("outcomes, in words for people", () => {
  const cases: readonly (readonly [Outcome, string, boolean])[] = [
    [{ kind: "reply", to: "reviewer", text: "ok" }, "reviewer replied. The trail has the answer.", true],
    [{ kind: "dispatched", to: "reviewer" }, "Sent to reviewer.", true],
    [{ kind: "queued", to: "reviewer", why: "it is working" }, "Queued for reviewer: it is working.", true],
    [
      { kind: "stillWorking", to: "reviewer" },
      "reviewer is still working on it; its answer will fill in the trail.",
      true,
    ],
    [
      { kind: "stillQueued", to: "reviewer", circle: [] },
      "Still queued for reviewer; it is typed when the current turn ends.",
      true,
    ],
    [{ kind: "stillQueued", to: "a", circle: ["a", "b"] }, "Queued for a: a → b wait on each other.", false],
    [
      { kind: "endedWithoutAnswer", to: "reviewer", how: "interrupted", detail: "" },
      "reviewer gave no answer: interrupted.",
      false,
    ],
    [
      { kind: "endedWithoutAnswer", to: "reviewer", how: "failed", detail: "overloaded" },
      "reviewer gave no answer: the turn failed (overloaded).",
      false,
    ],
    [
      { kind: "cannotReply", to: "reviewer", remedy: "relaunch with the bridge", queued: false },
      "Sent to reviewer, which cannot reply: run `quay relaunch reviewer` to hear it.",
      true,
    ],
    [
      { kind: "cannotReply", to: "aider", remedy: "file mailbox", queued: true },
      "Queued for aider, which cannot reply; ask it to write to a file.",
      true,
    ],
    [
      { kind: "reporterLost", to: "reviewer", remedy: "relaunch with the bridge" },
      "reviewer stopped reporting: run `quay relaunch reviewer` to hear it again.",
      false,
    ],
    [
      { kind: "reporterLost", to: "writer", remedy: "compare the PiG version" },
      "writer stopped reporting; Quay's extension was tested on Pi 1.6.0: compare `pig --version`.",
      false,
    ],
    [{ kind: "targetExited", to: "reviewer" }, "reviewer exited before it answered.", false],
    [
      { kind: "deliveryFailed", to: "reviewer", why: "input is off" },
      "Could not be typed into reviewer: input is off.",
      false,
    ],
    [
      { kind: "broadcast", reached: ["a", "b"], holding: ["c"], failed: [] },
      "Notice sent to 2 peers: a, b. After the current turn: c.",
      true,
    ],
    [{ kind: "broadcast", reached: [], holding: [], failed: ["d"] }, "Could not be typed into: d.", false],
    [
      { kind: "broadcast", reached: [], holding: [], failed: [] },
      "No other peer is running in the project; nobody got the notice.",
      false,
    ],
  ];
  for (const [outcome, text, isGood] of cases) test(text, () => expect(wordOutcome(outcome)).toEqual({ text, isGood }));

  verifies("person:command-sign-refused", "a refusal is shown in the engine's own sentence", () => {
    expect(wordOutcome({ kind: "refused", refusal: { kind: "leadingCommandSign", sign: "/" } })).toEqual({
      text: "The message starts with '/', which the agent's CLI takes as a command. Put a word before it, or ask for raw typing if that is what you mean.",
      isGood: false,
    });
  });
});

describe("the trail as plain lines", () => {
  const at = wordClock(START);

  verifies(["trail:statuses", "trail:label-reply"], "an entry, its response, its notes", () => {
    const entry = trailView({
      id: "d1",
      status: "Completed",
      timer: { kind: "took", ms: 4_200 },
      response: "GREEN\nall 12 pass",
      notes: ["joined a turn already running"],
    });
    expect(trailLines(entry, START)).toEqual([
      `${at} Completed 4.2s test-architect → feature-impl: Make them pass`,
      "  Reply: GREEN↵all 12 pass",
      "  (joined a turn already running)",
    ]);
    expect(trailLine(entry, START)).toBe(
      `${at} Completed 4.2s test-architect → feature-impl: Make them pass  Reply: GREEN↵all 12 pass  (joined a turn already running)`,
    );
  });

  verifies("trail:label-answer", "a notice carries its tag and the Answer label", () => {
    const entry = trailView({ id: "d1", from: "You", tag: "Broadcast", label: "Answer:", response: "seen" });
    expect(trailLine(entry, START)).toBe(
      `${at} Dispatched You → feature-impl [Broadcast]: Make them pass  Answer: seen`,
    );
  });

  verifies("hazard:stored-controls-inert", "no control reaches a pipe", () => {
    const entry = trailView({
      id: "d1",
      from: "a\x1b[2J",
      text: "x\x07\u202ey",
      response: "\x1b]52;c;AAAA\x07",
      notes: ["\r"],
    });
    expect(trailLine(entry, START)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
  });
});
