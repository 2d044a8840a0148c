/** Agents and their sessions in the store: registration, activity, lists. Rules are in ../rules; each query names its account. */
import type { Database, Row } from "../../store/database.js";
import type { MailboxCaller } from "../rules/calls.js";
import type { CleanRegister } from "../rules/fields.js";
import { RECENT_SESSIONS } from "../rules/limits.js";
import type { AgentRecord, SessionRecord } from "../rules/records.js";
import { madeId } from "./made-ids.js";

/** A row's number, never told to anybody, beside its record. */
export type StoredAgent = { readonly seq: number; readonly agent: AgentRecord };
export type StoredSession = { readonly seq: number; readonly session: SessionRecord };

export const textOrNull = (value: unknown): string | null => (value === null ? null : String(value));
export const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));

const readAgent = (row: Row): StoredAgent => ({
  seq: Number(row.seq),
  agent: {
    id: String(row.id),
    name: String(row.name),
    description: textOrNull(row.description),
    kind: textOrNull(row.kind),
    registeredAt: Number(row.registered_at),
    activeAt: Number(row.active_at),
    unread: Number(row.unread),
    sessions: Number(row.sessions),
    terminal: textOrNull(row.terminal),
  },
});

const readSession = (row: Row): StoredSession => ({
  seq: Number(row.seq),
  session: {
    id: String(row.id),
    label: textOrNull(row.label),
    startedAt: Number(row.started_at),
    activeAt: Number(row.active_at),
  },
});

/** Under what a caller's registration is remembered: its MCP session, and its terminal for the time after a restart. */
const holdersOf = ({ account, connection, terminal }: MailboxCaller): readonly string[] => [
  ...(connection === null ? [] : [`${account} connection ${connection}`]),
  ...(terminal === null ? [] : [`${account} terminal ${terminal}`]),
];

export type Agents = ReturnType<typeof openAgents>;

export const openAgents = (database: Database) => {
  const byId = database.prepare("SELECT * FROM agent WHERE account = ? AND id = ?");
  const byName = database.prepare("SELECT * FROM agent WHERE account = ? AND name = ?");
  const bySeq = database.prepare("SELECT * FROM agent WHERE seq = ?");
  const all = database.prepare("SELECT * FROM agent WHERE account = ? ORDER BY active_at DESC, seq DESC");
  const insert = database.prepare(
    "INSERT INTO agent (id, account, name, registered_at, active_at) VALUES (?, ?, ?, ?, ?) RETURNING *",
  );
  const describe = database.prepare(
    "UPDATE agent SET description = coalesce(?, description), kind = coalesce(?, kind), terminal = ? WHERE seq = ?",
  );
  const sessionOf = database.prepare("SELECT * FROM session WHERE agent = ? AND id = ?");
  const recent = database.prepare("SELECT * FROM session WHERE agent = ? ORDER BY active_at DESC, seq DESC LIMIT ?");
  const begin = database.prepare(
    "INSERT INTO session (id, agent, label, started_at, active_at) VALUES (?, ?, ?, ?, ?) RETURNING *",
  );
  const countSession = database.prepare("UPDATE agent SET sessions = sessions + 1 WHERE seq = ?");
  const relabel = database.prepare("UPDATE session SET label = coalesce(?, label) WHERE seq = ?");
  const bind = database.prepare(
    "INSERT OR REPLACE INTO binding (holder, agent, session, bound_at) VALUES (?, ?, ?, ?)",
  );
  const bound = database.prepare("SELECT agent, session FROM binding WHERE holder = ?");
  const stampAgent = database.prepare("UPDATE agent SET active_at = max(active_at, ?) WHERE seq = ?");
  const stampSession = database.prepare("UPDATE session SET active_at = max(active_at, ?) WHERE seq = ?");

  const readOne = (row: Row | null): StoredAgent | null => (row === null ? null : readAgent(row));
  const boundOf = (caller: MailboxCaller): { readonly agent: number; readonly session: number } | null => {
    for (const holder of holdersOf(caller)) {
      const row = bound.get(holder);
      if (row !== null) return { agent: Number(row.agent), session: Number(row.session) };
    }
    return null;
  };

  return {
    find: (account: string, id: string): StoredAgent | null => readOne(byId.get(account, id)),
    named: (account: string, name: string): StoredAgent | null => readOne(byName.get(account, name)),
    /** Most recently active first. */
    list: (account: string): readonly StoredAgent[] => all.all(account).map(readAgent),
    again: (seq: number): AgentRecord => readAgent(bySeq.get(seq)!).agent,
    /** The agent that was registered on this connection, or from this terminal. */
    registeredBy: (caller: MailboxCaller): StoredAgent | null => {
      const found = boundOf(caller);
      return found === null ? null : readOne(bySeq.get(found.agent));
    },
    sessionOf: (agent: StoredAgent, id: string): StoredSession | null => {
      const row = sessionOf.get(agent.seq, id);
      return row === null ? null : readSession(row);
    },
    recentSessions: (agent: StoredAgent): readonly SessionRecord[] =>
      recent.all(agent.seq, RECENT_SESSIONS).map((row) => readSession(row).session),

    /** The agent of this name, made when there is none; what was left out keeps its value (DECISIONS B25). */
    enter: (caller: MailboxCaller, call: CleanRegister, now: number): StoredAgent => {
      const known =
        readOne(byName.get(caller.account, call.name)) ??
        readAgent(insert.get(madeId("agt", now), caller.account, call.name, now, now)!);
      describe.run(call.description, call.kind, caller.terminal, known.seq);
      return known;
    },
    /** A new session, or the resumed one with its new label. */
    openSession: (
      agent: StoredAgent,
      resumed: StoredSession | null,
      label: string | null,
      now: number,
    ): StoredSession => {
      if (resumed !== null) {
        relabel.run(label, resumed.seq);
        return { ...resumed, session: { ...resumed.session, label: label ?? resumed.session.label } };
      }
      countSession.run(agent.seq);
      return readSession(begin.get(madeId("ses", now), agent.seq, label, now, now)!);
    },
    bind: (caller: MailboxCaller, agent: StoredAgent, session: StoredSession, now: number): void => {
      for (const holder of holdersOf(caller)) bind.run(holder, agent.seq, session.seq, now);
    },
    /** Every mailbox call stamps its agent, and the session that this connection has of it. */
    stamp: (caller: MailboxCaller, agent: StoredAgent, now: number): void => {
      stampAgent.run(now, agent.seq);
      const found = boundOf(caller);
      if (found?.agent === agent.seq) stampSession.run(now, found.session);
    },
  };
};
