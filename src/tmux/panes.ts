/**
 * The table of our panes, and what a new listing says against the old one. Pure but for the table itself. tmux alone
 * decides that a terminal has exited; a listing that is older than a pane cannot say that it vanished.
 */
import { constants } from "node:os";
import type { TerminalId } from "../bus/ids.js";
import { deliveryId, terminalId } from "../bus/ids.js";
import type { HostEvent, PaneSeen } from "../engine/ports.js";
import type { PaneRow } from "./replies.js";

export type Exited = Extract<HostEvent, { kind: "exited" }>;

export type PaneTable = {
  find(terminal: TerminalId): PaneRow | null;
  terminalOf(pane: string): TerminalId | null;
  all(): readonly PaneRow[];
  /** Number of the listing that is about to be asked for. */
  nextListing(): number;
  lastListing(): number;
  /** A pane that we made; listings asked for before cannot miss it. */
  add(row: PaneRow): void;
  /** Takes a listing in. `exits`: newly known ends; `unsettled`: dead, and tmux has lost the status so far. */
  take(listing: number, rows: readonly PaneRow[]): { readonly exits: readonly Exited[]; readonly unsettled: boolean };
  /** A pane that we removed: no late listing brings it back. Returns its end if that was not known yet. */
  remove(terminal: TerminalId, why: string): Exited | null;
  /** The server is gone: ends of all that lived. */
  clear(why: string): readonly Exited[];
};

/** How often a dead pane without a status is listed again before it counts as lost. */
const STATUS_TRIES = 5;

export const signalNumber = (signal: string | null): number | null => {
  if (signal === null) return null;
  if (/^\d+$/.test(signal)) return Number(signal);
  const name = signal.toUpperCase().replace(/^(SIG)?/, "SIG");
  return (constants.signals as Readonly<Record<string, number>>)[name] ?? null;
};

const whyOf = (status: number | null, signal: number | null): string => {
  if (signal !== null) return `its program was ended by signal ${signal}`;
  return status === null ? "its program ended; tmux lost the exit status" : `its program ended with status ${status}`;
};

const endOf = (row: PaneRow): Exited => {
  const signal = signalNumber(row.signal);
  return {
    kind: "exited",
    terminal: terminalId(row.terminal),
    status: row.status,
    signal,
    why: whyOf(row.status, signal),
  };
};

const vanished = (row: PaneRow, why: string): Exited => ({
  kind: "exited",
  terminal: terminalId(row.terminal),
  status: null,
  signal: null,
  why,
});

export const paneSeen = (row: PaneRow): PaneSeen => ({
  terminal: terminalId(row.terminal),
  pid: row.pid,
  dead: row.dead,
  status: row.status,
  signal: signalNumber(row.signal),
  pastedMarker: row.pasted === null ? null : deliveryId(row.pasted),
  enteredMarker: row.entered === null ? null : deliveryId(row.entered),
  enteredTwice: row.enteredTwice,
});

export const createPaneTable = (): PaneTable => {
  const rows = new Map<string, PaneRow>();
  const addedAt = new Map<string, number>();
  const told = new Set<string>();
  const tries = new Map<string, number>();
  const removed = new Set<string>();
  let listings = 0;

  const forget = (terminal: string): void => {
    const row = rows.get(terminal);
    if (row) removed.add(row.pane);
    for (const map of [rows, addedAt, tries]) map.delete(terminal);
    told.delete(terminal);
  };

  /** Exactly one exit per terminal; null while the status may still come. */
  const settle = (row: PaneRow): Exited | "later" | null => {
    if (!row.dead || told.has(row.terminal)) return null;
    const known = row.status !== null || row.signal !== null;
    const tried = (tries.get(row.terminal) ?? 0) + 1;
    tries.set(row.terminal, tried);
    if (!known && tried <= STATUS_TRIES) return "later";
    told.add(row.terminal);
    return endOf(row);
  };

  return {
    find: (terminal) => rows.get(terminal) ?? null,
    terminalOf: (pane) => {
      for (const row of rows.values()) if (row.pane === pane) return terminalId(row.terminal);
      return null;
    },
    all: () => [...rows.values()],
    nextListing: () => ++listings,
    lastListing: () => listings,
    add: (row) => {
      rows.set(row.terminal, row);
      addedAt.set(row.terminal, listings);
    },
    take: (listing, listed) => {
      const exits: Exited[] = [];
      let unsettled = false;
      const seen = new Set<string>();
      for (const row of listed) {
        if (removed.has(row.pane)) continue;
        const known = rows.get(row.terminal);
        if (known && known.pane !== row.pane) continue;
        seen.add(row.terminal);
        rows.set(row.terminal, row);
        const exit = settle(row);
        if (exit === "later") unsettled = true;
        else if (exit) exits.push(exit);
      }
      for (const row of [...rows.values()]) {
        if (seen.has(row.terminal) || (addedAt.get(row.terminal) ?? 0) >= listing) continue;
        if (!told.has(row.terminal)) exits.push(vanished(row, "its pane was closed"));
        forget(row.terminal);
      }
      return { exits, unsettled };
    },
    remove: (terminal, why) => {
      const row = rows.get(terminal);
      if (!row) return null;
      const isNews = !told.has(terminal);
      forget(terminal);
      return isNews ? vanished(row, why) : null;
    },
    clear: (why) => {
      const exits = [...rows.values()].filter((row) => !told.has(row.terminal)).map((row) => vanished(row, why));
      for (const map of [rows, addedAt, tries]) map.clear();
      for (const set of [told, removed]) set.clear();
      return exits;
    },
  };
};
