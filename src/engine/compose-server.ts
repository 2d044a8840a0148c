/** Connects the servers that CLIs run with the bus: which doors they have, and what is known of their turns. */
import type { Adapter, KnownTurns } from "../adapters/adapter.js";
import type { TerminalId } from "../bus/ids.js";
import { createServerFeed } from "../feeds/server-events.js";
import type { Engine } from "./engine.js";
import type { ServerDoors } from "./ports.js";
import type { Signals } from "./signals.js";
import type { Pause } from "./typist.js";

export type ServerReadings = {
  /** Follows the terminal's server, when its CLI runs one that has a door. */
  open(terminal: TerminalId, adapter: Adapter): void;
  /** Asks it what is the case; false: it cannot be asked. */
  answer(terminal: TerminalId): Promise<boolean>;
  /** The terminal is over, and so is its door. */
  close(terminal: TerminalId): void;
  stop(): void;
};

const NOTHING: KnownTurns = { cliSession: null, turns: [], since: 0 };

const knownOf = (engine: Engine, id: TerminalId): KnownTurns => {
  const terminal = engine.state().terminals.get(id);
  if (terminal === undefined) return NOTHING;
  const open = (terminal.turn?.cliTurns ?? []).slice(0, 1).map((turn) => ({ id: turn, end: "open" as const }));
  const over = terminal.closing.flatMap(({ turn, end }) =>
    turn.cliTurns.slice(0, 1).map((cliTurn) => ({ id: cliTurn, end: end.kind })),
  );
  return { cliSession: terminal.cliSession, turns: [...open, ...over], since: terminal.launchedAt };
};

export const createServerReadings = (parts: {
  readonly engine: Engine;
  readonly signals: Signals;
  readonly doors: ServerDoors;
  readonly pause: Pause;
  readonly note: (what: string, facts: Readonly<Record<string, unknown>>) => void;
}): ServerReadings => {
  const { engine, signals, doors } = parts;
  const feed = createServerFeed({
    take: signals.take,
    memoryOf: signals.memoryOf,
    known: (terminal) => knownOf(engine, terminal),
    note: parts.note,
    now: () => engine.now(),
    pause: parts.pause,
  });
  return {
    open: (terminal, adapter) => {
      const door = adapter.server === undefined ? null : doors.get(terminal);
      if (adapter.server === undefined || door === null) return;
      const launchedAt = engine.state().terminals.get(terminal)?.launchedAt ?? engine.now();
      feed.open(terminal, door, adapter.server, launchedAt);
    },
    answer: (terminal) => feed.resync(terminal),
    close: (terminal) => {
      feed.close(terminal);
      doors.drop(terminal);
    },
    stop: feed.stop,
  };
};
