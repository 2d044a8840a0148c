/**
 * The proof of one delivery, for `quay explain`: what was typed, where, what the pane's markers say now, which signals
 * were seen and when, and the screen when it failed. Reads only; it judges nothing that the trail does not say.
 */
import { createHash } from "node:crypto";
import type { Delivery } from "../bus/delivery.js";
import { utf8Bytes } from "../bus/text.js";
import { trailView } from "../bus/trail.js";
import type { TrailView } from "../bus/views.js";
import { typedOf } from "./effects.js";
import type { PaneSeen } from "./ports.js";

export type Proof = {
  readonly entry: TrailView;
  /** The bus's own word for where it is: queued, pasting, entering, dispatched, unconfirmed, confirmed, completed, failed. */
  readonly state: Delivery["state"];
  readonly typed: { readonly bytes: number; readonly sha256: string; readonly lines: number };
  /** tmux's id of the pane; null when the terminal's pane is gone. */
  readonly pane: string | null;
  /** later: another message was typed there since; gone: the pane is. */
  readonly markers: "nothing" | "pasted" | "entered" | "entered twice" | "later" | "gone";
  readonly hops: number;
  readonly turn: string | null;
  /** What happened, in order; ms since the epoch. */
  readonly times: readonly { readonly at: number; readonly what: string }[];
  /** What the screen showed when it could not be typed, or was not confirmed. */
  readonly screen: string | null;
};

const markersOf = (delivery: Delivery, pane: PaneSeen | undefined): Proof["markers"] => {
  if (pane === undefined) return "gone";
  const typed = typedOf(pane, delivery.id);
  if (typed === "entered" && pane.enteredTwice) return "entered twice";
  return typed === "nothing" && delivery.typedAt !== null ? "later" : typed;
};

const timesOf = (delivery: Delivery): Proof["times"] => {
  const ended = delivery.end === null ? "ended" : `ended: ${delivery.end.kind}`;
  const marks: readonly (readonly [number | null, string])[] = [
    [delivery.acceptedAt, "accepted, durable"],
    [delivery.typedAt, "text and Enter typed"],
    [delivery.turnStartedAt, "its turn began"],
    [delivery.endedAt, ended],
  ];
  return marks.flatMap(([at, what]) => (at === null ? [] : [{ at, what }])).toSorted((a, b) => a.at - b.at);
};

export const explainDelivery = (
  delivery: Delivery,
  place: { readonly pane: string | null; readonly seen: PaneSeen | undefined },
): Proof => ({
  entry: trailView(delivery, null),
  state: delivery.state,
  typed: {
    bytes: utf8Bytes(delivery.typed),
    sha256: createHash("sha256").update(delivery.typed).digest("hex"),
    lines: delivery.typed.split("\n").length,
  },
  pane: place.pane,
  markers: markersOf(delivery, place.seen),
  hops: delivery.hops,
  turn: delivery.turn,
  times: timesOf(delivery),
  screen: delivery.evidence,
});
