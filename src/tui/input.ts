/**
 * Bytes of a keyboard as keys, typed text and pastes. Pure: a step returns the events and the tail that is not decided
 * yet; the timer that gives up on a lone ESC lives in terminal.ts. What it does not know is dropped, never typed.
 */

/** Names: a character itself, or up, down, enter, tab …, with ctrl+, alt+ or shift+ before it. */
export type KeyEvent =
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "paste"; readonly text: string };

const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";
/** A paste beyond this (the limit of a message, in UTF-16 units) is cut: nobody could send it. */
const PASTE_LIMIT = 300_000;

const FINALS: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
  Z: "shift+tab",
};
const TILDES: Readonly<Record<string, string>> = {
  "1": "home",
  "3": "delete",
  "4": "end",
  "5": "pageup",
  "6": "pagedown",
  "7": "home",
  "8": "end",
};
const CONTROLS: Readonly<Record<string, string>> = {
  "\r": "enter",
  "\n": "ctrl+j",
  "\t": "tab",
  "\x7f": "backspace",
  "\b": "backspace",
};

const SEQUENCE = /^\x1b(?:\[([\d;:<=>?]*)([ -/]*)([@-~])|O([ -~]))/;
const UNFINISHED = /^\x1b(?:\[[\d;:<=>?]*[ -/]*|O)?$/;

const withModifiers = (name: string, modifier: number): string => {
  const bits = modifier - 1;
  const prefix = `${bits & 4 ? "ctrl+" : ""}${bits & 2 ? "alt+" : ""}${bits & 1 ? "shift+" : ""}`;
  return name.startsWith("shift+") ? name : prefix + name;
};

const nameSequence = (match: RegExpExecArray): string | null => {
  const [, parameters = "", , final = "", applicationKey] = match;
  if (applicationKey !== undefined) return applicationKey === "M" ? "enter" : (FINALS[applicationKey] ?? null);
  const [first = "", second = ""] = parameters.split(";");
  const modifier = Number(second) || 1;
  if (final === "~") return first in TILDES ? withModifiers(TILDES[first] as string, modifier) : null;
  // CSI u: how terminals with extended keys say Alt+Enter or Shift+Enter.
  if (final === "u") return first === "13" ? withModifiers("enter", modifier) : first === "27" ? "escape" : null;
  return final in FINALS ? withModifiers(FINALS[final] as string, modifier) : null;
};

const nameCharacter = (character: string): string | null => {
  if (character in CONTROLS) return CONTROLS[character] as string;
  const code = character.codePointAt(0) as number;
  if (code >= 1 && code <= 26) return `ctrl+${String.fromCharCode(code + 96)}`;
  return code < 0x20 || (code >= 0x80 && code < 0xa0) ? null : character;
};

export type Parsed = { readonly events: readonly KeyEvent[]; readonly pending: string };

/** One step: `pending` is the tail of the step before. */
export const parseInput = (pending: string, chunk: string): Parsed => {
  const events: KeyEvent[] = [];
  let rest = pending + chunk;
  const push = (key: string | null): void => {
    if (key !== null) events.push({ kind: "key", key });
  };
  while (rest !== "") {
    if (rest.startsWith(PASTE_START)) {
      const end = rest.indexOf(PASTE_END, PASTE_START.length);
      if (end < 0) return { events, pending: rest.slice(0, PASTE_LIMIT) };
      const text = rest.slice(PASTE_START.length, end).replace(/\r\n?/g, "\n");
      events.push({ kind: "paste", text });
      rest = rest.slice(end + PASTE_END.length);
      continue;
    }
    if (rest[0] === "\x1b") {
      if (UNFINISHED.test(rest)) return { events, pending: rest };
      const match = SEQUENCE.exec(rest);
      if (match !== null) {
        push(nameSequence(match));
        rest = rest.slice(match[0].length);
        continue;
      }
      // ESC and a character: Alt with it; ESC ESC is an escape and what follows.
      const next = String.fromCodePoint(rest.codePointAt(1) as number);
      if (next === "\x1b" || next === "[" || next === "O") {
        push("escape");
        rest = rest.slice(1);
        continue;
      }
      const named = nameCharacter(next);
      push(named === null ? null : `alt+${named}`);
      rest = rest.slice(1 + next.length);
      continue;
    }
    const character = String.fromCodePoint(rest.codePointAt(0) as number);
    push(nameCharacter(character));
    rest = rest.slice(character.length);
  }
  return { events, pending: "" };
};

/** No more came after this tail: a lone ESC was the Escape key; half a paste goes on waiting. */
export const giveUpOn = (pending: string): Parsed => {
  if (pending.startsWith(PASTE_START)) return { events: [], pending };
  return { events: pending === "\x1b" ? [{ kind: "key", key: "escape" }] : [], pending: "" };
};
