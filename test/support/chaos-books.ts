/**
 * The books of a chaos scenario: what an agent got, by its own record, against what the trail says was typed to it.
 * Nothing twice, nothing lost, no byte that no entry stands for.
 */
import { existsSync, readFileSync } from "node:fs";
import { PRESSED_TWICE } from "../../src/bus/second-enter.js";
import { NOTICE_HEADER, peerHeader } from "../../src/bus/text.js";
import type { TrailView } from "../../src/bus/views.js";
import type { RecordLine } from "../../src/drill/record.js";

export type Got = {
  /** Bracketed pastes, in order, as they came in. */
  readonly pastes: readonly string[];
  readonly enters: number;
  /** Bytes that are neither, nor an answer of the terminal to a question of the program. */
  readonly other: string;
};

/** Answers of the terminal: OSC 7501, its attributes, its version, its keyboard mode. */
const ANSWERS = /\u001b\]7501;\?(?:\u0007|\u001b\\)|\u001b\[\?[\d;]*[cu]|\u001bP>\|[^\u001b]*\u001b\\/g;
const PASTE = /\u001b\[200~([\s\S]*?)\u001b\[201~/g;

export const readLines = (file: string): readonly RecordLine[] =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line.endsWith("}"))
        .map((line) => JSON.parse(line) as RecordLine)
    : [];

export const ofKind = <K extends RecordLine["kind"]>(
  lines: readonly RecordLine[],
  kind: K,
): readonly Extract<RecordLine, { kind: K }>[] =>
  lines.filter((line): line is Extract<RecordLine, { kind: K }> => line.kind === kind);

export const readGot = (lines: readonly RecordLine[]): Got => {
  const all = Buffer.concat(ofKind(lines, "bytes").map(({ bytes }) => Buffer.from(bytes, "base64"))).toString("utf8");
  const pastes: string[] = [];
  const rest = all.replace(PASTE, (_whole, text: string) => {
    pastes.push(text);
    return "";
  });
  const bare = rest.replace(ANSWERS, "");
  return { pastes, enters: bare.split("\r").length - 1, other: bare.replaceAll("\r", "") };
};

/** What the trail says was typed: the message with its header. */
export const typedOf = (entry: TrailView): string => {
  if (entry.tag === "Broadcast") return NOTICE_HEADER + entry.text;
  return entry.from === "You" ? entry.text : peerHeader(entry.from.replace(/ via You$/, "")) + entry.text;
};

export type Books = {
  /** Texts whose Enter was pressed, in order, as the agent got them. */
  readonly submitted: readonly string[];
  /** Entries that say they were typed and submitted, in order. */
  readonly claimed: readonly string[];
  /** Entries that leave it open: typed without a sign, or their program ended. */
  readonly open: readonly string[];
  readonly faults: readonly string[];
};

const short = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** `entries`: all of one agent, oldest first. `others`: what a person typed and submitted by hand. */
export const compareBooks = (
  lines: readonly RecordLine[],
  entries: readonly TrailView[],
  options: { readonly others?: readonly string[]; readonly mayQueue?: boolean; readonly typedByHand?: string } = {},
): Books => {
  const faults: string[] = [];
  const submitted = ofKind(lines, "submitted").map(({ text }) => text);
  const claimed: string[] = [];
  const open: string[] = [];
  const isTwice = (entry: TrailView): boolean => entry.notes.includes(PRESSED_TWICE);
  for (const entry of entries) {
    // The first Enter broke the line, and the second one submitted both.
    const text = `${typedOf(entry)}${isTwice(entry) ? "\n" : ""}`;
    const isOpen =
      entry.notes.some((note) => note.includes("no sign that it was submitted")) ||
      (entry.status === "Failed" && entry.notes.some((note) => note.includes("exited before its turn ended")));
    if (isOpen) open.push(text);
    else if (entry.status === "Completed" || entry.status === "Dispatched") claimed.push(text);
    if (entry.status === "Failed" && entry.notes.length === 0) faults.push(`failed without a reason: ${short(text)}`);
    const isHeld = entry.notes.some((note) => note.startsWith("held: "));
    if (entry.status === "Queued" && !(options.mayQueue === true && isHeld))
      faults.push(`still queued, ${isHeld ? entry.notes.join("; ") : "without a reason"}: ${short(text)}`);
  }
  const others = [...(options.others ?? [])];
  const left = [...claimed];
  for (const text of submitted) {
    const byHand = others.indexOf(text);
    if (left[0] === text) left.shift();
    else if (byHand >= 0) others.splice(byHand, 1);
    else if (open.includes(text)) continue;
    else if (left.includes(text)) {
      faults.push(`out of order: ${short(text)} before ${short(left[0] ?? "")}`);
      left.splice(left.indexOf(text), 1);
    } else faults.push(`${claimed.includes(text) ? "submitted twice" : "submitted, not on the trail"}: ${short(text)}`);
  }
  for (const text of left) faults.push(`on the trail as typed, never submitted: ${short(text)}`);
  const got = readGot(lines);
  const known = new Map<string, number>();
  for (const text of entries.map(typedOf)) known.set(text, (known.get(text) ?? 0) + 1);
  for (const paste of got.pastes) {
    const count = known.get(paste) ?? 0;
    if (count === 0) faults.push(`pasted twice, or not on the trail: ${short(paste)}`);
    known.set(paste, count - 1);
  }
  const mostEnters = got.pastes.length + entries.filter(isTwice).length + (options.others ?? []).length;
  if (got.enters > mostEnters) faults.push(`${got.enters} Enters, and at most ${mostEnters} have a reason`);
  if (got.other.replace(options.typedByHand ?? "", "") !== "") faults.push(`bytes of no entry: ${short(got.other)}`);
  return { submitted, claimed, open, faults };
};
