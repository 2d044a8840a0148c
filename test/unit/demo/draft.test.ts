import { describe, expect, it } from "vitest";
import { draftShown, draftText, editDraft, emptyDraft } from "../../../src/demo/draft.js";
import type { Key } from "../../../src/demo/keys.js";

const drafted = (...keys: readonly Key[]) => keys.reduce(editDraft, emptyDraft);
const LONG = Array.from({ length: 12 }, (_, index) => `line ${index}`).join("\n");

describe("the draft", () => {
  it("joins what is typed and pasted", () => {
    const draft = drafted({ kind: "text", text: "a" }, { kind: "paste", text: "b\nc" }, { kind: "text", text: "d" });
    expect([draftText(draft), draftShown(draft)]).toEqual(["ab\ncd", "ab\ncd"]);
  });

  it("shows a long paste as a chip and submits its text", () => {
    const draft = drafted({ kind: "text", text: "see " }, { kind: "paste", text: LONG });
    expect(draftShown(draft)).toBe("see [Pasted 12 lines, 85 characters]");
    expect(draftText(draft)).toBe(`see ${LONG}`);
  });

  it("takes back a character, or a whole chip", () => {
    const chip = drafted({ kind: "text", text: "a🎉" }, { kind: "paste", text: LONG }, { kind: "backspace" });
    expect(draftText(chip)).toBe("a🎉");
    expect(draftText(editDraft(chip, { kind: "backspace" }))).toBe("a");
    expect(drafted({ kind: "text", text: "a" }, { kind: "backspace" }, { kind: "backspace" })).toEqual([]);
  });

  it("is empty after it is cleared, and does not change on other keys", () => {
    const draft = drafted({ kind: "text", text: "a" });
    expect(editDraft(draft, { kind: "clear" })).toEqual([]);
    expect(editDraft(draft, { kind: "escape" })).toBe(draft);
  });
});
