/**
 * How a target is matched: an exact terminal id anywhere, or an exact session name among live terminals, the
 * caller's project first. Source: "How a Target Is Matched".
 */
import type { TerminalId } from "./ids.js";
import type { Millis } from "./protocol.js";
import type { PeerLine, Refusal } from "./refusal.js";
import { isPeer, levelOf, statusOf } from "./reporter.js";
import type { State } from "./state.js";
import type { Terminal } from "./terminal.js";

export type Match =
  | { readonly ok: true; readonly terminal: Terminal }
  | { readonly ok: false; readonly refusal: Refusal };

export const peerLine = (terminal: Terminal, now: Millis): PeerLine => ({
  id: terminal.id,
  name: terminal.name,
  project: terminal.project,
  level: levelOf(terminal, now),
  status: statusOf(terminal, now),
});

const livePeers = (state: State, now: Millis): readonly PeerLine[] =>
  [...state.terminals.values()].filter((t) => t.exit === null && isPeer(t)).map((t) => peerLine(t, now));

/** Finds the terminal; an exited one only by its id. Whether it may be sent to is decided by the caller. */
export const matchTarget = (state: State, target: string, project: string | null, now: Millis): Match => {
  const byId = state.terminals.get(target as TerminalId);
  if (byId !== undefined) return { ok: true, terminal: byId };

  const named = [...state.terminals.values()].filter((terminal) => terminal.name === target);
  const live = named.filter((terminal) => terminal.exit === null);
  const near = live.filter((terminal) => terminal.project === project);
  const matches = near.length > 0 ? near : live;
  if (matches.length === 1) return { ok: true, terminal: matches[0]! };
  if (matches.length > 1) {
    return { ok: false, refusal: { kind: "ambiguousTarget", target, matches: matches.map((t) => peerLine(t, now)) } };
  }
  const kind = named.length > 0 ? "nameExited" : "unknownTarget";
  return { ok: false, refusal: { kind, target, peers: livePeers(state, now) } };
};
