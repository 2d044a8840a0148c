import { describe, expect, test } from "vitest";
import { cleanBody, utf8Bytes } from "../../../src/bus/text.js";
import { drillMessages } from "../../../src/cli/drill-messages.js";
import { judgeArrival, judgeReply } from "../../../src/cli/drill-run.js";
import { wordDrill } from "../../../src/cli/verbs/drill.js";

const messages = drillMessages("/tmp/x/ran");

describe("the drill's messages", () => {
  test("what must arrive, written by hand, is what the rules of the bus say", () => {
    for (const { name, sent, arrives } of messages) {
      if (arrives !== null) expect([name, cleanBody(sent).text]).toEqual([name, arrives]);
    }
  });

  test("each has a name of its own and something in it, and the great ones have their size", () => {
    expect(new Set(messages.map(({ name }) => name)).size).toBe(messages.length);
    for (const { sent } of messages) expect(sent).not.toBe("");
    const sizes = messages.map(({ sent }) => utf8Bytes(sent));
    for (const size of [16_383, 16_384, 16_385, 262_144, 262_145]) expect(sizes).toContain(size);
  });
});

describe("what came of one", () => {
  const cases: readonly (readonly [string, Parameters<typeof judgeArrival>, string, RegExp])[] = [
    ["arrived", ["a", ["a"], null], "survived", /^$/],
    ["changed", ["abc", ["abx"], null], "changed", /3 bytes arrived where 3 had to; they differ from byte 2 on/],
    ["cut", ["abc", ["ab"], null], "changed", /2 bytes arrived where 3 had to; they differ from byte 2 on/],
    ["submitted in pieces", ["a\nb", ["a", "b"], null], "changed", /2 times/],
    ["lost", ["a", [], null], "failed", /did not arrive/],
    ["refused by mistake", ["a", [], "no"], "failed", /^no$/],
    ["refused as it must be", [null, [], "too long"], "survived", /refused, as it must be/],
    ["let through", [null, ["a"], null], "changed", /had to be refused/],
    ["swallowed", [null, [], null], "failed", /neither/],
  ];
  for (const [what, given, result, detail] of cases) {
    test(what, () => expect(judgeArrival(...given)).toEqual({ result, detail: expect.stringMatching(detail) }));
  }
});

describe("the reply to one", () => {
  const survived = { result: "survived", detail: "" } as const;

  test("is the answer that the agent gave, or the message did not survive", () => {
    expect(judgeReply(survived, "answer 2", "answer 2")).toBe(survived);
    for (const answered of ["answer 1", null]) {
      expect(judgeReply(survived, "answer 2", answered)).toEqual({
        result: "changed",
        detail: "its sender got the answer of another turn",
      });
    }
  });

  test("does not hide what is wrong with the message itself", () => {
    const cut = { result: "changed", detail: "2 bytes arrived where 3 had to" } as const;
    expect(judgeReply(cut, "answer 2", "answer 1")).toBe(cut);
  });
});

test("the table names what does not survive, and says what to do", () => {
  const results = [
    { name: "plain words", bytes: 5, result: "survived", detail: "" },
    { name: "tabs", bytes: 7, result: "changed", detail: "6 bytes arrived" },
  ] as const;
  expect(wordDrill({ tmux: "3.3a", configs: [], results, ms: 1_250 })).toBe(
    [
      "RESULT   MESSAGE      BYTES",
      "ok       plain words  5",
      "CHANGED  tabs         7      6 bytes arrived",
      "",
      "1 of 2 survive here (tmux 3.3a, 1.3 s). Look at quay doctor, and report what does not.",
      "",
    ].join("\n"),
  );
});
