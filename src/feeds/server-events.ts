/**
 * Follows the servers that CLIs run: connects, asks what is the case, passes each event on in order, connects again when
 * the stream ends. What has to be read for an event is read before the next one is looked at. It knows no CLI: paths and
 * types of events are the adapter's. A server that cannot be reached for longer than a start or a hiccup takes is told.
 */
import type { KnownTurns, Memory, ServerDoor, ServerEvent, ServerRules, Signal } from "../adapters/adapter.js";
import type { TerminalId } from "../bus/ids.js";
import { type Deferred, deferred } from "../lib/deferred.js";
import { messageOf } from "../lib/errors.js";
import { type EventStream, openEvents, type ReaderTimes, readJson } from "./server-reader.js";

export type ServerTimes = ReaderTimes & {
  /** Between two tries to connect, in ms; after the server was told to be lost, ten times that. */
  readonly retryMs: number;
  /** How long a start may take, and a server that was reached may be away, in ms. */
  readonly startMs: number;
  readonly awayMs: number;
};

/** A first start takes 4-8 s on a busy machine; a heartbeat comes every 10 s. Source: facts/opencode.md section 1. */
export const SERVER_TIMES: ServerTimes = {
  answerMs: 5_000,
  silenceMs: 45_000,
  retryMs: 250,
  startMs: 30_000,
  awayMs: 10_000,
};

export type ServerFeedParts = {
  /** Resolves when what the signal meant is durable. */
  readonly take: (terminal: TerminalId, signal: Signal) => Promise<unknown>;
  readonly memoryOf: (terminal: TerminalId) => Memory;
  readonly known: (terminal: TerminalId) => KnownTurns;
  readonly note: (what: string, facts: Readonly<Record<string, unknown>>) => void;
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
  readonly times?: ServerTimes;
};

export type ServerFeed = {
  /** @param launchedAt when its program was started: a start may take longer than a hiccup. */
  open(terminal: TerminalId, door: ServerDoor, rules: ServerRules, launchedAt: number): void;
  /** Asks what is the case; waits a moment for a server that is not connected yet. False: it cannot be asked. */
  resync(terminal: TerminalId): Promise<boolean>;
  close(terminal: TerminalId): void;
  stop(): void;
};

type Line = {
  readonly terminal: TerminalId;
  readonly door: ServerDoor;
  readonly rules: ServerRules;
  isClosed: boolean;
  stream: EventStream | null;
  /** What is under way with the server; each thing waits for the one before it. */
  work: Promise<void>;
  waiting: number;
  /** Resolved anew at each connect. */
  reached: Deferred<void>;
};

/** Events that wait for one that is being read; a CLI that sends more is asked anew instead. */
const MOST_WAITING = 5_000;
/** A resync waits this long for a server that is being connected to, in ms. */
const CONNECT_MS = 3_000;

const parseEvent = (data: string): ServerEvent | null => {
  try {
    const { type, properties } = JSON.parse(data) as { readonly type?: unknown; readonly properties?: unknown };
    if (typeof type !== "string" || typeof properties !== "object" || properties === null) return null;
    return { type, properties: properties as ServerEvent["properties"] };
  } catch {
    return null;
  }
};

export const createServerFeed = (parts: ServerFeedParts): ServerFeed => {
  const times = parts.times ?? SERVER_TIMES;
  const lines = new Map<TerminalId, Line>();

  /** Interprets one event, or (null) the state that the server tells when it is asked. Throws when it cannot be read. */
  const tell = async (line: Line, event: ServerEvent | null): Promise<void> => {
    const { terminal, door, rules } = line;
    const known = parts.known(terminal);
    const session = known.cliSession ?? door.cliSession;
    const paths = rules.reads(parts.memoryOf(terminal), event, { ...known, cliSession: session });
    const read: Record<string, unknown> = {};
    for (const [name, path] of Object.entries(paths)) read[name] = await readJson(door, path, times);
    if (line.isClosed) return;
    await parts.take(terminal, { kind: "server", event, read, known: { ...known, cliSession: session } });
  };

  /** Does it after what is under way. What fails ends the stream: the next connect asks what is the case. */
  const queue = (line: Line, event: ServerEvent | null): Promise<boolean> => {
    const { stream } = line;
    line.waiting += 1;
    const done = line.work.then(async () => {
      line.waiting -= 1;
      if (line.isClosed || stream === null || line.stream !== stream) return false;
      try {
        await tell(line, event);
        return true;
      } catch (error) {
        parts.note("a server could not be read", { terminal: line.terminal, error: messageOf(error) });
        // What waits behind it is not looked at: the state will say what came of it.
        line.stream = null;
        stream.close();
        return false;
      }
    });
    line.work = done.then(() => {});
    return done;
  };

  const hear = (line: Line, data: string): void => {
    const event = parseEvent(data);
    if (event === null || !line.rules.heeds(event.type)) return;
    if (line.waiting > MOST_WAITING) line.stream?.close();
    else void queue(line, event);
  };

  /** Resolves when the stream is over; true when the server told its state before that. */
  const connect = async (line: Line): Promise<boolean> => {
    await readJson(line.door, line.rules.health, times);
    const early: string[] = [];
    let isOpen = false;
    // The stream first: what happens while the state is read is heard after it.
    const stream = await openEvents(line.door, line.rules.events, times, (data) =>
      isOpen ? hear(line, data) : void early.push(data),
    );
    if (line.isClosed) {
      stream.close();
      return false;
    }
    line.stream = stream;
    isOpen = true;
    const first = queue(line, null);
    for (const data of early) hear(line, data);
    const isTold = await first;
    if (isTold) line.reached.resolve();
    await stream.ended;
    line.stream = null;
    line.reached = deferred<void>();
    await line.work;
    return isTold;
  };

  const follow = async (line: Line, launchedAt: number): Promise<void> => {
    let lostAt = Math.max(launchedAt + times.startMs, parts.now() + times.awayMs);
    let isLost = false;
    while (!line.isClosed) {
      let why = "the stream ended";
      try {
        if (await connect(line)) {
          isLost = false;
          lostAt = parts.now() + times.awayMs;
        }
      } catch (error) {
        why = messageOf(error);
      }
      if (line.isClosed) return;
      if (!isLost && parts.now() >= lostAt) {
        isLost = true;
        parts.note("a server cannot be reached", { terminal: line.terminal, port: line.door.port, why });
        await parts.take(line.terminal, { kind: "serverLost" }).catch(() => {});
      }
      await parts.pause(isLost ? times.retryMs * 10 : times.retryMs);
    }
  };

  const close = (terminal: TerminalId): void => {
    const line = lines.get(terminal);
    if (line === undefined) return;
    lines.delete(terminal);
    line.isClosed = true;
    line.stream?.close();
  };

  return {
    open: (terminal, door, rules, launchedAt) => {
      close(terminal);
      const line: Line = {
        terminal,
        door,
        rules,
        isClosed: false,
        stream: null,
        work: Promise.resolve(),
        waiting: 0,
        reached: deferred<void>(),
      };
      lines.set(terminal, line);
      void follow(line, launchedAt);
    },
    resync: async (terminal) => {
      const line = lines.get(terminal);
      if (line === undefined) return false;
      await Promise.race([line.reached.promise, parts.pause(CONNECT_MS)]);
      return line.stream === null ? false : queue(line, null);
    },
    close,
    stop: () => {
      for (const terminal of [...lines.keys()]) close(terminal);
    },
  };
};
