/**
 * Waits: what a sender's call comes to. Looked at level-triggered after every step, so no wait depends on an event
 * that may not come; a wait that has an outcome is closed with it, once. Source: "Waits" in docs/architecture.md,
 * "Waits that end early" of the product text.
 */
import type { Delivery } from "./delivery.js";
import { isOver } from "./delivery.js";
import { assertNever } from "./ids.js";
import type { Caller, Millis, Outcome, Wait } from "./protocol.js";
import { heldReason, isUnheard, remedyOf, statusOf } from "./reporter.js";
import type { State } from "./state.js";
import { ask, changeDelivery, record, type Step, stateOf } from "./step.js";
import type { Terminal } from "./terminal.js";

const ended = (delivery: Delivery): Outcome => {
  const to = delivery.toName;
  const end = delivery.end!;
  switch (end.kind) {
    case "answered":
      return { kind: "reply", to, text: end.text, ...(end.cutAt === undefined ? {} : { cutAt: end.cutAt }) };
    case "turn failed":
      return { kind: "endedWithoutAnswer", to, how: "failed", detail: end.text };
    case "interrupted":
    case "cleared":
    case "lost":
    case "joined":
      return { kind: "endedWithoutAnswer", to, how: end.kind, detail: "" };
    case "exited":
      return { kind: "targetExited", to };
    case "not typed":
    case "not submitted":
      return { kind: "deliveryFailed", to, why: end.why };
    case "cancelled":
      return { kind: "deliveryFailed", to, why: "it was cancelled before it was typed" };
    default:
      return assertNever(end);
  }
};

const isTyping = (delivery: Delivery): boolean => delivery.state === "pasting" || delivery.state === "entering";

/** Why a message was queued and not typed, as it stands behind "queued for X". */
const whyQueued = (target: Terminal | undefined, now: Millis): string => {
  if (target === undefined) return "it is gone";
  const held = heldReason(target);
  if (held !== null) return held;
  const status = statusOf(target, now);
  if (status === "waiting") return "it waits on a person";
  return status === "working" || status === "starting" ? `it is ${status}` : "another message is before it";
};

/** The receipt of a message nobody waits on: null while the typing is under way. */
const receiptOf = (delivery: Delivery, wait: Wait, target: Terminal | undefined, now: Millis): Outcome | null => {
  if (isTyping(delivery)) return null;
  const to = delivery.toName;
  if (delivery.state === "failed") return ended(delivery);
  if (wait.remedy !== null)
    return { kind: "cannotReply", to, remedy: wait.remedy, queued: delivery.state === "queued", ...causeOf(target) };
  return delivery.state === "queued" ? { kind: "queued", to, why: whyQueued(target, now) } : { kind: "dispatched", to };
};

/** The setting that keeps the bridge silent, where one is known (DECISIONS A13). */
const causeOf = (target: Terminal | undefined): { readonly cause?: string } =>
  target?.switchedOffBy == null ? {} : { cause: target.switchedOffBy };

const replyOf = (delivery: Delivery, target: Terminal | undefined, now: Millis): Outcome | null => {
  if (isOver(delivery)) return ended(delivery);
  if (target === undefined || target.exit !== null) return { kind: "targetExited", to: delivery.toName };
  if (!isTyping(delivery) && isUnheard(target, now)) {
    return { kind: "reporterLost", to: delivery.toName, remedy: remedyOf(target), ...causeOf(target) };
  }
  return null;
};

const noticesOf = (deliveries: readonly Delivery[], isDue: boolean): Outcome | null => {
  if (!isDue && deliveries.some(isTyping)) return null;
  const names = (keep: (delivery: Delivery) => boolean) => deliveries.filter(keep).map((delivery) => delivery.toName);
  const isHeld = (delivery: Delivery): boolean => delivery.state === "queued" || isTyping(delivery);
  const hasFailed = (delivery: Delivery): boolean => delivery.state === "failed" && delivery.typedAt === null;
  return {
    kind: "broadcast",
    reached: names((delivery) => !isHeld(delivery) && !hasFailed(delivery)),
    holding: names(isHeld),
    failed: names(hasFailed),
  };
};

/** What this wait comes to now, or null while it goes on. */
export const outcomeOf = (state: State, wait: Wait, now: Millis): Outcome | null => {
  const deliveries = wait.deliveries.flatMap((id) => state.deliveries.get(id) ?? []);
  const isDue = wait.deadline !== null && now >= wait.deadline;
  if (wait.mode === "notices") return noticesOf(deliveries, isDue);
  const delivery = deliveries[0];
  if (delivery === undefined) return { kind: "abandoned" };
  const outcome =
    wait.mode === "receipt"
      ? receiptOf(delivery, wait, state.terminals.get(delivery.to), now)
      : replyOf(delivery, state.terminals.get(delivery.to), now);
  if (outcome !== null || !isDue) return outcome;
  const to = delivery.toName;
  return delivery.state === "queued" ? { kind: "stillQueued", to, circle: [] } : { kind: "stillWorking", to };
};

export const openWait = (step: Step, wait: Wait): void => record(step, { kind: "waitOpened", at: step.now, wait });

export const settle = (step: Step, wait: Wait, outcome: Outcome): void => {
  if (!step.draft.waits.has(wait.call)) return;
  record(step, { kind: "waitClosed", at: step.now, call: wait.call });
  // trail:label-answer. A wait that a circle ended at once did not run out: nobody waits, and no 60 s passed.
  const isCircle = outcome.kind === "stillQueued" && outcome.circle.length > 0;
  if (outcome.kind === "stillWorking" || outcome.kind === "stillQueued") {
    for (const id of wait.deliveries) changeDelivery(step, id, isCircle ? { wantsReply: false } : { waitRanOut: true });
  }
  ask(step, { kind: "settle", call: wait.call, outcome, deliveries: wait.deliveries });
};

export const settleWaits = (step: Step): void => {
  for (const wait of [...step.draft.waits.values()]) {
    const outcome = outcomeOf(stateOf(step), wait, step.now);
    if (outcome !== null) settle(step, wait, outcome);
  }
};

const waiterOf = (caller: Caller): string | null => (caller.kind === "terminal" ? caller.id : null);

/**
 * The names of a circle that a new wait of `from` on `to` would close: each waits for the reply of the next, so none
 * of their turns could end. Empty when there is none.
 */
export const circleOf = (state: State, from: Terminal, to: Terminal): readonly string[] => {
  const waitedFor = new Map<string, string[]>();
  for (const wait of state.waits.values()) {
    const waiter = waiterOf(wait.caller);
    const target = wait.mode === "reply" ? state.deliveries.get(wait.deliveries[0]!)?.to : undefined;
    if (waiter !== null && target !== undefined) waitedFor.set(waiter, [...(waitedFor.get(waiter) ?? []), target]);
  }
  const walk = (at: string, path: readonly string[]): readonly string[] => {
    if (at === from.id) return path;
    for (const next of waitedFor.get(at) ?? []) {
      if (path.includes(next) && next !== from.id) continue;
      const found = walk(next, [...path, next]);
      if (found.length > 0) return found;
    }
    return [];
  };
  const ids = walk(to.id, [to.id]);
  if (ids.length === 0) return [];
  return [from.id, ...ids].map((id) => state.terminals.get(id as Terminal["id"])?.name ?? id);
};
