/**
 * Turns the live output of terminals into program status signals, and lets CLIs that ask know that they are read.
 * tmux answers a query's DA1 by itself, so an answer at the query comes too late for some: it is given from the CLI's
 * raw-mode mark on. Only live output may come in here; a capture or a replay holds old reports and old queries.
 */
import type { ProgramStatusSignal, Signal } from "../adapters/adapter.js";
import type { ProgramRecord, Report } from "../adapters/program-report.js";
import {
  applyHostNotice,
  applySequence,
  newProgramStatus,
  type ProgramStatus,
  type ProgramStep,
  queryReply,
} from "../adapters/program-status.js";
import type { TerminalSequence } from "../adapters/terminal-sequence.js";
import type { TerminalId } from "../bus/ids.js";
import { type AnswerTimers, type EarlyAnswer, startEarlyAnswer, systemTimers } from "./early-answer.js";

export type OscFeedOptions = {
  /** Writes the answer to the terminal's input. A failure is the caller's to report: it costs the second signal only. */
  answer(terminal: TerminalId, bytes: Uint8Array): Promise<void>;
  emit(terminal: TerminalId, signal: Signal): void;
  /** A scanner of its own for each terminal (tmux/osc-scanner). */
  createScanner(): { feed(bytes: Uint8Array): readonly TerminalSequence[] };
  readonly timers?: AnswerTimers;
};

export type OscFeed = {
  /**
   * Starts listening, anew if the terminal is known. `answerAt`: the private mode, such as `?2031h`, that the CLI
   * switches before it asks, from which it is answered; null: not before it asks. `answers`: its questions are answered.
   * Throws RangeError on any other mark.
   */
  open(terminal: TerminalId, how: { readonly answerAt: string | null; readonly answers: boolean }): void;
  /** The next live bytes of a terminal. Ignored when it is not open. */
  output(terminal: TerminalId, bytes: Uint8Array): void;
  /** Bytes were lost: what was known is unknown until the next report. */
  gap(terminal: TerminalId): void;
  close(terminal: TerminalId): void;
};

type Tap = {
  readonly mark: Mark | null;
  readonly answers: boolean;
  scanner: ReturnType<OscFeedOptions["createScanner"]>;
  status: ProgramStatus;
  early: EarlyAnswer | null;
  /** The CLI asked or reported: it needs no early answer any more. */
  settled: boolean;
  answering: number;
};

type Mark = { readonly number: number; readonly on: boolean };

/** Answers to queries that may be under way at once, per terminal; more are not asked for by any CLI. */
const MAX_ANSWERING = 4;

export const createOscFeed = (options: OscFeedOptions): OscFeed => {
  const taps = new Map<TerminalId, Tap>();
  const timers = options.timers ?? systemTimers;

  const close = (terminal: TerminalId): void => {
    taps.get(terminal)?.early?.stop();
    taps.delete(terminal);
  };

  const reply = (terminal: TerminalId, tap: Tap, bytes: string): void => {
    if (tap.answering >= MAX_ANSWERING) return;
    tap.answering++;
    void options
      .answer(terminal, Buffer.from(bytes, "latin1"))
      .catch(() => {})
      .finally(() => tap.answering--);
  };

  const settle = (tap: Tap): void => {
    tap.settled = true;
    tap.early?.stop();
    tap.early = null;
  };

  const take = (terminal: TerminalId, tap: Tap, sequence: TerminalSequence): void => {
    if (tap.mark !== null && !tap.settled && tap.early === null && isMark(sequence, tap.mark)) {
      const bytes = Buffer.from(queryReply("bel"), "latin1");
      tap.early = startEarlyAnswer(() => options.answer(terminal, bytes), timers);
    }
    const before = tap.status;
    const step = applySequence(before, sequence);
    tap.status = step.status;
    if (step.reports.length > 0 || step.replies.length > 0) settle(tap);
    if (tap.answers) for (const bytes of step.replies) reply(terminal, tap, bytes);
    for (const signal of readSignals(before, step)) options.emit(terminal, signal);
  };

  return {
    open(terminal, { answerAt, answers }) {
      close(terminal);
      const mark = answerAt === null ? null : parseMark(answerAt);
      taps.set(terminal, {
        mark,
        answers,
        scanner: options.createScanner(),
        status: newTapStatus(answers),
        early: null,
        settled: false,
        answering: 0,
      });
    },
    output(terminal, bytes) {
      const tap = taps.get(terminal);
      if (tap === undefined) return;
      for (const sequence of tap.scanner.feed(bytes)) take(terminal, tap, sequence);
    },
    gap(terminal) {
      const tap = taps.get(terminal);
      if (tap === undefined) return;
      // Half a sequence before the gap and half of another behind it must not make one.
      tap.scanner = options.createScanner();
      tap.status = { ...newTapStatus(tap.answers), altScreen: tap.status.altScreen };
      options.emit(terminal, { kind: "gap" });
    },
    close,
  };
};

/** A CLI that is answered was started without a shell: prompt marks in its output are its own drawing. */
const newTapStatus = (answers: boolean): ProgramStatus =>
  answers ? applyHostNotice(newProgramStatus, { kind: "foreground", shell: false }).status : newProgramStatus;

const parseMark = (answerAt: string): Mark => {
  const split = /^\?(\d{1,5})([hl])$/.exec(answerAt);
  if (split === null || /^(47|1047|1049)$/.test(split[1] ?? "")) {
    throw new RangeError(`answerAt must name a private mode, such as ?2031h, and no alternate screen: ${answerAt}`);
  }
  return { number: Number(split[1]), on: split[2] === "h" };
};

const isMark = (sequence: TerminalSequence, mark: Mark): boolean =>
  sequence.kind === "privateMode" && sequence.number === mark.number && sequence.on === mark.on;

/**
 * What the bus cares for: each report of the root record, each blocked child, and its return. A child's return comes
 * before the root's news in the same step, so that the root has the last word.
 */
const readSignals = (before: ProgramStatus, step: ProgramStep): readonly ProgramStatusSignal[] => {
  const signals: ProgramStatusSignal[] = [];
  for (const [id, record] of before.records) {
    if (id === "" || record.state !== "blocked") continue;
    const now = step.status.records.get(id);
    if (now?.state !== "blocked") signals.push(toSignal(now ?? { id, state: "clear" }));
  }
  for (const report of step.reports) {
    if (report.id === "" || report.state === "blocked") signals.push(toSignal(report));
  }
  const isRootGone = before.records.has("") && !step.status.records.has("");
  if (isRootGone && step.reports.every((report) => report.id !== ""))
    signals.push(toSignal({ id: "", state: "clear" }));
  return signals;
};

const toSignal = (report: Report): ProgramStatusSignal => {
  const record: Partial<ProgramRecord> = report.state === "clear" ? {} : report;
  return {
    kind: "programStatus",
    state: report.state,
    id: report.id,
    about: record.kind ?? null,
    msg: record.msg ?? "",
  };
};
