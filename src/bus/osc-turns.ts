/**
 * Turns of a CLI that tells of them by OSC 7501 alone: the column of Antigravity in docs/architecture.md. Its reports
 * name no prompt, so the turn that begins after our Enter is the message's. Source: "Peers and Their Levels" and
 * quay_send_message of the product text ("From Antigravity, a responder, …").
 */
import type { DeliveryId } from "./ids.js";
import { assertNever } from "./ids.js";
import type { Observation } from "./protocol.js";
import { changeTerminal, deliveryOf, endDelivery, type Step, terminalOf } from "./step.js";
import type { Prompt, Terminal } from "./terminal.js";
import { titleOf } from "./text.js";
import { closeTurn, openTurn } from "./turns.js";

type Report = Extract<Observation, { kind: "programStatus" }>;

/** What was submitted, or is being submitted, and has no turn yet. */
const awaited = (step: Step, terminal: Terminal): DeliveryId | null => {
  const id = terminal.typing ?? terminal.unconfirmed;
  const state = id === null ? undefined : deliveryOf(step, id)?.state;
  return state === "entering" || state === "dispatched" ? id : null;
};

const begin = (step: Step, terminal: Terminal): void => {
  const delivery = awaited(step, terminal);
  const taskTitle = delivery === null ? null : titleOf(deliveryOf(step, delivery)!.typed);
  changeTerminal(step, terminal.id, { taskTitle });
  openTurn(step, terminalOf(step, terminal.id)!, {
    cliTurn: null,
    cause: delivery === null ? "person" : "delivery",
    deliveries: delivery === null ? [] : [delivery],
  });
};

/** responder:blocked-is-the-answer. The turn stays open: what it says when it is over amends the trail. */
const stopOnPrompt = (step: Step, id: Terminal["id"], about: Prompt["about"], text: string): void => {
  const terminal = terminalOf(step, id)!;
  if (terminal.turn === null && awaited(step, terminal) !== null) begin(step, terminal);
  for (const delivery of terminalOf(step, id)!.turn?.deliveries ?? []) {
    endDelivery(step, delivery, { kind: "answered", text: `blocked (${about}): ${text}` });
  }
};

export const takeTurnReport = (step: Step, id: Terminal["id"], report: Report): void => {
  const terminal = terminalOf(step, id)!;
  const isOpen = terminal.turn !== null;
  const state = report.state === "cleared" ? "unknown" : report.state;
  const about = report.about ?? "dialog";
  changeTerminal(step, id, {
    program: { state, since: step.now, covered: false },
    prompt: state === "blocked" ? { about, text: report.text, since: step.now, source: "osc" } : null,
  });
  switch (report.state) {
    case "working":
      if (!isOpen) begin(step, terminalOf(step, id)!);
      return;
    case "blocked":
      return stopOnPrompt(step, id, about, report.text);
    case "done": {
      const cut = report.cutAt === undefined ? {} : { cutAt: report.cutAt };
      return closeTurn(step, id, { kind: "answered", text: report.text, ...cut });
    }
    case "error":
      return closeTurn(step, id, { kind: "failed", text: report.text || "the CLI gave no reason" });
    case "idle":
      return closeTurn(step, id, { kind: "interrupted" });
    case "cleared":
      return closeTurn(step, id, { kind: "lost" });
    default:
      return assertNever(report.state);
  }
};

/** Bytes were lost and it says nothing more: what ran then is over or not, and nobody can tell. */
export const giveUpTurn = (step: Step, id: Terminal["id"]): void => {
  changeTerminal(step, id, { prompt: null, doubtful: false });
  closeTurn(step, id, { kind: "lost" });
};
