/** What the drill agent draws is what Quay's Claude Code adapter reads. */
import { describe, expect, test } from "vitest";
import type { Screen } from "../../../src/adapters/adapter.js";
import { claudeLine } from "../../../src/adapters/claude-line.js";
import {
  addPaste,
  addText,
  cleared,
  type Draft,
  draftShown,
  draftText,
  emptyDraft,
  promptOf,
} from "../../../src/drill/draft.js";
import { drawFrame, TITLE } from "../../../src/drill/frame.js";

const size = { columns: 80, rows: 24 };
const screenOf = (draft: Draft, more: { readonly busy?: boolean; readonly dialog?: string } = {}): Screen => {
  const picture = { conversation: ["> hello", "⏺ answer 1"], draft: draftShown(draft), busy: more.busy ?? false };
  const { rows, cursor } = drawFrame({ ...picture, dialog: more.dialog ?? null }, size);
  expect(rows).toHaveLength(size.rows);
  expect(rows[0]).toBe(TITLE);
  return { ansi: rows.join("\n"), cursor: { ...cursor, visible: false }, cols: size.columns, rows: size.rows };
};

describe("the picture of a drill agent", () => {
  test("is an empty line at rest and at work", () => {
    expect(claudeLine.line(screenOf(emptyDraft))).toBe("empty");
    expect(claudeLine.line(screenOf(emptyDraft, { busy: true }))).toBe("empty");
    expect(claudeLine.dialog(screenOf(emptyDraft))).toBeNull();
  });

  test.each([
    ["a word", "hello"],
    ["three lines", "one\ntwo\nthree"],
    ["800 units", "word ".repeat(160)],
    ["many lines", "line\n".repeat(30)],
    ["a long line", "x".repeat(5_000)],
    ["wide text", "日本語 👩‍👩‍👧‍👦 ".repeat(20)],
  ])("shows a paste of %s as ours", (_name, text) => {
    const draft = addPaste(emptyDraft, text);
    expect(claudeLine.echo(screenOf(draft), text)).toBe("ours");
    expect(draftText(draft)).toBe(text);
  });

  test("shows a draft before a paste as mixed", () => {
    expect(claudeLine.echo(screenOf(addPaste(addText(emptyDraft, "half a th"), "hello there")), "hello there")).toBe(
      "mixed",
    );
  });

  test("shows a dialog in the place of the line", () => {
    const screen = screenOf(addText(emptyDraft, "hello"), { dialog: "touch x" });
    expect(claudeLine.line(screen)).toBe("unknown");
    expect(claudeLine.dialog(screen)).toBe("permission");
  });
});

test("chips count on, and their text stands in tags", () => {
  const first = addPaste(emptyDraft, "a\nb\nc\nd");
  expect(draftShown(first)).toBe("[Pasted text #1 +3 lines]");
  const second = addPaste(cleared(first), "x".repeat(801));
  expect(draftShown(second)).toBe("[Pasted text #2]");
  expect(promptOf(first)).toBe('\n\n<pasted_content id="5000">\na\nb\nc\nd\n</pasted_content id="5000">');
});
