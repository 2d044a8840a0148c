/**
 * What the typing, fencing and probing lines answer, as tagged values. Pure. Grammar: facts/typing.md section 2.
 * A reply that does not fit is `unknown`, never a guess.
 */
import { isSafeId } from "../bus/ids.js";
import { AGAIN } from "./lines.js";
import type { Block } from "./protocol.js";

export type Reason =
  | "STALE-EPOCH"
  | "MISSING"
  | "OTHER-TERMINAL"
  | "DEAD"
  | "INPUT-OFF"
  | "ALREADY"
  | "NOT-PASTED"
  | "NOT-ENTERED"
  | "MODE"
  | "NO-ECHO";

export type TypingReply =
  | { readonly kind: "pasted" }
  | { readonly kind: "entered" }
  | { readonly kind: "refused"; readonly reason: Reason }
  /** The pane's terminal was closed while it is still listed as alive (tmux 3.4 and later). */
  | { readonly kind: "exited" }
  | { readonly kind: "unknown"; readonly why: string };

const REASONS: ReadonlySet<string> = new Set([
  "STALE-EPOCH",
  "MISSING",
  "OTHER-TERMINAL",
  "DEAD",
  "INPUT-OFF",
  "ALREADY",
  "NOT-PASTED",
  "NOT-ENTERED",
  "MODE",
  "NO-ECHO",
]);

export const textOf = (blocks: readonly Block[]): readonly string[] =>
  blocks.flatMap((block) => block.lines.map((line) => line.toString("utf8")));

export const errorOf = (blocks: readonly Block[]): string | null => {
  const failed = blocks.find((block) => !block.ok);
  return failed ? textOf([failed]).join(" ") : null;
};

export const parseTyping = (blocks: readonly Block[], delivery: string): TypingReply => {
  const error = errorOf(blocks);
  if (error?.includes("target pane has exited")) return { kind: "exited" };
  const head = `quay ${delivery} `;
  const replies = textOf(blocks).filter((line) => line.startsWith(head));
  if (replies.length !== 1) return { kind: "unknown", why: error ?? `${replies.length} reply lines` };
  const [verdict, reason] = replies[0]!.slice(head.length).trim().split(" ");
  if (verdict === "PASTED") return { kind: "pasted" };
  if (verdict === "ENTERED") return { kind: "entered" };
  if (verdict === "REFUSED" && reason !== undefined && REASONS.has(reason)) {
    return { kind: "refused", reason: reason as Reason };
  }
  return { kind: "unknown", why: replies[0]! };
};

export type FenceReply =
  | { readonly kind: "won" }
  | { readonly kind: "lost"; readonly holder: string }
  | { readonly kind: "unknown"; readonly why: string };

export const parseFence = (blocks: readonly Block[]): FenceReply => {
  const lines = textOf(blocks).filter((line) => line.startsWith("quay fence "));
  if (lines.length === 1 && lines[0] === "quay fence WON") return { kind: "won" };
  const lost = lines.length === 1 ? /^quay fence LOST ?(.*)$/.exec(lines[0]!) : null;
  if (lost) return { kind: "lost", holder: lost[1]! };
  return { kind: "unknown", why: errorOf(blocks) ?? `${lines.length} reply lines` };
};

/** A pane of ours, as the probe lists it. */
export type PaneRow = {
  readonly pane: string;
  readonly terminal: string;
  readonly pid: number;
  readonly dead: boolean;
  readonly inputOff: boolean;
  readonly inMode: boolean;
  readonly epoch: string;
  readonly pasted: string | null;
  readonly entered: string | null;
  /** Its Enter was pressed a second time. */
  readonly enteredTwice: boolean;
  readonly status: number | null;
  /** Number or name, as the system's tmux writes it. */
  readonly signal: string | null;
  readonly session: string;
  readonly window: string;
};

const idOrNull = (text: string): string | null => (isSafeId(text) ? text : null);
const orNull = (text: string): string | null => (text === "" ? null : text);

/** null for a line that is not ours: a program with `$TMUX` can write anything into its own pane's options. */
export const parsePaneRow = (line: string): PaneRow | null => {
  const fields = line.split("/");
  if (fields.length !== 13) return null;
  const [pane, dead, inputOff, inMode, epoch, terminal, pasted, entered, pid, status, signal, session, window] =
    fields as [string, string, string, string, string, string, string, string, string, string, string, string, string];
  if (!/^%\d{1,9}$/.test(pane) || !isSafeId(terminal) || !/^\d+$/.test(pid)) return null;
  if (!/^\$\d+$/.test(session) || !/^@\d+$/.test(window)) return null;
  return {
    pane,
    terminal,
    pid: Number(pid),
    dead: dead === "1",
    inputOff: inputOff === "1",
    inMode: inMode !== "0" && inMode !== "",
    epoch,
    pasted: idOrNull(pasted),
    entered: idOrNull(entered.endsWith(AGAIN) ? entered.slice(0, -AGAIN.length) : entered),
    enteredTwice: entered.endsWith(AGAIN),
    status: /^\d+$/.test(status) ? Number(status) : null,
    signal: orNull(signal),
    session,
    window,
  };
};

/** Rows by pane; of the listings of a linked window the one in `mainSession` counts, else the first. */
export const paneRows = (blocks: readonly Block[], mainSession: string): readonly PaneRow[] => {
  const rows = new Map<string, PaneRow>();
  for (const line of textOf(blocks)) {
    const row = parsePaneRow(line);
    if (row && (!rows.has(row.pane) || row.session === mainSession)) rows.set(row.pane, row);
  }
  return [...rows.values()];
};
