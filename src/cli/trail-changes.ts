/** Which trail entries a reader has not seen in this form yet. Pure but for what it remembers. */
import type { TrailView } from "../bus/views.js";

/**
 * A function that takes the trail (newest first) and returns what is new or changed, oldest first. A running timer is
 * no change; `limit` bounds the first answer.
 */
export const trailChanges = (limit: number): ((trail: readonly TrailView[]) => readonly TrailView[]) => {
  const seen = new Map<string, string>();
  let isFirst = true;
  return (trail) => {
    const changed = trail.filter((entry) => seen.get(entry.id) !== form(entry));
    for (const entry of changed) seen.set(entry.id, form(entry));
    const told = isFirst ? changed.slice(0, limit) : changed;
    isFirst = false;
    return told.toReversed();
  };
};

const form = (entry: TrailView): string => JSON.stringify([entry.status, entry.label, entry.response, entry.notes]);
