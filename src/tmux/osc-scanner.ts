/**
 * The always-on tap of a pane: finds the sequences of TerminalSequence in raw output, cut anywhere between chunks.
 * One explicit state per level; level 1 and up are the contents of tmux passthrough envelopes.
 * 7-bit forms only (0x9c and 0x9d are halves of ordinary characters). It never acts on an unfinished sequence, keeps
 * at most 4 KB per level however long a sequence grows, and must not be fed captures or replays. Source: OSC 7501 facts.
 */
import type { TerminalSequence } from "../adapters/terminal-sequence.js";
import { CODES, LONGEST_CODE, MAX_SEQUENCE, modeSwitch, readWhole } from "./whole-sequence.js";

export type OscScanner = {
  /** Takes the next bytes of the pane and returns what was completed in them, in order. Does not keep `bytes`. */
  feed(bytes: Uint8Array): readonly TerminalSequence[];
};

const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
const ESC = 0x1b;
const SEMICOLON = 0x3b;
const BACKSLASH = 0x5c;

/** Envelopes within envelopes that are opened. */
const MAX_DEPTH = 4;
/** Parameter bytes of a private mode sequence that are looked at. */
const MAX_PARAMETERS = 64;

const ENVELOPE = "tmux;";

type Phase =
  | "ground"
  | "escape"
  | "escapeIntermediate"
  | "csi"
  /** Collecting the parameters of `ESC [ ?`. */
  | "csiPrivate"
  | "osc"
  | "oscEscape"
  /** DCS whose first bytes may still spell an envelope. */
  | "dcsStart"
  | "envelope"
  | "envelopeEscape"
  /** DCS, SOS, PM or APC: skipped to its end. */
  | "skipped"
  | "skippedEscape";

type Level = {
  phase: Phase;
  /** Bytes of the sequence so far, ESC included. */
  length: number;
  /** Bytes kept of an OSC, behind `ESC ]`; allocated by the first one. */
  store: Uint8Array | null;
  stored: number;
  /** The OSC's number is none of ours, or it is over the limit: swallowed to its end. */
  ignored: boolean;
  hasCode: boolean;
  parameters: string;
  /** Bytes of ENVELOPE matched. */
  matched: number;
};

const newLevel = (): Level => ({
  phase: "ground",
  length: 0,
  store: null,
  stored: 0,
  ignored: false,
  hasCode: false,
  parameters: "",
  matched: 0,
});

export const createOscScanner = (): OscScanner => {
  const levels: Level[] = [newLevel()];
  return {
    feed(bytes) {
      const found: TerminalSequence[] = [];
      scanOutput(levels, bytes, found);
      return found;
    },
  };
};

/** Level 0 has a fast way through text, whole sequences and skipped strings; every other byte takes the table's way. */
const scanOutput = (levels: Level[], bytes: Uint8Array, found: TerminalSequence[]): void => {
  const level = levels[0]!;
  const end = bytes.length;
  let i = 0;
  while (i < end) {
    if (level.phase === "ground") {
      // Sequences often stand one behind the other: the search is worth its call only between them.
      const next = bytes[i] === ESC ? i : bytes.indexOf(ESC, i);
      if (next < 0) return;
      i = readWhole(bytes, next, found);
      if (i >= 0) continue;
      level.phase = "escape";
      i = next + 1;
    } else if (level.phase === "csi" && level.length > 2) {
      while (i < end && bytes[i]! >= 0x20 && bytes[i]! < 0x40) i++;
      if (i < end) stepCsi(level, bytes[i++]!);
    } else if (level.phase === "skipped" || (level.phase === "osc" && level.ignored)) {
      while (i < end && !isStringEnd(bytes[i]!)) i++;
      if (i < end) step(levels, 0, bytes[i++]!, found);
    } else {
      step(levels, 0, bytes[i++]!, found);
    }
  }
};

const isStringEnd = (byte: number): boolean => byte === ESC || byte === BEL || byte === CAN || byte === SUB;

const step = (levels: Level[], depth: number, byte: number, found: TerminalSequence[]): void => {
  const level = levels[depth]!;
  switch (level.phase) {
    case "ground":
      if (byte === ESC) level.phase = "escape";
      return;
    case "escape":
      return stepEscape(level, depth, byte, found);
    case "escapeIntermediate":
      if (byte === ESC) level.phase = "escape";
      else if (byte >= 0x30 || byte === CAN || byte === SUB) level.phase = "ground";
      return;
    case "csi":
      return stepCsi(level, byte);
    case "csiPrivate":
      return stepPrivate(level, depth, byte, found);
    case "osc":
      return stepOsc(level, byte, found);
    case "oscEscape":
      if (byte === BACKSLASH) return endOsc(level, "st", found);
      return restartAt(level, depth, byte, found);
    case "dcsStart":
      return stepDcsStart(levels, depth, byte, found);
    case "envelope":
      if (byte === ESC) level.phase = "envelopeEscape";
      else stepInside(levels, depth, byte, found);
      return;
    case "envelopeEscape":
      if (byte === ESC) {
        level.phase = "envelope";
        return stepInside(levels, depth, ESC, found);
      }
      // What its content left unfinished is dropped with it.
      if (byte === BACKSLASH) level.phase = "ground";
      else restartAt(level, depth, byte, found);
      return;
    case "skipped":
      if (byte === ESC) level.phase = "skippedEscape";
      else if (byte === CAN || byte === SUB) level.phase = "ground";
      return;
    case "skippedEscape":
      if (byte === BACKSLASH) level.phase = "ground";
      else restartAt(level, depth, byte, found);
      return;
  }
};

/** An ESC that did not end its string aborts it, and begins a sequence of its own. */
const restartAt = (level: Level, depth: number, byte: number, found: TerminalSequence[]): void => {
  level.phase = "escape";
  stepEscape(level, depth, byte, found);
};

const stepEscape = (level: Level, depth: number, byte: number, found: TerminalSequence[]): void => {
  if (byte === 0x5b) {
    level.phase = "csi";
    level.length = 2;
  } else if (byte === 0x5d) {
    level.phase = "osc";
    level.length = 2;
    level.stored = 0;
    level.ignored = false;
    level.hasCode = false;
  } else if (byte === 0x50) {
    level.phase = "dcsStart";
    level.matched = 0;
  } else if (byte === 0x58 || byte === 0x5e || byte === 0x5f) {
    level.phase = "skipped";
  } else if (byte >= 0x20 && byte < 0x30) {
    level.phase = "escapeIntermediate";
  } else if (byte !== ESC && (byte >= 0x30 || byte === CAN || byte === SUB)) {
    level.phase = "ground";
    // Within an envelope it is meant for the outer terminal, not for this pane.
    if (byte === 0x63 && depth === 0) found.push({ kind: "ris" });
  }
};

const stepCsi = (level: Level, byte: number): void => {
  if (byte === 0x3f && level.length === 2) {
    level.phase = "csiPrivate";
    level.parameters = "";
  } else if (byte === ESC) {
    level.phase = "escape";
  } else if (byte >= 0x40 || byte === CAN || byte === SUB) {
    level.phase = "ground";
  }
  level.length = 3;
};

const stepPrivate = (level: Level, depth: number, byte: number, found: TerminalSequence[]): void => {
  if (byte === ESC) {
    level.phase = "escape";
  } else if (byte >= 0x40 || byte === CAN || byte === SUB) {
    level.phase = "ground";
    const isSwitch = byte === 0x68 || byte === 0x6c;
    if (isSwitch && depth === 0 && level.parameters.length <= MAX_PARAMETERS)
      reportModes(level.parameters, byte === 0x68, found);
  } else if (byte >= 0x20 && level.parameters.length <= MAX_PARAMETERS) {
    level.parameters += String.fromCharCode(byte);
  }
};

const reportModes = (parameters: string, on: boolean, found: TerminalSequence[]): void => {
  for (const parameter of parameters.split(";")) {
    if (!/^\d{1,5}$/.test(parameter)) continue;
    found.push(modeSwitch(Number(parameter), on));
  }
};

const stepOsc = (level: Level, byte: number, found: TerminalSequence[]): void => {
  level.length++;
  if (byte === BEL) return endOsc(level, "bel", found);
  if (byte === ESC) level.phase = "oscEscape";
  else if (byte === CAN || byte === SUB) level.phase = "ground";
  else if (byte >= 0x20 && !level.ignored) keepByte(level, byte);
};

const keepByte = (level: Level, byte: number): void => {
  if (level.length >= MAX_SEQUENCE) {
    level.ignored = true;
    return;
  }
  if (!level.hasCode && byte === SEMICOLON) {
    level.hasCode = true;
    level.ignored = !CODES.has(readStored(level));
  } else if (!level.hasCode && level.stored >= LONGEST_CODE) {
    level.ignored = true;
    return;
  }
  level.store ??= new Uint8Array(MAX_SEQUENCE);
  level.store[level.stored++] = byte;
};

const readStored = (level: Level): string =>
  level.store === null ? "" : Buffer.from(level.store.buffer, 0, level.stored).toString("latin1");

const endOsc = (level: Level, terminator: "bel" | "st", found: TerminalSequence[]): void => {
  level.phase = "ground";
  const length = terminator === "st" ? level.length + 1 : level.length;
  if (level.ignored || length > MAX_SEQUENCE) return;
  const content = readStored(level);
  const split = content.indexOf(";");
  const code = split < 0 ? content : content.slice(0, split);
  if (CODES.has(code)) found.push({ kind: "osc", code, body: split < 0 ? "" : content.slice(split + 1), terminator });
};

const stepDcsStart = (levels: Level[], depth: number, byte: number, found: TerminalSequence[]): void => {
  const level = levels[depth]!;
  if (byte !== ENVELOPE.charCodeAt(level.matched)) {
    level.phase = "skipped";
    return step(levels, depth, byte, found);
  }
  level.matched++;
  if (level.matched < ENVELOPE.length) return;
  level.phase = "envelope";
  if (levels[depth + 1] === undefined) levels.push(newLevel());
  levels[depth + 1]!.phase = "ground";
};

/** The deepest envelope is followed to its end, since its content would look like sequences otherwise, but not opened. */
const stepInside = (levels: Level[], depth: number, byte: number, found: TerminalSequence[]): void => {
  if (depth < MAX_DEPTH) step(levels, depth + 1, byte, found);
};
