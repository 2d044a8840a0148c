/**
 * A swallowed Enter: a paste guard took it for text, so the message stands on the line with a line break behind it. It
 * is pressed once more, claimed as a fact before, and only while nothing waits, works or is typed there. Whether it
 * was swallowed the typist sees on the line; this file never presses because of silence alone.
 */
import type { Delivery } from "./delivery.js";
import { SECOND_ENTER_MS } from "./limits.js";
import type { Input, Millis } from "./protocol.js";
import { statusOf } from "./reporter.js";
import { ask, changeDelivery, deliveryOf, type Step } from "./step.js";
import type { Terminal } from "./terminal.js";

export const PRESSED_TWICE = "Enter was pressed twice: the first one only broke the line";

/** When the line is looked at for it, in ms since the epoch; null: not for this delivery, or not as things are now. */
export const secondEnterDue = (terminal: Terminal, unconfirmed: Delivery | undefined, now: Millis): Millis | null => {
  if (unconfirmed?.state !== "dispatched" || unconfirmed.secondEnter !== "none" || unconfirmed.typedAt === null)
    return null;
  if (terminal.exit !== null || terminal.stale || terminal.typing !== null) return null;
  const isResting = statusOf(terminal, now) === "idle" && terminal.program.state !== "working";
  return isResting ? unconfirmed.typedAt + SECOND_ENTER_MS : null;
};

export const askSecondEnter = (step: Step, terminal: Terminal): void => {
  const delivery = deliveryOf(step, terminal.unconfirmed!);
  if (delivery === undefined) return;
  changeDelivery(step, delivery.id, { secondEnter: "asked" });
  ask(step, { kind: "enterAgain", terminal: terminal.id, delivery: delivery.id, text: delivery.typed });
};

export const takeSecondEnter = (step: Step, input: Extract<Input, { kind: "enteredAgain" }>): void => {
  const delivery = deliveryOf(step, input.delivery);
  if (delivery?.secondEnter !== "asked" || input.pressed === null) return;
  const notes = input.pressed ? [...delivery.notes, PRESSED_TWICE] : delivery.notes;
  changeDelivery(step, delivery.id, { secondEnter: input.pressed ? "pressed" : "left", notes });
};

/** An engine that was killed between the claim and the answer asks again: tmux lets it happen once. */
export const resumeSecondEnters = (step: Step): void => {
  for (const delivery of [...step.draft.deliveries.values()]) {
    if (delivery.state === "dispatched" && delivery.secondEnter === "asked")
      changeDelivery(step, delivery.id, { secondEnter: "none" });
  }
};
