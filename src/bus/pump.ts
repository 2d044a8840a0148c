/**
 * The level-triggered heart of delivery: whenever anything changed, each touched terminal that may be typed on gets
 * the head of its queue. No queue waits for an event. Source: "Delivery" in docs/architecture.md.
 */
import type { TerminalId } from "./ids.js";
import { mayType } from "./reporter.js";
import { ask, changeDelivery, changeTerminal, deliveryOf, type Step, terminalOf } from "./step.js";

export const pump = (step: Step, id: TerminalId): void => {
  const terminal = terminalOf(step, id);
  if (terminal === undefined || step.draft.stopped !== null || terminal.queue.length === 0) return;
  if (terminal.hold !== null || terminal.line === "occupied") ask(step, { kind: "watchLine", terminal: id });
  if (!mayType(terminal, step.now)) return;
  const [head, ...rest] = terminal.queue;
  const delivery = deliveryOf(step, head!);
  changeTerminal(step, id, { queue: rest, typing: delivery === undefined ? null : head! });
  if (delivery === undefined) {
    pump(step, id);
    return;
  }
  // deliver:claimed-before-typing. The lock and the state are facts before the first byte is typed.
  changeDelivery(step, head!, { state: "pasting" });
  ask(step, { kind: "paste", terminal: id, delivery: head!, text: delivery.typed });
};
