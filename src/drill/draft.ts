/**
 * What stands in the agent's composer: typed text, short pastes as they are, long ones as a chip that tells their size.
 * Pure. The limits are Claude Code's (measured): 800 UTF-16 units and two line feeds are shown in full.
 */
type Part = { readonly text: string; readonly chip: string | null };

export type Draft = { readonly parts: readonly Part[]; readonly pastes: number };

export const emptyDraft: Draft = { parts: [], pastes: 0 };

const lineFeedsIn = (text: string): number => text.split("\n").length - 1;

export const isLongPaste = (text: string): boolean => text.length > 800 || lineFeedsIn(text) > 2;

/** Chips are counted through the whole session. */
export const addPaste = (draft: Draft, pasted: string): Draft => {
  const text = pasted.replace(/\r\n?/g, "\n");
  if (!isLongPaste(text)) return addText(draft, text);
  const pastes = draft.pastes + 1;
  const more = lineFeedsIn(text) === 0 ? "" : ` +${lineFeedsIn(text)} lines`;
  return { parts: [...draft.parts, { text, chip: `[Pasted text #${pastes}${more}]` }], pastes };
};

export const addText = (draft: Draft, text: string): Draft => {
  const last = draft.parts.at(-1);
  if (last === undefined || last.chip !== null) return { ...draft, parts: [...draft.parts, { text, chip: null }] };
  return { ...draft, parts: [...draft.parts.slice(0, -1), { text: last.text + text, chip: null }] };
};

/** Takes the last character, or a whole chip. */
export const dropLast = (draft: Draft): Draft => {
  const last = draft.parts.at(-1);
  if (last === undefined) return draft;
  const before = draft.parts.slice(0, -1);
  const text = [...last.text].slice(0, -1).join("");
  return { ...draft, parts: last.chip !== null || text === "" ? before : [...before, { text, chip: null }] };
};

/** Empty, with the count of chips going on. */
export const cleared = (draft: Draft): Draft => ({ parts: [], pastes: draft.pastes });

export const isEmpty = (draft: Draft): boolean => draft.parts.length === 0;

/** What is shown in the composer. */
export const draftShown = (draft: Draft): string => draft.parts.map((part) => part.chip ?? part.text).join("");

/** What a submission hands to the agent. */
export const draftText = (draft: Draft): string => draft.parts.map((part) => part.text).join("");

/** What the hook of a submission tells: long pastes stand in tags, and blanks at the end are gone. */
export const promptOf = (draft: Draft): string =>
  draft.parts
    .map(({ text, chip }, index) =>
      chip === null
        ? text
        : `\n\n<pasted_content id="${5000 + index}">\n${text}\n</pasted_content id="${5000 + index}">\n`,
    )
    .join("")
    .replace(/\s+$/u, "");
