import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { lastEndOf } from "../../../src/adapters/claude-transcript.js";

const lines = (name: string): readonly { readonly type: string; readonly message?: { readonly content?: unknown } }[] =>
  readFileSync(new URL(`../../fixtures/hooks/${name}.jsonl`, import.meta.url), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** The transcript as it stood when the entry with this text was the last. */
const upTo = (name: string, text: string): readonly unknown[] => {
  const all = lines(name);
  const place = all.findLastIndex((entry) => JSON.stringify(entry.message?.content ?? "").includes(text));
  expect(place).toBeGreaterThanOrEqual(0);
  return all.slice(0, place + 1);
};

test.each([
  ["Hi there.", { kind: "answered", text: "Hi there." }],
  ["touched", { kind: "answered", text: "touched" }],
  ["interrupted by user for tool use", { kind: "interrupted" }],
  ["API Error: 400", { kind: "failed", text: "API Error: 400 scripted error 400" }],
])("a recorded transcript that ends with %j", (text, end) => {
  expect(lastEndOf(upTo("claude-transcript", text))).toEqual(end);
});

test.each(["hello", "nobody else", "toolu_script_4_0", "go wrong"])(
  "claims no end after a prompt, a call or its result: %j",
  (text) => {
    expect(lastEndOf(upTo("claude-transcript", text))).toBeNull();
  },
);

test("/clear is an end of its own", () => {
  expect(lastEndOf(upTo("claude-transcript-cleared", "/clear"))).toEqual({ kind: "cleared" });
  expect(lastEndOf(lines("claude-transcript-cleared"))).toEqual({ kind: "answered", text: "read" });
});

test("an answer in several entries is put together, another message's words are not", () => {
  const said = (id: string, text: string) => ({
    type: "assistant",
    message: { id, stop_reason: "end_turn", content: [{ type: "text", text }] },
  });
  expect(lastEndOf([said("a", "old"), said("b", "one"), said("b", "two")])).toEqual({
    kind: "answered",
    text: "one\ntwo",
  });
});

test("what a subagent or the CLI itself wrote does not count", () => {
  const answer = { type: "assistant", message: { id: "a", content: [{ type: "text", text: "done" }] } };
  const side = { type: "assistant", isSidechain: true, message: { id: "b", content: [{ type: "text", text: "sub" }] } };
  const meta = { type: "user", isMeta: true, message: { content: "caveat" } };
  expect(lastEndOf([answer, side, meta, { type: "system" }, null, 3])).toEqual({ kind: "answered", text: "done" });
  expect(lastEndOf([])).toBeNull();
});

test("a person who writes like the interrupt mark in the middle of a text interrupts nothing", () => {
  expect(lastEndOf([{ type: "user", message: { content: "what is [Request interrupted by user]?" } }])).toBeNull();
});

test("words before a call are no answer", () => {
  const content = [{ type: "text", text: "let me look" }];
  expect(lastEndOf([{ type: "assistant", message: { id: "a", stop_reason: "tool_use", content } }])).toBeNull();
});
