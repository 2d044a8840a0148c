/**
 * Level, status and the right to type, computed on every read from what is known of a terminal.
 * Source: "Peers and Their Levels", "How a Message Is Delivered"; the tables of docs/architecture.md.
 */

import type { Millis } from "./protocol.js";
import type { Level, Remedy, Status, Terminal } from "./terminal.js";

/** The bridge was never heard within its grace, or contradicted itself: the terminal is typed at once, as a listener. */
export const isUnheard = (terminal: Terminal, now: Millis): boolean =>
  terminal.traits.reporter !== null &&
  (terminal.reporter === "lost" ||
    (terminal.reporter === "silent" && terminal.graceEndsAt !== null && now >= terminal.graceEndsAt));

export const levelOf = (terminal: Terminal, now: Millis): Level =>
  terminal.exit === null && isUnheard(terminal, now) ? "listener" : terminal.traits.level;

export const isPeer = (terminal: Terminal): boolean => terminal.traits.level !== "not a peer";

export const canReply = (terminal: Terminal, now: Millis): boolean => {
  const level = levelOf(terminal, now);
  return level === "full peer" || level === "responder";
};

/** What to advise a sender that wants a reply from a terminal that cannot give one. */
export const remedyOf = (terminal: Terminal): Remedy => terminal.traits.reporter?.remedy ?? "file mailbox";

/** After a gap a CLI that OSC alone tells of is Unknown until it reports again; it can be typed on, and answer. */
const hasLostSight = ({ traits, program }: Terminal): boolean => traits.turns === "osc" && program.state === "unknown";

export const statusOf = (terminal: Terminal, now: Millis): Status => {
  if (terminal.exit !== null) return "exited";
  if (terminal.traits.turns === "none") return "unknown";
  if (terminal.prompt !== null) return "waiting";
  if (isUnheard(terminal, now)) return "unknown";
  if (terminal.reporter === "silent" && terminal.traits.reporter !== null) return "starting";
  if (terminal.program.state === "blocked") return "waiting";
  if (terminal.doubtful || hasLostSight(terminal)) return "unknown";
  return terminal.turn === null && !isStarting(terminal) ? "idle" : "working";
};

/** OSC says that it began to work, and no turn of the bridge covers that yet. */
const hasBegun = ({ program }: Terminal): boolean => program.state === "working" && !program.covered;

/** Where the bridge tells of no beginnings, OSC does. */
const isStarting = (terminal: Terminal): boolean => terminal.traits.reporter?.tells === "ends" && hasBegun(terminal);

/** Who sees no turn end of this terminal: its trail entries show no timer, and nobody can wait on it. */
export const isBlind = (terminal: Terminal, now: Millis): boolean =>
  terminal.traits.turns === "none" || isUnheard(terminal, now);

/** Why messages wait though the agent could take them; null when nothing of its line holds them. */
export const heldReason = (terminal: Terminal): string | null => {
  if (terminal.queue.length === 0) return null;
  if (terminal.stale) return "tmux does not answer";
  // What stands there is a message of ours that could not be submitted, not somebody's draft.
  if (terminal.line === "occupied") return "its line holds text that was not submitted";
  return terminal.hold;
};

const isTypedAtOnce = (terminal: Terminal, now: Millis): boolean =>
  terminal.traits.typing === "at once" || isBlind(terminal, now);

/** May the next queued message be typed now? "One at a time" in docs/architecture.md. */
export const mayType = (terminal: Terminal, now: Millis): boolean => {
  if (terminal.exit !== null || terminal.stale || terminal.traits.typing === "never") return false;
  if (terminal.typing !== null || terminal.line === "occupied" || terminal.hold !== null) return false;
  if (isTypedAtOnce(terminal, now)) {
    return terminal.prompt === null && terminal.program.state !== "blocked" && terminal.program.state !== "working";
  }
  // deliver:between-turns. OSC speaks before the bridge does: what just began to work is not between turns.
  const rests = statusOf(terminal, now) === "idle" || (terminal.reporter === "heard" && hasLostSight(terminal));
  return (
    rests && terminal.prompt === null && terminal.turn === null && terminal.unconfirmed === null && !hasBegun(terminal)
  );
};

/** Of a terminal whose line a delivery has claimed: may it still be typed, with all that was heard since the claim? */
export const mayStillType = (terminal: Terminal, now: Millis): boolean => mayType({ ...terminal, typing: null }, now);
