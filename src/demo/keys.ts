/**
 * Bytes of a raw terminal as keys. A pure step: what is not complete yet stays in `pending`; the timer that
 * decides that a lone Escape was the key is the caller's.
 */
export type Key =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: "enter" | "backspace" | "clear" | "interrupt" | "end" | "escape" };

export type KeyStream = { readonly pending: string; readonly pasting: boolean };

export const emptyKeyStream: KeyStream = { pending: "", pasting: false };

const PASTE_START = "\u001b[200~";
const PASTE_END = "\u001b[201~";
/** A whole CSI or SS3 sequence, or Alt with one character. */
const SEQUENCE = /^\u001b(?:\[[0-?]*[ -/]*[@-~]|O.|[^[O])/su;

const plain = (text: string): string =>
  text.replace(/\r\n?/g, "\n").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");

const single = (character: string): Key | null => {
  switch (character) {
    case "\r":
    case "\n":
      return { kind: "enter" };
    case "\u007f":
    case "\b":
      return { kind: "backspace" };
    case "\u0015":
      return { kind: "clear" };
    case "\u0003":
      return { kind: "interrupt" };
    case "\u0004":
      return { kind: "end" };
    default:
      return null;
  }
};

/** Takes one chunk; any split of the stream gives the same keys, text may come in more pieces. */
export const readKeys = (
  stream: KeyStream,
  chunk: string,
): { readonly stream: KeyStream; readonly keys: readonly Key[] } => {
  const keys: Key[] = [];
  let rest = stream.pending + chunk;
  let pasting = stream.pasting;
  while (rest !== "") {
    if (pasting) {
      const end = rest.indexOf(PASTE_END);
      if (end < 0) return { stream: { pending: rest, pasting }, keys };
      keys.push({ kind: "paste", text: plain(rest.slice(0, end)) });
      rest = rest.slice(end + PASTE_END.length);
      pasting = false;
      continue;
    }
    if (rest.startsWith("\u001b")) {
      const sequence = SEQUENCE.exec(rest)?.[0];
      if (sequence === undefined) return { stream: { pending: rest, pasting }, keys };
      pasting = sequence === PASTE_START;
      rest = rest.slice(sequence.length);
      continue;
    }
    const text = /^[^\u0000-\u001f\u007f-\u009f]+/.exec(rest)?.[0];
    if (text !== undefined) {
      keys.push({ kind: "text", text });
      rest = rest.slice(text.length);
      continue;
    }
    const key = single(rest[0] ?? "");
    if (key !== null) keys.push(key);
    rest = rest.slice(1);
  }
  return { stream: { pending: "", pasting }, keys };
};

/** Nothing came after an Escape for a while: it was the key itself. Anything else half-read is dropped. */
export const flushEscape = (stream: KeyStream): { readonly stream: KeyStream; readonly keys: readonly Key[] } => {
  if (stream.pasting || stream.pending === "") return { stream, keys: [] };
  return { stream: emptyKeyStream, keys: stream.pending === "\u001b" ? [{ kind: "escape" }] : [] };
};
