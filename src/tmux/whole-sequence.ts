/**
 * The common case of the tap: a sequence that lies whole in one chunk and holds nothing unusual is read at once.
 * Anything else (cut, a control byte inside, an envelope, too long) is left to the scanner's state machine, which would
 * find the very same in what is read here. No state, and no byte is kept.
 */
import type { TerminalSequence } from "../adapters/terminal-sequence.js";

/** A whole sequence, from ESC to its last byte, in bytes. */
export const MAX_SEQUENCE = 4096;
/** Numbers of the OSC sequences that are reported. */
export const CODES: ReadonlySet<string> = new Set(["0", "2", "7", "9", "133", "7501"]);
export const LONGEST_CODE = 4;

const BEL = 0x07;
const ESC = 0x1b;
const BACKSLASH = 0x5c;
const SEMICOLON = 0x3b;
const QUESTION = 0x3f;

const ALT_SCREENS: ReadonlySet<number> = new Set([47, 1047, 1049]);
const MAX_DIGITS = 5;

const makeMode = (number: number, on: boolean): TerminalSequence =>
  ALT_SCREENS.has(number) ? { kind: "altScreen", on } : { kind: "privateMode", number, on };

/** A TUI switches the same few modes with every frame: one value each is enough. Two places a number, off and on. */
const modes: (TerminalSequence | undefined)[] = new Array(8_192).fill(undefined);

/** The sequence of one mode's switch. */
export const modeSwitch = (number: number, on: boolean): TerminalSequence => {
  const place = number * 2 + (on ? 1 : 0);
  const known = modes[place];
  if (known !== undefined) return known;
  const made = makeMode(number, on);
  if (place < modes.length) modes[place] = made;
  return made;
};

const CODE_OF: ReadonlyMap<number, string> = new Map([...CODES].map((code) => [Number(code), code]));

/** `at` is the ESC. Returns the place behind the sequence, after adding what it reports; -1: not for here. */
export const readWhole = (bytes: Uint8Array, at: number, found: TerminalSequence[]): number => {
  const kind = bytes[at + 1];
  if (kind === 0x5b) return bytes[at + 2] === QUESTION ? readMode(bytes, at + 3, found) : skipCsi(bytes, at + 2);
  return kind === 0x5d ? readOsc(bytes, at, found) : -1;
};

const skipCsi = (bytes: Uint8Array, from: number): number => {
  let i = from;
  while (i < bytes.length && bytes[i]! >= 0x20 && bytes[i]! < 0x40) i++;
  return i < bytes.length && bytes[i]! >= 0x40 ? i + 1 : -1;
};

/** One number and `h` or `l`. */
const readMode = (bytes: Uint8Array, from: number, found: TerminalSequence[]): number => {
  let i = from;
  let number = 0;
  while (i < bytes.length && bytes[i]! >= 0x30 && bytes[i]! <= 0x39) number = number * 10 + bytes[i++]! - 0x30;
  const last = bytes[i];
  if (i === from || i - from > MAX_DIGITS || (last !== 0x68 && last !== 0x6c)) return -1;
  found.push(modeSwitch(number, last === 0x68));
  return i + 1;
};

const latin1 = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.isBuffer(bytes)
    ? bytes.toString("latin1", from, to)
    : Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("latin1");

const readOsc = (bytes: Uint8Array, at: number, found: TerminalSequence[]): number => {
  let i = at + 2;
  let number = 0;
  while (i < bytes.length && bytes[i]! >= 0x30 && bytes[i]! <= 0x39 && i - at - 2 < LONGEST_CODE) {
    number = number * 10 + bytes[i++]! - 0x30;
  }
  if (bytes[i] !== SEMICOLON) return -1;
  const code = CODE_OF.get(number);
  // A number with leading zeros is another text.
  if (code === undefined || code.length !== i - at - 2) return -1;
  const start = ++i;
  const limit = Math.min(bytes.length, at + MAX_SEQUENCE);
  while (i < limit && bytes[i]! >= 0x20) i++;
  const isBel = bytes[i] === BEL;
  if (!isBel && (bytes[i] !== ESC || bytes[i + 1] !== BACKSLASH)) return -1;
  const end = isBel ? i + 1 : i + 2;
  if (end > limit) return -1;
  found.push({ kind: "osc", code, body: latin1(bytes, start, i), terminator: isBel ? "bel" : "st" });
  return end;
};
