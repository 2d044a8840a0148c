/**
 * `decide(state, input, now)`: which facts follow from an input, and which effects are asked for. Pure: the same
 * arguments give the same decision. Every step ends level-triggered: queues are pumped and waits looked at for all
 * that was touched.
 */
import { acceptBroadcast, acceptSend } from "./accept.js";
import { takeApproval } from "./approvals.js";
import { runDeadlines } from "./deadlines.js";
import { assertNever } from "./ids.js";
import {
  exitTerminal,
  forgetTerminal,
  keepGrace,
  keepHeld,
  launchTerminal,
  seeOutput,
  seeTmux,
  startEngine,
} from "./lifecycle.js";
import { acceptMail } from "./mail-notice.js";
import { observe } from "./observe.js";
import type { Decision, Input, Millis } from "./protocol.js";
import { pump } from "./pump.js";
import { mayType } from "./reporter.js";
import { takeSecondEnter } from "./second-enter.js";
import { type Draft, openDraft, type State } from "./state.js";
import { changeDelivery, openStep, record, type Step, terminalOf } from "./step.js";
import { cancelDelivery, releaseLine, seeLine, takeEvidence, takeTypingResult } from "./typing.js";
import { settleWaits } from "./wait.js";

const take = (step: Step, input: Input): void => {
  switch (input.kind) {
    case "send":
      return acceptSend(step, input);
    case "broadcast":
      return acceptBroadcast(step, input);
    case "mailCame":
      return acceptMail(step, input);
    case "cancelDelivery":
      return cancelDelivery(step, input.delivery);
    case "typeNow":
      return releaseLine(step, input.delivery);
    case "callerGone":
      if (step.draft.waits.has(input.call)) record(step, { kind: "waitClosed", at: step.now, call: input.call });
      return;
    case "responseWritten":
      return changeDelivery(step, input.delivery, { responded: true });
    case "terminalLaunched":
      return launchTerminal(step, input);
    case "terminalExited":
      return exitTerminal(step, input);
    case "terminalForgotten":
      return forgetTerminal(step, input.terminal);
    case "outputSeen":
      return seeOutput(step, input.terminal);
    case "tmuxReachable":
      return seeTmux(step, input.reachable);
    case "pasted":
    case "entered":
    case "typingHeld":
    case "pasteStranded":
    case "typingFailed":
    case "typingUnknown":
    case "markersRead":
      return takeTypingResult(step, input);
    case "enteredAgain":
      return takeSecondEnter(step, input);
    case "lineSeen":
      return seeLine(step, input);
    case "evidenceCaptured":
      return takeEvidence(step, input);
    case "permissionAnswered":
      return takeApproval(step, input);
    case "observed":
      return observe(step, input);
    case "engineStarted":
      return startEngine(step);
    case "fencedOut":
      return record(step, { kind: "typingStopped", at: step.now, holder: input.holder });
    case "alarm":
      return;
    default:
      return assertNever(input);
  }
};

export const decide = (state: State, input: Input, now: Millis): Decision => decideOn(openDraft(state), input, now);

/** As `decide`, and leaves the facts applied in the draft: for inputs that are decided one after the other. */
export const decideOn = (draft: Draft, input: Input, now: Millis): Decision => {
  const step = openStep(draft, now);
  take(step, input);
  if (input.kind === "alarm") runDeadlines(step);
  const all = input.kind === "alarm" || input.kind === "engineStarted";
  // Time alone opens a terminal too (the end of a grace): another input may come before the alarm that was set for it.
  const opened = [...step.draft.terminals.values()].filter((t) => t.queue.length > 0 && mayType(t, now));
  const look = all ? [...step.draft.terminals.keys()] : [...step.touched, ...opened.map((t) => t.id)];
  for (const id of look) keepGrace(step, id);
  // A rule of this step may have touched more terminals while the first ones were looked at.
  for (const id of new Set([...look, ...step.touched])) if (terminalOf(step, id) !== undefined) pump(step, id);
  for (const id of new Set([...look, ...step.touched])) keepHeld(step, id);
  settleWaits(step);
  return { facts: step.facts, effects: step.effects };
};
