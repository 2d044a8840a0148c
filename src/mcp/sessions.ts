/**
 * The MCP sessions of this bridge: whose each is (a terminal's, or an account key's), how a new one begins, and how one from before our
 * restart is taken up again. Nothing of the bus hangs on a session; dropping one costs its client nothing.
 */
import { randomUUID } from "node:crypto";
import type { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { terminalId } from "../bus/ids.js";
import type { CallerDirectory, EngineClient } from "../engine/client.js";
import type { KeyHolder, MailboxDoor } from "../mailbox/rules/door.js";
import type { ToolContext } from "./call.js";
import type { MailboxContext } from "./tools/mailbox.js";

/** A session without an open response and without a request for this long is dropped; its id is adopted if it comes back. */
export const SESSION_IDLE_MS = 30 * 60_000;
/** Sessions of one terminal; beyond that the one idle for longest goes. A CLI opens one, and one per restart of its own. */
export const SESSIONS_PER_TERMINAL = 32;
/** Of one account key, which many clients may share. */
export const SESSIONS_PER_KEY = 1_000;

/** Who a token stands for at the tool server. */
export type Principal = { readonly kind: "terminal"; readonly id: string } | ({ readonly kind: "key" } & KeyHolder);

/** One text per principal: for sessions, and for what a token may ask. */
export const ownerOf = (principal: Principal): string =>
  principal.kind === "terminal" ? `terminal ${principal.id}` : `key ${principal.key}`;

export type Session = {
  readonly id: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
};

/** `mark` tells two sessions apart that bear the same id one after the other. */
type Mark = { readonly id: string };
type Entry = {
  readonly owner: string;
  readonly mark: Mark;
  readonly session: Promise<Session>;
  open: number;
  lastUsed: number;
};

export type Sessions = {
  /** Loads what the first session needs. */
  warmUp(): Promise<void>;
  /** A fresh session that its first request (initialize) opens. */
  create(principal: Principal): Promise<Session>;
  /**
   * The session of this id, adopted when nobody has it. `notYours`: it belongs to somebody else, or is no id that a
   * server gives out.
   */
  find(id: string, principal: Principal, protocolVersion: string | null): Promise<Session | "notYours">;
  has(id: string, principal: Principal): boolean;
  /** Counts an open response of a session; the result ends the count. */
  hold(id: string): () => void;
  drop(id: string): Promise<void>;
  close(): Promise<void>;
};

export type SessionOptions = {
  readonly client: EngineClient;
  readonly mailbox: MailboxDoor;
  readonly answered: CallerDirectory["answered"];
  readonly version: string;
  readonly progressEveryMs: number;
  readonly keepAliveMs: number;
  readonly idleMs: number;
  readonly onFault: (error: Error) => void;
};

const SESSION_ID = /^[\x21-\x7e]{1,128}$/;

/** The protocol's library is a third of what an engine loads: it comes when it is needed, or once the start is over. */
const loadProtocol = () => import("./open-session.js");

export const createSessions = (options: SessionOptions): Sessions => {
  const entries = new Map<string, Entry>();

  const forget = (mark: Mark): void => {
    if (entries.get(mark.id)?.mark === mark) entries.delete(mark.id);
  };

  const busOf = (principal: Principal): ToolContext | null =>
    principal.kind === "key"
      ? null
      : {
          client: options.client,
          caller: { kind: "terminal", id: terminalId(principal.id) },
          answered: options.answered,
          progressEveryMs: options.progressEveryMs,
        };
  const mailboxOf = (principal: Principal, connection: string): MailboxContext => ({
    door: options.mailbox,
    caller:
      principal.kind === "key"
        ? { account: principal.account, terminal: null, connection }
        : { account: options.mailbox.machine, terminal: principal.id, connection },
    progressEveryMs: options.progressEveryMs,
  });

  const open = async (mark: Mark, principal: Principal): Promise<Session> => {
    const { id } = mark;
    const { openSession } = await loadProtocol();
    const transport = await openSession(busOf(principal), mailboxOf(principal, id), {
      id,
      version: options.version,
      keepAliveMs: options.keepAliveMs,
      onFault: options.onFault,
      onClose: () => forget(mark),
    });
    return { id, transport };
  };

  const drop = async (id: string): Promise<void> => {
    const entry = entries.get(id);
    entries.delete(id);
    if (entry === undefined) return;
    await entry.session.then(
      ({ transport }) => transport.close(),
      () => undefined,
    );
  };

  const enter = (id: string, principal: Principal, make: (mark: Mark) => Promise<Session>): Promise<Session> => {
    const owner = ownerOf(principal);
    const own = [...entries].filter(([, entry]) => entry.owner === owner);
    if (own.length >= (principal.kind === "key" ? SESSIONS_PER_KEY : SESSIONS_PER_TERMINAL)) {
      const [oldest] = own.sort(([, a], [, b]) => a.open - b.open || a.lastUsed - b.lastUsed);
      if (oldest !== undefined) void drop(oldest[0]);
    }
    const mark = { id };
    const session = make(mark);
    entries.set(id, { owner, mark, session, open: 0, lastUsed: Date.now() });
    session.catch(() => forget(mark));
    return session;
  };

  const sweep = setInterval(
    () => {
      const stale = Date.now() - options.idleMs;
      for (const [id, entry] of entries) if (entry.open === 0 && entry.lastUsed <= stale) void drop(id);
    },
    Math.min(options.idleMs, 60_000),
  );
  sweep.unref();

  return {
    warmUp: async () => {
      await loadProtocol();
    },
    create: (principal) => {
      const id = randomUUID();
      return enter(id, principal, (mark) => open(mark, principal));
    },
    find: async (id, principal, protocolVersion) => {
      const known = entries.get(id);
      if (known !== undefined) {
        if (known.owner !== ownerOf(principal)) return "notYours";
        known.lastUsed = Date.now();
        return known.session;
      }
      if (!SESSION_ID.test(id)) return "notYours";
      return enter(id, principal, async (mark) => {
        const session = await open(mark, principal);
        await (await loadProtocol()).initialise(session.transport, protocolVersion);
        return session;
      });
    },
    has: (id, principal) => entries.get(id)?.owner === ownerOf(principal),
    hold: (id) => {
      const entry = entries.get(id);
      if (entry === undefined) return () => undefined;
      entry.open += 1;
      return () => {
        entry.open -= 1;
        entry.lastUsed = Date.now();
      };
    },
    drop,
    close: async () => {
      clearInterval(sweep);
      await Promise.all([...entries.keys()].map(drop));
    },
  };
};
