/**
 * What a body becomes before it is typed, and what may not be in a name. Pure text rules, no CLI's own.
 * Source: DECISIONS A7, A8, A10; facts/tmux.md section 3 (what breaks out of a bracketed paste).
 */

export type Cleaned = { readonly text: string; readonly removed: boolean };

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
/** A CLI strips these and then leaves the message unsent; joiners inside emoji (U+200D) and VS16 stay. */
const INVISIBLE = /[\u200b\u2060\ufeff\u00ad\u180e]/gu;
/** What nobody sees: format characters, marks, and letters that are blank. */
const UNSEEN = /[\p{Cf}\p{Mn}\p{Me}\u115f\u1160\u2800\u3164]+/gu;
/** Beginnings that a model could take for a header of the bus or of its own system, as `plainForm` gives them. */
const HEADER =
  /^ ?(?:\[ ?peer ?agent ?\(|\[ ?broadcast ?notice ?\]|\[ ?mailbox ?\]|< ?\/? ?(?:system|task-notification|pasted_content))/u;
/** A quick no for almost all lines: without one of these no header begins, in any form of its sign. */
const MAY_BEGIN = /[[<\uff3b\uff1c\ufe5d\ufe64\u3010\u3014]/u;
const BLANKS_BEFORE = /^[\s\p{Cf}\p{Mn}\p{Me}\u115f\u1160\u2800\u3164]*/u;

/** As a reader takes it: one form for full-width and common signs, one blank for many, nothing unseen, small letters. */
const plainForm = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(UNSEEN, "")
    .replace(/[\u3010\u3014]/gu, "[")
    .replace(/[\u3011\u3015]/gu, "]")
    .replace(/\s+/gu, " ")
    .toLowerCase();

const markHeader = (line: string): string => {
  if (!MAY_BEGIN.test(line)) return line;
  const before = BLANKS_BEFORE.exec(line)?.[0] ?? "";
  const start = line.slice(before.length);
  return HEADER.test(plainForm(start)) ? `${before}> ${start}` : line;
};

/** CRLF to LF; control, invisible and broken characters out; header look-alikes marked; no trailing backslash or blank. */
export const cleanBody = (body: string): Cleaned => {
  const lines = body.replace(/\r\n?/g, "\n");
  const plain = lines.replace(LONE_SURROGATE, "").replace(CONTROL, "").replace(INVISIBLE, "");
  const marked = plain.replace(/[^\n\u2028\u2029]+/gu, markHeader);
  const ended = marked.replace(/[\s\\]+$/u, "");
  return { text: ended, removed: plain !== lines || /\\\s*$/u.test(marked) };
};

/** Nothing in it can be seen: a receiver would get an empty line. */
export const isBlank = (text: string): boolean => text.replace(UNSEEN, "").trim() === "";

/** Bytes of the UTF-8 form; a lone surrogate counts as U+FFFD. */
export const utf8Bytes = (text: string): number => {
  let bytes = 0;
  for (const char of text) {
    const code = char.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
};

export const peerHeader = (sender: string): string => `[Peer agent (${sender})]: `;
export const NOTICE_HEADER = "[Broadcast Notice]: ";
export const MAIL_HEADER = "[Mailbox]: ";

/** The sign that a CLI would take as a command, when a person's text starts with one. */
export const commandSign = (text: string): string | null => /^\s*([/!#@])/u.exec(text)?.[1] ?? null;

/** First line of a prompt, without the header of a peer's message, 32 code points. */
export const titleOf = (prompt: string): string | null => {
  const bare = prompt.trim().replace(/^\[Peer agent \([^)\n]*\)\]:\s*/u, "");
  const first = bare.split("\n", 1)[0]!.trim();
  return first === "" ? null : [...first].slice(0, 32).join("");
};

const NAME = /^[^\u0000-\u001f\u007f-\u009f'"[\]():@/]{1,64}$/u;
/** Blanks of another kind, line ends of another kind, and what turns the direction of a line. */
const NOT_IN_NAMES = /[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u00ad\u180e\u115f\u1160\u2800\u3164]/u;
const JOINER = /\u200d/gu;
/** Who speaks for the person, for Quay or for the model's own system; and the beginnings of Quay's headers. */
const SPEAKS_FOR_OTHERS = /^(?:you|user|system|quay)$|(?:^| )via you$|^(?:peer agent|broadcast notice)\b/u;

/**
 * 1-64 characters, none of them a control character or one of ' " [ ] ( ) : @ /, in full width neither, nothing unseen; and
 * not a word that stands for the person, for Quay or for one of its headers: a name is what a receiver knows a sender by.
 */
export const isName = (name: string): boolean =>
  NAME.test(name) &&
  name.trim() === name &&
  [...name].length <= 64 &&
  !/[\ud800-\udfff]/.test(name.replace(/[\ud800-\udbff][\udc00-\udfff]/g, "")) &&
  !NOT_IN_NAMES.test(name.replace(JOINER, "")) &&
  !/['"[\]():@/]/u.test(name.normalize("NFKC")) &&
  !SPEAKS_FOR_OTHERS.test(plainForm(name));
