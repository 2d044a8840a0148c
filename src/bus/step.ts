/**
 * One step of the bus under way: rules read the newest value, record facts and ask for effects through it.
 * A step lives inside one `decide`; nothing of it escapes but its facts and effects.
 */
import type { Delivery, DeliveryEnd } from "./delivery.js";
import { isOver } from "./delivery.js";
import type { DeliveryId, TerminalId } from "./ids.js";
import { MAX_TRAIL } from "./limits.js";
import type { DeliveryPatch, Effect, Fact, Millis, TerminalPatch } from "./protocol.js";
import { applyFact, closeDraft, type Draft, type State } from "./state.js";
import type { Terminal } from "./terminal.js";

export type Step = {
  readonly now: Millis;
  readonly draft: Draft;
  readonly facts: Fact[];
  readonly effects: Effect[];
  /** Terminals whose rules are looked at again at the end of the step. */
  readonly touched: Set<TerminalId>;
};

/** On a draft that earlier steps of the same run may have changed: its parts are copied once for all of them. */
export const openStep = (draft: Draft, now: Millis): Step => ({
  now,
  draft,
  facts: [],
  effects: [],
  touched: new Set(),
});

/** The value as this step has made it so far. */
export const stateOf = (step: Step): State => closeDraft(step.draft);

export const record = (step: Step, fact: Fact): void => {
  applyFact(step.draft, fact);
  step.facts.push(fact);
};

export const ask = (step: Step, effect: Effect): void => {
  step.effects.push(effect);
};

export const terminalOf = (step: Step, id: TerminalId): Terminal | undefined => step.draft.terminals.get(id);
export const deliveryOf = (step: Step, id: DeliveryId): Delivery | undefined => step.draft.deliveries.get(id);

export const changeTerminal = (step: Step, id: TerminalId, patch: TerminalPatch): void => {
  record(step, { kind: "terminalChanged", at: step.now, terminal: id, patch });
  step.touched.add(id);
};

export const changeDelivery = (step: Step, id: DeliveryId, patch: DeliveryPatch): void => {
  record(step, { kind: "deliveryChanged", at: step.now, delivery: id, patch });
};

const TRIM_ABOVE = Math.round(MAX_TRAIL * 1.1);

const COMPLETED: readonly DeliveryEnd["kind"][] = [
  "answered",
  "turn failed",
  "interrupted",
  "cleared",
  "lost",
  "joined",
];

/** Ends a delivery once; a second end changes nothing. */
export const endDelivery = (step: Step, id: DeliveryId, end: DeliveryEnd, more: DeliveryPatch = {}): void => {
  const delivery = deliveryOf(step, id);
  if (delivery === undefined || isOver(delivery)) return;
  const state = COMPLETED.includes(end.kind) ? "completed" : "failed";
  changeDelivery(step, id, { ...more, state, end, endedAt: step.now });
  step.touched.add(delivery.to);
  // An engine may live for months: rarely, and many at a time.
  if (step.draft.deliveries.size > TRIM_ABOVE) trimTrail(step);
};

/** The oldest finished entries go beyond the trail's length. */
export const trimTrail = (step: Step): void => {
  let surplus = step.draft.deliveries.size - MAX_TRAIL;
  for (const delivery of [...step.draft.deliveries.values()]) {
    if (surplus <= 0) return;
    if (!isOver(delivery)) continue;
    record(step, { kind: "deliveryDropped", at: step.now, delivery: delivery.id });
    surplus -= 1;
  }
};
