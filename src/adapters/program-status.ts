/**
 * What the program of one pane says of itself by OSC 7501: its records, and our reading of them (state, turn events).
 * Pure: a status goes in, a step comes out. It answers queries with the fixed bytes of the protocol and sends nothing
 * of a record anywhere. A printed file can forge a report: a turn event here is a hint, the adapter weighs it.
 */
import { isQuery, type ProgramRecord, parseReport, type Report } from "./program-report.js";
import type { TerminalSequence } from "./terminal-sequence.js";

export type ProgramStatus = {
  /** By id, least recently updated first. */
  readonly records: ReadonlyMap<string, ProgramRecord>;
  /** A turn runs: opened by a root `working`, closed once. */
  readonly open: boolean;
  readonly alive: boolean;
  readonly reported: boolean;
  readonly altScreen: boolean;
  /** Whether a shell is in front; null until the host said so. */
  readonly shellInFront: boolean | null;
};

export type HostNotice = { readonly kind: "exit" } | { readonly kind: "foreground"; readonly shell: boolean };

/** `starting`, `none`, `idle`, `working`, `waiting`, `waiting:KIND`, `gone`; `turn:done`, `turn:error`, `turn:interrupted`, `turn:lost`. */
export type DerivedEvent = string;

export type ProgramStep = {
  readonly status: ProgramStatus;
  readonly reports: readonly Report[];
  /** What the program's input must get, byte for byte (ASCII). */
  readonly replies: readonly string[];
  readonly derived: readonly DerivedEvent[];
};

/** A new record beyond this number takes the place of the one not updated for longest. */
const MAX_RECORDS = 256;

export const newProgramStatus: ProgramStatus = {
  records: new Map(),
  open: false,
  alive: true,
  reported: false,
  altScreen: false,
  shellInFront: null,
};

export const queryReply = (terminator: "bel" | "st"): string =>
  terminator === "bel" ? "\x1b]7501;?\x07" : "\x1b]7501;?\x1b\\";

export const applySequence = (status: ProgramStatus, sequence: TerminalSequence): ProgramStep => {
  if (sequence.kind === "ris")
    return settle(
      status,
      removeRecords({ ...status, altScreen: false }, () => true, "turn:lost"),
    );
  if (sequence.kind === "altScreen")
    return settle(status, { status: { ...status, altScreen: sequence.on }, turn: null });
  if (sequence.kind === "privateMode") return settle(status, { status, turn: null });
  if (sequence.code === "133") {
    return isPrimaryPrompt(status, sequence.body)
      ? settle(status, endProgram(status))
      : settle(status, { status, turn: null });
  }
  if (sequence.code !== "7501") return settle(status, { status, turn: null });
  if (isQuery(sequence.body)) {
    return { ...settle(status, { status, turn: null }), replies: [queryReply(sequence.terminator)] };
  }
  const report = parseReport(sequence.body);
  return report === null ? settle(status, { status, turn: null }) : applyReport(status, report);
};

export const applyReport = (status: ProgramStatus, report: Report): ProgramStep => {
  const change = report.state === "clear" ? clearRecords(status, report.id) : putRecord(status, report);
  return { ...settle(status, change), reports: [report] };
};

export const applyHostNotice = (status: ProgramStatus, notice: HostNotice): ProgramStep => {
  if (notice.kind === "foreground")
    return settle(status, { status: { ...status, shellInFront: notice.shell }, turn: null });
  const ended = endProgram(status);
  return settle(status, { ...ended, status: { ...ended.status, alive: false } });
};

/** Records sorted by id, each with the app that it shows: its own, or that of its nearest ancestor. */
export const listRecords = (status: ProgramStatus): readonly ProgramRecord[] =>
  [...status.records.values()]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((record) => {
      const app = appOf(status, record.id);
      return app === undefined ? record : { ...record, app };
    });

const appOf = (status: ProgramStatus, id: string): string | undefined => {
  const own = status.records.get(id)?.app;
  if (own !== undefined || id === "") return own;
  return appOf(status, id.includes("/") ? id.slice(0, id.lastIndexOf("/")) : "");
};

/** The one word for what the program does now. */
export const describeState = (status: ProgramStatus): DerivedEvent => {
  if (!status.alive) return "gone";
  const records = listRecords(status);
  if (records.length === 0) return status.reported ? "none" : "starting";
  const blocked = records.find((record) => record.state === "blocked");
  if (blocked !== undefined) return blocked.kind === undefined ? "waiting" : `waiting:${blocked.kind}`;
  const root = status.records.get("");
  if (root === undefined) return records.some((record) => record.state === "working") ? "working" : "idle";
  return root.state === "working" ? "working" : "idle";
};

type Change = { readonly status: ProgramStatus; readonly turn: DerivedEvent | null };

const settle = (before: ProgramStatus, { status, turn }: Change): ProgramStep => {
  const state = describeState(status);
  const derived = [...(turn === null ? [] : [turn]), ...(state === describeState(before) ? [] : [state])];
  return { status, reports: [], replies: [], derived };
};

const putRecord = (status: ProgramStatus, record: ProgramRecord): Change => {
  const records = new Map(status.records);
  records.delete(record.id);
  if (records.size >= MAX_RECORDS) records.delete(records.keys().next().value ?? "");
  records.set(record.id, record);
  const next = { ...status, records, reported: true };
  if (record.id !== "") return { status: next, turn: null };
  if (record.state === "working") return { status: { ...next, open: true }, turn: null };
  // Blocked opens and closes nothing: dialogs also come outside turns.
  if (record.state === "blocked" || !status.open) return { status: next, turn: null };
  return {
    status: { ...next, open: false },
    turn: record.state === "idle" ? "turn:interrupted" : `turn:${record.state}`,
  };
};

const clearRecords = (status: ProgramStatus, id: string): Change =>
  id === ""
    ? removeRecords(status, () => true, "turn:lost")
    : removeRecords(status, (record) => record.id === id || record.id.startsWith(`${id}/`), null);

/** The program is gone, or a shell shows its prompt again: only results stay. */
const endProgram = (status: ProgramStatus): Change =>
  removeRecords(status, ({ state }) => state !== "done" && state !== "error", "turn:lost");

const removeRecords = (
  status: ProgramStatus,
  isRemoved: (record: ProgramRecord) => boolean,
  openTurn: "turn:lost" | null,
): Change => {
  const records = new Map([...status.records].filter(([, record]) => !isRemoved(record)));
  if (openTurn === null || !status.open) return { status: { ...status, records }, turn: null };
  return { status: { ...status, records, open: false }, turn: openTurn };
};

/** OSC 133 A of a shell; continuation prompts, and marks that a program on the alternate screen or in front drew, are none. */
const isPrimaryPrompt = (status: ProgramStatus, body: string): boolean => {
  const [mark, ...options] = body.split(";");
  return (
    mark === "A" &&
    !options.some((option) => /^k=[scr]$/.test(option)) &&
    !status.altScreen &&
    status.shellInFront !== false
  );
};
