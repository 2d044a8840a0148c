/**
 * Reads a session's record when a signal asked for it, and again while the adapter misses something: what a CLI has just
 * shown is written a moment later. One reading per terminal at a time; it decides nothing of what a line means.
 */
import type { Adapter } from "../adapters/adapter.js";
import type { TerminalId } from "../bus/ids.js";
import type { SessionLogs } from "../feeds/session-log.js";
import type { Engine } from "./engine.js";
import type { Signals } from "./signals.js";
import type { Pause } from "./typist.js";

/** Pauses before each reading, in ms: a line comes some 20 ms after what was shown of it, and later on a busy machine. */
const PAUSES_MS = [0, 25, 50, 100, 200, 400, 800] as const;
/** With no record at all it is given up sooner: after this many readings. */
const READINGS_WITHOUT = 4;

export type LogReadings = {
  /** Resolves when what the record said is durable, or when it cannot be had. */
  readOn(terminal: TerminalId): Promise<void>;
  /** Reads once and lets the adapter say what the CLI does now; false: this CLI has no record that may be believed. */
  answer(terminal: TerminalId): Promise<boolean>;
  forget(terminal: TerminalId): void;
};

export const createLogReadings = (parts: {
  readonly engine: Engine;
  readonly signals: Signals;
  readonly logs: SessionLogs;
  readonly adapterFor: (terminal: TerminalId) => Adapter | null;
  readonly pidOf: (terminal: TerminalId) => number | null;
  readonly pause: Pause;
}): LogReadings => {
  const underWay = new Map<TerminalId, { readonly done: Promise<void>; again: boolean }>();

  /** Its record stands in for a reporter, and makes none: of one that is silent or lost nothing is read. */
  const isHeard = (terminal: TerminalId): boolean => parts.engine.state().terminals.get(terminal)?.reporter === "heard";

  const read = async (terminal: TerminalId, how: { readonly asked: boolean; readonly tries: number }) => {
    const log = parts.adapterFor(terminal)?.log;
    const known = parts.engine.state().terminals.get(terminal);
    if (log === undefined || known === undefined || !isHeard(terminal)) return null;
    const since = known.closing[0]?.endedAt ?? known.launchedAt;
    const pid = parts.pidOf(terminal);
    const found =
      pid === null ? { session: null, entries: [], since } : await parts.logs.read(terminal, log, pid, since);
    const isLast =
      how.asked || how.tries >= PAUSES_MS.length || (found.session === null && how.tries >= READINGS_WITHOUT);
    return { isMore: await parts.signals.take(terminal, { kind: "log", ...found, asked: how.asked, isLast }) };
  };

  const loop = async (terminal: TerminalId): Promise<void> => {
    for (let tries = 0; tries < PAUSES_MS.length; tries += 1) {
      const running = underWay.get(terminal);
      // Something new was asked for: the time for it begins now.
      if (running?.again === true) {
        running.again = false;
        tries = 0;
      }
      const pauseMs = PAUSES_MS[tries] ?? 0;
      if (pauseMs > 0) await parts.pause(pauseMs);
      const reading = await read(terminal, { asked: false, tries: tries + 1 });
      if (reading === null) return;
      if (!reading.isMore && underWay.get(terminal)?.again !== true) return;
    }
  };

  return {
    readOn(terminal) {
      const running = underWay.get(terminal);
      if (running !== undefined) {
        running.again = true;
        return running.done;
      }
      const done = loop(terminal)
        .catch(() => {})
        .finally(() => underWay.delete(terminal));
      underWay.set(terminal, { done, again: false });
      return done;
    },
    answer: async (terminal) => (await read(terminal, { asked: true, tries: 1 })) !== null,
    forget: (terminal) => parts.logs.forget(terminal),
  };
};
