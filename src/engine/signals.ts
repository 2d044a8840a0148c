/**
 * Signals of a terminal's feeds become observations: the adapter interprets, the engine takes them in order.
 * Also who may leave events: the secret, the pane and the process must be those of the terminal.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { Adapter, Memory, Signal } from "../adapters/adapter.js";
import type { TerminalId } from "../bus/ids.js";
import { judgeProcess } from "./cli-process.js";
import type { Engine } from "./engine.js";
import type { Spool, SpooledEvent, TerminalHost, Vault } from "./ports.js";

export const hashSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/** Constant time; both are hex hashes, so their length tells nothing. */
export const isSameHash = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

export type Signals = {
  /** Resolves when what it meant is durable: true when the session's record should be read next. */
  take(terminal: TerminalId, signal: Signal): Promise<boolean>;
  forget(terminal: TerminalId): void;
  /** What the adapter remembers of it by now. */
  memoryOf(terminal: TerminalId): Memory;
};

export const createSignals = (engine: Engine, adapterFor: (terminal: TerminalId) => Adapter | null): Signals => {
  const memories = new Map<TerminalId, Memory>();
  return {
    take: async (terminal, signal) => {
      const adapter = adapterFor(terminal);
      if (adapter === null) return false;
      const { memory, observations, readLog = false } = adapter.interpret(memories.get(terminal) ?? {}, signal);
      memories.set(terminal, memory);
      await Promise.all(observations.map((observation) => engine.submit({ kind: "observed", terminal, observation })));
      return readLog;
    },
    forget: (terminal) => {
      memories.delete(terminal);
    },
    memoryOf: (terminal) => memories.get(terminal) ?? {},
  };
};

export type EventDrain = { drain(): Promise<void> };

export type DrainParts = {
  readonly spool: Spool;
  readonly vault: Vault;
  readonly host: TerminalHost;
  readonly signals: Signals;
  /** Reads the session's record on, until it said what is missing or cannot. */
  readonly readOn: (terminal: TerminalId) => Promise<void>;
  /** Hears of each event that counts, when what it meant is durable. */
  readonly counted: (event: SpooledEvent) => Promise<void>;
  /** Parent, grandparent …; null when the process is over. */
  readonly ancestorsOf: (pid: number) => readonly number[] | null;
  readonly note: (what: string, facts: Readonly<Record<string, unknown>>) => void;
};

/** Where it stands which process of a terminal is its CLI: a new engine must not take a CLI below it for it. */
export const cliKey = (terminal: TerminalId): string => `cli.${terminal}`;

/** Why an event does not count, or null when it does. Binds its process to the terminal when it is the first to speak. */
const rejects = (event: SpooledEvent, { vault, host, signals, ancestorsOf }: DrainParts): string | null => {
  const { terminal } = event;
  const known = vault.secrets().find((secrets) => secrets.terminal === terminal);
  if (known === undefined) return "no such terminal";
  if (!isSameHash(known.event, hashSecret(event.secret))) return "wrong secret";
  const pane = host.paneOf(terminal);
  if (pane !== null && event.pane !== null && event.pane !== pane) return "another pane";
  const bound = Number(vault.get(cliKey(terminal)) ?? "") || null;
  const verdict = judgeProcess({ cli: event.cliPid, pane: host.pidOf(terminal), bound }, ancestorsOf);
  if (verdict.kind === "foreign") return verdict.why;
  if (verdict.bind !== null) vault.set(cliKey(terminal), String(verdict.bind));
  if (verdict.isNew) signals.forget(terminal);
  return null;
};

/** Reads what hooks left, oldest first, one drain at a time; a file goes when its facts are durable. */
export const createDrain = (parts: DrainParts): EventDrain => {
  let running: Promise<void> | null = null;
  let again = false;

  const once = async (): Promise<void> => {
    const events = await parts.spool.drain();
    for (const event of events) {
      const why = rejects(event, parts);
      if (why === null) {
        const { event: name, payload, cliPid } = event;
        const isMore = await parts.signals.take(event.terminal, { kind: "hook", event: name, payload, cliPid });
        await parts.counted(event);
        if (isMore) await parts.readOn(event.terminal);
      } else {
        parts.note("event not counted", { terminal: event.terminal, event: event.event, why });
      }
    }
    if (events.length > 0) await parts.spool.taken(events);
  };

  const loop = async (): Promise<void> => {
    do {
      again = false;
      await once();
    } while (again);
  };

  return {
    drain: () => {
      if (running !== null) {
        again = true;
        return running;
      }
      running = loop().finally(() => {
        running = null;
      });
      return running;
    },
  };
};
