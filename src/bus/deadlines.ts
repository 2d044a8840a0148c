/**
 * The rules that time alone fires. Each is a field of the state or derived from one; `nextDeadline` names the nearest,
 * and `runDeadlines` carries out all that are due. Nothing else in the bus waits.
 */
import { doubtTurn, loseReporter } from "./doubt.js";
import { forgetTerminal } from "./lifecycle.js";
import {
  EVIDENCE_MS,
  HELD_TOAST_MS,
  JOINED_MS,
  KEEP_EXITED_MS,
  PROMPT_SIGNAL_MS,
  PROVISIONAL_PROMPT_MS,
  SILENCE_MS,
  UNKNOWN_TURN_MS,
} from "./limits.js";
import type { Millis } from "./protocol.js";
import { heldReason, statusOf } from "./reporter.js";
import { askSecondEnter, secondEnterDue } from "./second-enter.js";
import type { State } from "./state.js";
import { ask, changeDelivery, changeTerminal, deliveryOf, type Step, terminalOf } from "./step.js";
import type { Terminal } from "./terminal.js";
import type { ClosingTurn } from "./turn.js";
import { closeTurn, endJoined, openTurn } from "./turns.js";

type Due = { readonly at: Millis; readonly run: (step: Step, terminal: Terminal) => void };

const missEvidence = (step: Step, terminal: Terminal): void => {
  const id = terminal.unconfirmed!;
  const note = "typed, no sign that it was submitted";
  const notes = deliveryOf(step, id)?.notes ?? [];
  changeDelivery(step, id, {
    state: "unconfirmed",
    evidenceBy: null,
    notes: notes.includes(note) ? notes : [...notes, note],
  });
  changeTerminal(step, terminal.id, { unconfirmed: null });
  ask(step, { kind: "captureEvidence", terminal: terminal.id, delivery: id });
};

const tellHeld = (step: Step, terminal: Terminal): void => {
  changeTerminal(step, terminal.id, { held: { ...terminal.held!, told: true } });
  const why = heldReason(terminal) ?? "";
  const count = terminal.queue.length === 1 ? "1 message" : `${terminal.queue.length} messages`;
  ask(step, { kind: "toast", toast: { at: step.now, text: `${count} to ${terminal.name} held: ${why}` } });
};

/** When each rule of this terminal is due. Order matters where two are due at once. */
const duesOf = (
  terminal: Terminal,
  evidenceBy: Millis | null,
  joinedTo: ClosingTurn | undefined,
  secondEnterAt: Millis | null,
  now: Millis,
): readonly Due[] => {
  // forget:exited-stay (DECISIONS S20).
  if (terminal.exit !== null) {
    return [{ at: terminal.exit.at + KEEP_EXITED_MS, run: (step, t) => forgetTerminal(step, t.id) }];
  }
  const dues: Due[] = [];
  const { turn, program, prompt } = terminal;
  if (turn?.candidate != null) {
    dues.push({ at: turn.candidate.at, run: (step, t) => closeTurn(step, t.id, t.turn!.candidate!.end) });
  }
  if (turn?.interruptAt != null && turn.candidate === null) {
    dues.push({ at: turn.interruptAt, run: (step, t) => doubtTurn(step, t, { kind: "interrupted" }) });
  }
  if (turn?.contradictionAt != null && turn.candidate === null) {
    const { at, end } = turn.contradictionAt;
    dues.push({ at, run: (step, t) => doubtTurn(step, t, end) });
  }
  if (joinedTo !== undefined) {
    dues.push({ at: joinedTo.endedAt + JOINED_MS, run: (step) => endJoined(step, joinedTo) });
  }
  // Its reporter tells of no beginnings: that it works is the sign that the message was submitted.
  const isSubmitted =
    terminal.traits.reporter?.tells === "ends" &&
    (turn !== null || program.state === "working" || program.state === "blocked");
  if (
    terminal.unconfirmed !== null &&
    program.state === "working" &&
    terminal.traits.turns === "bridge" &&
    terminal.traits.reporter !== null &&
    terminal.reporter !== "lost" &&
    evidenceBy !== null &&
    !isSubmitted
  ) {
    // Counted from our Enter: the CLI works on something, and its bridge told of no prompt.
    dues.push({ at: Math.max(evidenceBy - EVIDENCE_MS, program.since) + PROMPT_SIGNAL_MS, run: loseReporter });
  }
  if (terminal.unconfirmed !== null && evidenceBy !== null && !isSubmitted)
    dues.push({ at: evidenceBy, run: missEvidence });
  if (secondEnterAt !== null) dues.push({ at: secondEnterAt, run: askSecondEnter });
  if (program.state === "working" && !program.covered && turn === null && terminal.traits.turns === "bridge") {
    const open = (step: Step, t: Terminal): void => {
      openTurn(step, t, { cliTurn: null, cause: "unknown", deliveries: [], startedAt: t.program.since });
    };
    dues.push({ at: program.since + UNKNOWN_TURN_MS, run: open });
  }
  if (prompt?.source === "hook" && program.state !== "unknown" && program.state !== "blocked") {
    dues.push({
      at: prompt.since + PROVISIONAL_PROMPT_MS,
      run: (step, t) => changeTerminal(step, t.id, { prompt: null }),
    });
  }
  if (terminal.held !== null && !terminal.held.told) {
    dues.push({ at: terminal.held.since + HELD_TOAST_MS, run: tellHeld });
  }
  const status = statusOf(terminal, now);
  const mayBeStuck = status === "working" || status === "waiting" || (terminal.traits.turns === "osc" && turn !== null);
  if (mayBeStuck && terminal.traits.turns !== "none") {
    const look = (step: Step, t: Terminal): void => {
      changeTerminal(step, t.id, { lastSignAt: step.now });
      ask(step, { kind: "resync", terminal: t.id });
    };
    dues.push({ at: terminal.lastSignAt + SILENCE_MS, run: look });
  }
  // Passing the end of the grace changes level and status by itself; the alarm only makes the queue be looked at.
  if (terminal.reporter === "silent" && terminal.graceEndsAt !== null && terminal.graceEndsAt > now) {
    dues.push({ at: terminal.graceEndsAt, run: () => {} });
  }
  return dues;
};

const duesIn = (state: Pick<State, "deliveries">, terminal: Terminal, now: Millis): readonly Due[] => {
  const unconfirmed = terminal.unconfirmed === null ? undefined : state.deliveries.get(terminal.unconfirmed);
  // Another turn may have come and gone since: the oldest that something is left of.
  const joinedTo = terminal.closing.findLast(({ turn }) =>
    turn.joined.some((id) => {
      const delivery = state.deliveries.get(id);
      return delivery?.state === "confirmed" && delivery.turn === turn.key;
    }),
  );
  const secondEnterAt = secondEnterDue(terminal, unconfirmed, now);
  return duesOf(terminal, unconfirmed?.evidenceBy ?? null, joinedTo, secondEnterAt, now);
};

/** The nearest time at which a rule is due, or null. */
export const nextDeadline = (state: State, now: Millis): Millis | null => {
  const times: Millis[] = [];
  for (const terminal of state.terminals.values()) for (const due of duesIn(state, terminal, now)) times.push(due.at);
  for (const wait of state.waits.values()) if (wait.deadline !== null) times.push(wait.deadline);
  return times.length === 0 ? null : Math.min(...times);
};

/** Carries out what is due, one rule after the other, each on the value that the last one left. */
export const runDeadlines = (step: Step): void => {
  for (const id of [...step.draft.terminals.keys()]) {
    for (let guard = 0; guard < 16; guard += 1) {
      const terminal = terminalOf(step, id);
      if (terminal === undefined) break;
      const due = duesIn(step.draft, terminal, step.now).find((candidate) => candidate.at <= step.now);
      if (due === undefined) break;
      due.run(step, terminal);
    }
  }
};
