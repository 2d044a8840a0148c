/** The text box as values: what is written, where the cursor stands, and one step per editing action. Pure. */
import type { Action } from "./keymap.js";

/** `cursor` is an index into `text`, always between two graphemes. */
export type Draft = { readonly text: string; readonly cursor: number };

export const emptyDraft: Draft = { text: "", cursor: 0 };

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
/** Graphemes are looked for this far around the cursor only: a pasted text may be long. */
const NEAR = 64;

const stepBack = ({ text, cursor }: Draft): number => {
  const near = text.slice(Math.max(0, cursor - NEAR), cursor);
  const last = Array.from(segmenter.segment(near)).at(-1);
  return cursor - (last?.segment.length ?? 0);
};

const stepForward = ({ text, cursor }: Draft): number => {
  const first = segmenter
    .segment(text.slice(cursor, cursor + NEAR))
    [Symbol.iterator]()
    .next();
  return first.done === true ? cursor : cursor + first.value.segment.length;
};

const lineStart = ({ text, cursor }: Draft): number => text.lastIndexOf("\n", cursor - 1) + 1;
const lineEnd = ({ text, cursor }: Draft): number => {
  const end = text.indexOf("\n", cursor);
  return end < 0 ? text.length : end;
};

const wordStart = ({ text, cursor }: Draft): number => {
  const before = text.slice(0, cursor);
  return before.length - (/\S*\s*$/.exec(before)?.[0].length ?? 0);
};

const erase = (draft: Draft, from: number, to: number): Draft => ({
  text: draft.text.slice(0, from) + draft.text.slice(to),
  cursor: from,
});

export const insert = (draft: Draft, text: string): Draft => ({
  text: draft.text.slice(0, draft.cursor) + text + draft.text.slice(draft.cursor),
  cursor: draft.cursor + text.length,
});

/** The draft after an editing action; the same value when the action edits nothing. */
export const edit = (draft: Draft, action: Action): Draft => {
  switch (action) {
    case "newLine":
      return insert(draft, "\n");
    case "cursorLeft":
      return { ...draft, cursor: stepBack(draft) };
    case "cursorRight":
      return { ...draft, cursor: stepForward(draft) };
    case "cursorStart":
      return { ...draft, cursor: lineStart(draft) };
    case "cursorEnd":
      return { ...draft, cursor: lineEnd(draft) };
    case "eraseBack":
      return erase(draft, stepBack(draft), draft.cursor);
    case "eraseForward":
      return erase(draft, draft.cursor, stepForward(draft));
    case "eraseWord":
      return erase(draft, wordStart(draft), draft.cursor);
    case "eraseToStart":
      return erase(draft, lineStart(draft), draft.cursor);
    default:
      return draft;
  }
};
