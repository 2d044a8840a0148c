/**
 * The bytes of our panes, in order, as host events. It decodes nothing and keeps nothing, but for panes that are so
 * new that nobody knows yet whose they are: their first bytes (a query, often) wait for the next listing.
 */
import type { TerminalId } from "../bus/ids.js";
import type { HostEvent } from "../engine/ports.js";

export type Tap = {
  output(session: string, pane: string, bytes: Uint8Array): void;
  /** tmux dropped bytes of this pane. */
  lost(session: string, pane: string): void;
  /** Called after a listing was taken in: hands out what waited, and names the panes that are not ours, with their session. */
  sort(listing: number): readonly { readonly session: string; readonly pane: string }[];
  clear(): void;
};

export type TapSpot = {
  /** Whose pane this is, if its output comes by the client of this session; `elsewhere`: ours, by another client. */
  readonly owner: (session: string, pane: string) => TerminalId | "elsewhere" | null;
  /** Number of the listing asked for last. */
  readonly listing: () => number;
  readonly emit: (event: HostEvent) => void;
  /** A pane that nobody knows: list soon. */
  readonly onStranger: () => void;
};

/** Kept of one unknown pane, in bytes. */
const MAX_WAITING = 256 * 1024;

type Waiting = { readonly session: string; readonly since: number; chunks: Uint8Array[]; size: number; cut: boolean };

export const createTap = (spot: TapSpot): Tap => {
  const waiting = new Map<string, Waiting>();

  const keep = (session: string, pane: string, bytes: Uint8Array): void => {
    let kept = waiting.get(pane);
    if (!kept) {
      kept = { session, since: spot.listing(), chunks: [], size: 0, cut: false };
      waiting.set(pane, kept);
      spot.onStranger();
    }
    if (kept.size + bytes.length > MAX_WAITING) kept.cut = true;
    else {
      kept.chunks.push(bytes);
      kept.size += bytes.length;
    }
  };

  const handOut = (pane: string, terminal: TerminalId): void => {
    const kept = waiting.get(pane);
    if (!kept) return;
    waiting.delete(pane);
    for (const bytes of kept.chunks) spot.emit({ kind: "output", terminal, bytes });
    if (kept.cut) spot.emit({ kind: "gap", terminal });
  };

  return {
    output: (session, pane, bytes) => {
      const owner = spot.owner(session, pane);
      if (owner === "elsewhere") return;
      if (owner === null) keep(session, pane, bytes);
      else {
        handOut(pane, owner);
        spot.emit({ kind: "output", terminal: owner, bytes });
      }
    },
    lost: (session, pane) => {
      const kept = waiting.get(pane);
      if (kept) kept.cut = true;
      const owner = spot.owner(session, pane);
      if (owner === null || owner === "elsewhere") return;
      if (kept) handOut(pane, owner);
      else spot.emit({ kind: "gap", terminal: owner });
    },
    sort: (listing) => {
      const strangers: { session: string; pane: string }[] = [];
      for (const [pane, kept] of [...waiting]) {
        const owner = spot.owner(kept.session, pane);
        if (owner !== null && owner !== "elsewhere") handOut(pane, owner);
        else if (kept.since < listing) {
          waiting.delete(pane);
          if (owner === null) strangers.push({ session: kept.session, pane });
        }
      }
      return strangers;
    },
    clear: () => waiting.clear(),
  };
};
