/**
 * Commands of a person about one message: take it back, type it now, show its proof. Each throws QuayError with what to
 * do when the message is not there, or not in the state for it.
 */
import type { Delivery } from "../bus/delivery.js";
import { wordRefusal } from "../bus/refusal.js";
import { heldReason } from "../bus/reporter.js";
import { QuayError } from "../lib/errors.js";
import type { Answers } from "./client.js";
import type { Engine } from "./engine.js";
import { explainDelivery } from "./explain.js";
import type { TerminalHost } from "./ports.js";

const known = (engine: Engine, id: string): Delivery => {
  const delivery = [...engine.state().deliveries.values()].find((one) => one.id === id);
  if (delivery !== undefined) return delivery;
  throw new QuayError("unknown-delivery", wordRefusal({ kind: "unknownDelivery", delivery: id }));
};

export const cancelMessage = async (engine: Engine, id: string): Promise<Answers["cancel"]> => {
  const delivery = known(engine, id);
  if (delivery.state !== "queued") {
    throw new QuayError(
      "not-cancellable",
      wordRefusal({ kind: "notCancellable", delivery: id, state: delivery.state }),
    );
  }
  await engine.submit({ kind: "cancelDelivery", delivery: delivery.id });
  return { ok: true };
};

export const typeNow = async (engine: Engine, id: string): Promise<Answers["typeNow"]> => {
  const delivery = known(engine, id);
  const terminal = engine.state().terminals.get(delivery.to);
  const held = terminal === undefined ? null : heldReason(terminal);
  if (delivery.state !== "queued" || held === null)
    throw new QuayError("not-held", wordRefusal({ kind: "notHeld", delivery: id, state: delivery.state }));
  await engine.submit({ kind: "typeNow", delivery: delivery.id });
  return { ok: true, held };
};

/** `id` null: the newest message. */
export const explainMessage = async (
  parts: { readonly engine: Engine; readonly host: TerminalHost },
  id: string | null,
): Promise<Answers["explain"]> => {
  const newest = [...parts.engine.state().deliveries.values()].at(-1);
  const delivery = id === null ? newest : known(parts.engine, id);
  if (delivery === undefined) throw new QuayError("unknown-delivery", "There is no message on the trail yet.");
  const seen = (await parts.host.panes()).find((pane) => pane.terminal === delivery.to);
  return { ok: true, proof: explainDelivery(delivery, { pane: parts.host.paneOf(delivery.to), seen }) };
};
