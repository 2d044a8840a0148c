/**
 * OpenCode's server as the adapter meets it: recorded events go in, each first into the messages that the server then
 * lists, and the observations that come of them are given back. What the server would be asked, it answers.
 */
import { readFileSync } from "node:fs";
import type { KnownTurns, Memory, ServerEvent } from "../../src/adapters/adapter.js";
import { heeds, interpretOpencode, readsOf } from "../../src/adapters/opencode-interpret.js";
import type { Observation } from "../../src/bus/protocol.js";

type Json = Readonly<Record<string, unknown>>;

export const recordedEvents = (name: string): readonly ServerEvent[] =>
  readFileSync(new URL(`../fixtures/server/${name}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as ServerEvent);

/** Nothing is known of the terminal yet. */
export const UNKNOWN: KnownTurns = { cliSession: null, turns: [], since: 0 };

export type OpencodeServer = {
  /** These happen, and the adapter is told of each. */
  play(events: readonly ServerEvent[]): readonly Observation[];
  /** These happen, and nobody is told. */
  miss(events: readonly ServerEvent[]): void;
  /** The adapter asks for the state, with this much known and nothing remembered. */
  resync(known: KnownTurns): readonly Observation[];
  /** What was asked for, in order. */
  readonly asked: readonly string[];
};

export const opencodeServer = (): OpencodeServer => {
  const sessions = new Map<string, Json>();
  const messages = new Map<string, { info: Json; parts: Map<string, Json> }>();
  const status = new Map<string, unknown>();
  const requests = new Map<string, Json>();
  const asked: string[] = [];
  let memory: Memory = {};

  const happen = ({ type, properties }: ServerEvent): void => {
    const info = (properties.info ?? {}) as Json;
    const part = (properties.part ?? {}) as Json;
    const session = String(properties.sessionID);
    const requestID = String(properties.requestID);
    if (type === "session.created") sessions.set(String(info.id), info);
    if (type === "message.updated") {
      const known = messages.get(String(info.id));
      messages.set(String(info.id), { info, parts: known?.parts ?? new Map() });
    }
    if (type === "message.part.updated") messages.get(String(part.messageID))?.parts.set(String(part.id), part);
    if (type === "session.status") {
      const now = (properties.status ?? {}) as Json;
      if (now.type === "idle") status.delete(session);
      else status.set(session, now);
    }
    if (type.endsWith(".asked")) requests.set(String(properties.id), properties);
    if (/\.(replied|rejected)$/.test(type)) requests.delete(requestID);
  };

  const answer = (path: string): unknown => {
    asked.push(path);
    if (path === "/session/status") return Object.fromEntries(status);
    if (path === "/permission") return [...requests.values()].filter((one) => one.questions === undefined);
    if (path === "/question") return [...requests.values()].filter((one) => one.questions !== undefined);
    const [, session, list] = /^\/session\/(\w+)(\/message\?limit=\d+)?$/.exec(path) ?? [];
    if (list === undefined) return sessions.get(session ?? "") ?? null;
    return [...messages.values()]
      .filter(({ info }) => info.sessionID === session)
      .map(({ info, parts }) => ({ info, parts: [...parts.values()] }));
  };

  const tell = (event: ServerEvent | null, known: KnownTurns): readonly Observation[] => {
    const paths = Object.entries(readsOf(memory, event, known));
    const read = Object.fromEntries(paths.map(([name, path]) => [name, answer(path)]));
    const meaning = interpretOpencode(memory, { kind: "server", event, read, known });
    memory = meaning.memory;
    return meaning.observations;
  };

  return {
    asked,
    play: (events) =>
      events.flatMap((event) => {
        happen(event);
        return heeds(event.type) ? tell(event, UNKNOWN) : [];
      }),
    miss: (events) => events.forEach(happen),
    resync: (known) => {
      memory = {};
      return tell(null, known);
    },
  };
};
