/**
 * What became of the typing of one delivery: the rows pasting…dispatched of the delivery table. Each result names its
 * delivery; one that is not the terminal's lock is late and changes nothing.
 */
import type { Delivery } from "./delivery.js";
import { isOver } from "./delivery.js";
import type { DeliveryId, TerminalId } from "./ids.js";
import { EVIDENCE_MS, MAX_TRIES } from "./limits.js";
import type { Input } from "./protocol.js";
import { isBlind } from "./reporter.js";
import { ask, changeDelivery, changeTerminal, deliveryOf, endDelivery, type Step, terminalOf } from "./step.js";
import type { HoldReason, Terminal } from "./terminal.js";

type Locked = { readonly terminal: Terminal; readonly delivery: Delivery };

/** The terminal and the delivery it is being typed with; null when this result came too late to matter. */
const lockedBy = (step: Step, terminal: TerminalId, delivery: DeliveryId): Locked | null => {
  const found = { terminal: terminalOf(step, terminal), delivery: deliveryOf(step, delivery) };
  if (found.terminal === undefined || found.delivery === undefined) return null;
  return found.terminal.typing === delivery ? { terminal: found.terminal, delivery: found.delivery } : null;
};

const requeue = (step: Step, { terminal, delivery }: Locked, hold: HoldReason | null): void => {
  const tries = delivery.tries + (hold === "input is off" ? 1 : 0);
  changeTerminal(step, terminal.id, {
    typing: null,
    hold: hold ?? terminal.hold,
    queue: [delivery.id, ...terminal.queue],
  });
  changeDelivery(step, delivery.id, { state: "queued", tries });
};

const goOnAtEnter = (step: Step, { terminal, delivery }: Locked): void => {
  if (delivery.state === "pasting") changeDelivery(step, delivery.id, { state: "entering" });
  ask(step, { kind: "enter", terminal: terminal.id, delivery: delivery.id, text: delivery.typed });
};

const hasTurn = (delivery: Delivery): boolean => delivery.state === "confirmed" || isOver(delivery);

const dispatched = (step: Step, { terminal, delivery }: Locked): void => {
  const blind = isBlind(terminal, step.now);
  // Its turn may be seen before the reply of tmux to the Enter is read: then it is confirmed already, or even over.
  const isSeen = hasTurn(delivery);
  changeTerminal(step, terminal.id, {
    typing: null,
    unconfirmed: blind || isSeen ? null : delivery.id,
    lastHops: delivery.hops,
    lastSignAt: step.now,
  });
  changeDelivery(step, delivery.id, {
    ...(isSeen ? {} : { state: "dispatched" as const }),
    blind,
    typedAt: step.now,
    evidenceBy: blind || isSeen ? null : step.now + EVIDENCE_MS,
  });
  if (delivery.form === "notice") return;
  const from = delivery.from.kind === "terminal" ? delivery.from.name : "You";
  ask(step, { kind: "toast", toast: { at: step.now, text: `Message from ${from} to ${delivery.toName}` } });
};

const fail = (step: Step, { terminal, delivery }: Locked, why: string): void => {
  changeTerminal(step, terminal.id, { typing: null });
  endDelivery(step, delivery.id, { kind: "not typed", why });
};

const hold = (step: Step, locked: Locked, why: HoldReason | null): void => {
  if (why === "input is off" && locked.delivery.tries + 1 >= MAX_TRIES) {
    fail(step, locked, "the pane takes no input (its input is switched off in tmux)");
    return;
  }
  requeue(step, locked, why);
};

/** The text stands on the line and Enter was not pressed: nothing else is typed there until the line is free. */
const strand = (step: Step, { terminal, delivery }: Locked, why: string, screen: string): void => {
  changeTerminal(step, terminal.id, { typing: null, line: "occupied" });
  endDelivery(step, delivery.id, { kind: "not submitted", why }, { evidence: screen });
  ask(step, { kind: "watchLine", terminal: terminal.id });
};

type Result = Extract<
  Input,
  {
    kind: "pasted" | "entered" | "typingHeld" | "pasteStranded" | "typingFailed" | "typingUnknown" | "markersRead";
  }
>;

export const takeTypingResult = (step: Step, input: Result): void => {
  const locked = lockedBy(step, input.terminal, input.delivery);
  if (locked === null) return;
  // A turn that began with it says more than the typing can: a person may have pressed Enter before Quay did.
  if (hasTurn(locked.delivery) && input.kind !== "typingUnknown") return dispatched(step, locked);
  switch (input.kind) {
    case "pasted":
      return goOnAtEnter(step, locked);
    case "entered":
      return dispatched(step, locked);
    case "typingHeld":
      return hold(step, locked, input.why);
    case "pasteStranded":
      return strand(step, locked, input.why, input.screen);
    case "typingFailed":
      return fail(step, locked, input.why);
    case "typingUnknown":
      return ask(step, { kind: "probe", terminal: input.terminal, delivery: input.delivery });
    case "markersRead":
      // deliver:markers-decide. After a fence the markers are final: nothing written before can still run.
      if (input.typed === "nothing") return requeue(step, locked, null);
      return input.typed === "pasted" ? goOnAtEnter(step, locked) : dispatched(step, locked);
  }
};

export const seeLine = (step: Step, input: Extract<Input, { kind: "lineSeen" }>): void => {
  const terminal = terminalOf(step, input.terminal);
  if (terminal === undefined || terminal.exit !== null) return;
  if (input.hold === null) {
    if (terminal.hold !== null || terminal.line === "occupied") {
      changeTerminal(step, terminal.id, { hold: null, line: "free" });
    }
    return;
  }
  if (terminal.hold !== input.hold) changeTerminal(step, terminal.id, { hold: input.hold });
};

/** What the screen showed of a delivery without turn evidence: still on the line means it was not submitted. */
export const takeEvidence = (step: Step, input: Extract<Input, { kind: "evidenceCaptured" }>): void => {
  const delivery = deliveryOf(step, input.delivery);
  if (delivery === undefined || delivery.state !== "unconfirmed") return;
  changeDelivery(step, delivery.id, { evidence: input.screen });
  if (!input.onLine) return;
  const why = "the text stood on the line 15 s after Enter";
  endDelivery(step, delivery.id, { kind: "not submitted", why });
  changeTerminal(step, delivery.to, { line: "occupied" });
  ask(step, { kind: "watchLine", terminal: delivery.to });
};

export const cancelDelivery = (step: Step, id: DeliveryId): void => {
  const delivery = deliveryOf(step, id);
  if (delivery === undefined || delivery.state !== "queued") return;
  const terminal = terminalOf(step, delivery.to);
  if (terminal !== undefined) {
    changeTerminal(step, terminal.id, { queue: terminal.queue.filter((queued) => queued !== id) });
  }
  endDelivery(step, id, { kind: "cancelled" });
};

/**
 * A person vouches for the line: what held it is forgotten, and the queue is tried at once. The typist still looks before
 * it pastes, so a line that is not free holds again.
 */
export const releaseLine = (step: Step, id: DeliveryId): void => {
  const delivery = deliveryOf(step, id);
  if (delivery === undefined || delivery.state !== "queued") return;
  const terminal = terminalOf(step, delivery.to);
  if (terminal !== undefined) changeTerminal(step, terminal.id, { hold: null, line: "free" });
};
