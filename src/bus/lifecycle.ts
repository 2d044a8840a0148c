/** Terminals come and go, tmux answers or not, an engine starts: what that means for turns, queues and waits. */
import { isOver } from "./delivery.js";
import type { TerminalId } from "./ids.js";
import { EVIDENCE_MS, KEEP_EXITED_MS, STOP_SETTLES_MS } from "./limits.js";
import type { Input } from "./protocol.js";
import { resumeSecondEnters } from "./second-enter.js";
import { changeDelivery, changeTerminal, endDelivery, record, type Step, terminalOf, trimTrail } from "./step.js";
import type { Terminal } from "./terminal.js";
import { closeTurn } from "./turns.js";
import { settle } from "./wait.js";

export const launchTerminal = (step: Step, input: Extract<Input, { kind: "terminalLaunched" }>): void => {
  record(step, { kind: "terminalAdded", at: step.now, terminal: input.terminal });
  step.touched.add(input.terminal.id);
};

export const exitTerminal = (step: Step, input: Extract<Input, { kind: "terminalExited" }>): void => {
  const terminal = terminalOf(step, input.terminal);
  if (terminal === undefined || terminal.exit !== null) return;
  // A Stop that only waited for its 400 ms is an answer, though the CLI is gone now.
  if (terminal.turn?.candidate != null) closeTurn(step, terminal.id, terminal.turn.candidate.end);
  for (const delivery of [...step.draft.deliveries.values()]) {
    if (delivery.to !== terminal.id || isOver(delivery)) continue;
    const isUntyped = delivery.state === "queued" || delivery.state === "pasting";
    const why = isUntyped ? "exited before it could be typed" : "exited before its turn ended";
    endDelivery(step, delivery.id, { kind: "exited", why });
  }
  // wait:caller-gone-keeps-delivery. Nobody is left to hear the outcome.
  for (const wait of [...step.draft.waits.values()]) {
    if (wait.caller.kind === "terminal" && wait.caller.id === terminal.id) settle(step, wait, { kind: "abandoned" });
  }
  record(step, { kind: "terminalEnded", at: step.now, terminal: terminal.id, exit: { ...input.exit, at: step.now } });
  step.touched.add(terminal.id);
};

/** Drops an exited terminal; its trail entries stay. */
export const forgetTerminal = (step: Step, id: TerminalId): void => {
  const terminal = terminalOf(step, id);
  if (terminal?.exit != null) record(step, { kind: "terminalDropped", at: step.now, terminal: id });
};

export const seeOutput = (step: Step, id: TerminalId): void => {
  const terminal = terminalOf(step, id);
  if (terminal === undefined || terminal.exit !== null) return;
  changeTerminal(step, id, {
    lastSignAt: step.now,
    ...(terminal.firstOutputAt === null ? { firstOutputAt: step.now } : {}),
  });
};

export const seeTmux = (step: Step, reachable: boolean): void => {
  for (const terminal of [...step.draft.terminals.values()]) {
    if (terminal.exit === null && terminal.stale === reachable)
      changeTerminal(step, terminal.id, { stale: !reachable });
  }
};

/**
 * The clock of a silent reporter runs from the first output, and stands while a dialog is known: level-triggered, so
 * that every way a dialog comes or goes is covered.
 */
export const keepGrace = (step: Step, id: TerminalId): void => {
  const terminal = terminalOf(step, id);
  if (terminal === undefined || terminal.exit !== null || terminal.traits.reporter === null) return;
  const runs = terminal.reporter === "silent" && terminal.firstOutputAt !== null && terminal.prompt === null;
  if (runs && terminal.graceEndsAt === null) {
    changeTerminal(step, id, { graceEndsAt: step.now + terminal.traits.reporter.graceMs });
  } else if (!runs && terminal.graceEndsAt !== null) {
    changeTerminal(step, id, { graceEndsAt: null });
  }
};

/** What a predecessor's timers and witnesses said is not true any more; what is durable stands. */
const resume = (step: Step, terminal: Terminal): void => {
  const turn = terminal.turn;
  changeTerminal(step, terminal.id, {
    lastSignAt: step.now,
    // What it printed meanwhile nobody heard; its grace and the look at its start-up dialogs begin with the first output.
    firstOutputAt: terminal.firstOutputAt ?? step.now,
    // A hook's dialog ends with a hook, which waits in the spool; the other witnesses speak anew.
    prompt: terminal.prompt?.source === "hook" ? terminal.prompt : null,
    program: { state: "unknown", since: step.now, covered: false },
    graceEndsAt: null,
    hold: null,
    held: null,
    turn: turn && {
      ...turn,
      interruptAt: null,
      contradictionAt: null,
      doubt: null,
      candidate: turn.candidate && { ...turn.candidate, at: step.now + STOP_SETTLES_MS },
    },
  });
  if (terminal.unconfirmed !== null) {
    changeDelivery(step, terminal.unconfirmed, { evidenceBy: step.now + EVIDENCE_MS });
  }
  // The predecessor may have come as far as Enter: its prompt signal, waiting in the spool, must be known again.
  if (terminal.typing !== null) changeDelivery(step, terminal.typing, { state: "entering" });
};

/** A queue that cannot be typed is told of once, when it has been held for a while; level-triggered like the grace. */
export const keepHeld = (step: Step, id: TerminalId): void => {
  const terminal = terminalOf(step, id);
  if (terminal === undefined) return;
  const isHeld =
    terminal.exit === null && terminal.queue.length > 0 && (terminal.hold !== null || terminal.line === "occupied");
  if (isHeld && terminal.held === null) changeTerminal(step, id, { held: { since: step.now, told: false } });
  else if (!isHeld && terminal.held !== null) changeTerminal(step, id, { held: null });
};

/** Old things go: terminals that exited long ago, and the oldest finished entries beyond the trail's length. */
const dropOld = (step: Step): void => {
  for (const terminal of [...step.draft.terminals.values()]) {
    if (terminal.exit !== null && step.now - terminal.exit.at > KEEP_EXITED_MS) forgetTerminal(step, terminal.id);
  }
  trimTrail(step);
};

export const startEngine = (step: Step): void => {
  for (const terminal of [...step.draft.terminals.values()]) if (terminal.exit === null) resume(step, terminal);
  resumeSecondEnters(step);
  dropOld(step);
};
