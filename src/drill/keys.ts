/**
 * Bytes of a raw terminal as what a coding CLI makes of them. A pure step: what is not complete yet stays in
 * `pending`. Pasted text is kept as it came, control characters and all: the drill shows what would have arrived.
 */
export type Key =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: "enter" | "newline" | "backspace" | "clear" | "interrupt" | "end" | "escape" }
  /** The terminal reads OSC 7501. */
  | { readonly kind: "statusReader" }
  /** The terminal's answer to "who are you", which ends the wait for the one above. */
  | { readonly kind: "attributes" };

export type KeyStream = { readonly pending: string; readonly pasting: boolean };

export const emptyKeyStream: KeyStream = { pending: "", pasting: false };

const PASTE_START = "\u001b[200~";
const PASTE_END = "\u001b[201~";
/** A whole CSI, OSC, DCS or SS3 sequence, or Alt with one character. */
const SEQUENCE = /^\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]P][^\u0007\u001b]*(?:\u0007|\u001b\\)|O.|[^[\]PO])/su;

const CONTROLS: Readonly<Record<string, Exclude<Key["kind"], "text" | "paste">>> = {
  "\r": "enter",
  "\n": "newline",
  "\u007f": "backspace",
  "\b": "backspace",
  "\u0015": "clear",
  "\u0003": "interrupt",
  "\u0004": "end",
};

const sequenceKey = (sequence: string): Key | null => {
  if (sequence.startsWith("\u001b]7501;?")) return { kind: "statusReader" };
  return /^\u001b\[\?[\d;]*c$/.test(sequence) ? { kind: "attributes" } : null;
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
      keys.push({ kind: "paste", text: rest.slice(0, end) });
      rest = rest.slice(end + PASTE_END.length);
      pasting = false;
      continue;
    }
    if (rest.startsWith("\u001b")) {
      const sequence = SEQUENCE.exec(rest)?.[0];
      if (sequence === undefined) return { stream: { pending: rest, pasting }, keys };
      pasting = sequence === PASTE_START;
      const key = sequenceKey(sequence);
      if (key !== null) keys.push(key);
      rest = rest.slice(sequence.length);
      continue;
    }
    const text = /^[^\u0000-\u001f\u007f]+/.exec(rest)?.[0];
    if (text !== undefined) {
      keys.push({ kind: "text", text });
      rest = rest.slice(text.length);
      continue;
    }
    const kind = CONTROLS[rest[0] ?? ""];
    if (kind !== undefined) keys.push({ kind });
    rest = rest.slice(1);
  }
  return { stream: { pending: "", pasting }, keys };
};

/** Nothing came after an Escape for a while: it was the key itself. */
export const flushEscape = (stream: KeyStream): { readonly stream: KeyStream; readonly keys: readonly Key[] } => {
  if (stream.pasting || stream.pending === "") return { stream, keys: [] };
  return { stream: emptyKeyStream, keys: stream.pending === "\u001b" ? [{ kind: "escape" }] : [] };
};
