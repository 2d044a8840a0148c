/**
 * The draft in the composer: typed text and pastes, a long paste shown as a chip. A pure reducer; it does not
 * know what Enter, interrupts or the screen do.
 */
import { demoPasteChip } from "../adapters/demo-line.js";
import type { Key } from "./keys.js";

type Piece = { readonly text: string; readonly chip: string | null };
export type Draft = readonly Piece[];

export const emptyDraft: Draft = [];

export const editDraft = (draft: Draft, key: Key): Draft => {
  const last = draft.at(-1);
  switch (key.kind) {
    case "text":
    case "paste": {
      const chip = key.kind === "paste" ? demoPasteChip(key.text) : null;
      if (key.text === "") return draft;
      if (chip === null && last !== undefined && last.chip === null)
        return [...draft.slice(0, -1), { text: last.text + key.text, chip: null }];
      return [...draft, { text: key.text, chip }];
    }
    case "backspace": {
      if (last === undefined) return draft;
      const shorter = [...last.text].slice(0, -1).join("");
      if (last.chip !== null || shorter === "") return draft.slice(0, -1);
      return [...draft.slice(0, -1), { text: shorter, chip: null }];
    }
    case "clear":
      return emptyDraft;
    default:
      return draft;
  }
};

/** What Enter submits. */
export const draftText = (draft: Draft): string => draft.map((piece) => piece.text).join("");

/** What the composer shows. */
export const draftShown = (draft: Draft): string => draft.map((piece) => piece.chip ?? piece.text).join("");
