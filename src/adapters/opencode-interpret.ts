/**
 * What the events of OpenCode's server mean to the bus: the OpenCode column of the authority table in
 * docs/architecture.md. A turn is one prompt of the main session with the replies that name it as their parent; a
 * subagent's session begins and ends none. Pure. Source: facts/opencode.md sections 4 and 5.
 */
import type { Observation } from "../bus/protocol.js";
import type { TurnEnd } from "../bus/turn.js";
import type { Interpretation, Meaning, Memory, ServerEvent, ServerSignal, Signal } from "./adapter.js";
import { type Json, jsonIn, textIn } from "./json.js";
import { asked, replied } from "./opencode-asking.js";
import { keep, type OpencodeMemory, promptTextOf, remembered } from "./opencode-memory.js";
import { endOf, failureOf, isOwnText, readMessages } from "./opencode-messages.js";
import { resyncOpencode } from "./opencode-resync.js";
import { endLeftovers, takeTool } from "./opencode-tools.js";

const nothing = (memory: OpencodeMemory): Meaning<OpencodeMemory> => ({ memory, observations: [] });

/** One meaning after the other. */
const then = (
  first: Meaning<OpencodeMemory>,
  next: (memory: OpencodeMemory) => Meaning<OpencodeMemory>,
): Meaning<OpencodeMemory> => {
  const second = next(first.memory);
  return { memory: second.memory, observations: [...first.observations, ...second.observations] };
};

const isChild = (memory: OpencodeMemory, session: string, read: ServerSignal["read"]): boolean =>
  memory.children.includes(session) || textIn(jsonIn(read, "session"), "parentID") !== "";

/** The session is the main one from now on: what a person or Quay prompts is what the terminal shows. */
const enterSession = (memory: OpencodeMemory, session: string): Meaning<OpencodeMemory> => {
  if (memory.session === session) return nothing(memory);
  const cleared = memory.session !== null;
  return {
    memory: { ...memory, session, pending: [], joined: [], turn: null, failure: null },
    observations: [{ kind: "ready", cliSession: session, cleared }],
  };
};

const startTurn = (memory: OpencodeMemory, id: string, text: string): Meaning<OpencodeMemory> => {
  const started: Observation = { kind: "turnStarted", cliTurn: id, prompt: text, automatic: text.trim() === "" };
  // A prompt that came during the last turn gets one of its own now; of several, nobody can say whose it is.
  const isMoved = memory.joined.length === 1 && memory.joined[0] === id;
  const at = memory.pending.findIndex((prompt) => prompt.id === id);
  return {
    memory: {
      ...memory,
      turn: [id],
      failure: null,
      joined: [],
      pending: memory.pending.slice(at + 1),
      // Those before it were read together with it, and get no reply of their own.
      done: keep(memory.done, [...memory.pending.slice(0, Math.max(at, 0)).map((prompt) => prompt.id), id]),
    },
    observations: isMoved ? [{ kind: "turnContinued", cliTurn: id }, started] : [started],
  };
};

const stopTurn = (memory: OpencodeMemory, end: TurnEnd): Meaning<OpencodeMemory> => {
  const [cliTurn] = memory.turn ?? [];
  if (cliTurn === undefined) return nothing(memory);
  const stopped: Observation = { kind: "turnStopped", cliTurn, end, subagentsRunning: false };
  return then(endLeftovers({ ...memory, turn: null, failure: null }), (tidy) => ({
    memory: tidy,
    observations: [stopped],
  }));
};

const endNow = (memory: OpencodeMemory, read: ServerSignal["read"]): TurnEnd =>
  endOf(readMessages(read.messages), memory.turn ?? [], memory.failure);

const onPrompt = (memory: OpencodeMemory, info: Json, read: ServerSignal["read"]): Meaning<OpencodeMemory> => {
  const session = textIn(info, "sessionID");
  const id = textIn(info, "id");
  const isKnown = memory.done.includes(id) || memory.pending.some((prompt) => prompt.id === id);
  if (isKnown || isChild(memory, session, read)) return nothing(memory);
  // The server could not say whose session it is: a subagent's prompt must not become the terminal's.
  if (session !== memory.session && read.session == null) return nothing(memory);
  return then(enterSession(memory, session), (now) =>
    nothing({ ...now, pending: keep(now.pending, [{ id, texts: {} }]) }),
  );
};

const onReply = (memory: OpencodeMemory, info: Json, read: ServerSignal["read"]): Meaning<OpencodeMemory> => {
  const session = textIn(info, "sessionID");
  const parent = textIn(info, "parentID");
  if (parent === "" || isChild(memory, session, read)) return nothing(memory);
  if (memory.session !== null && memory.session !== session) return nothing(memory);
  if (memory.turn?.includes(parent) || memory.done.includes(parent)) return nothing(memory);
  return then(enterSession(memory, session), (now) => {
    const seen = now.pending.find((prompt) => prompt.id === parent);
    const listed = readMessages(read.messages).find((message) => message.id === parent);
    const text = seen === undefined ? (listed?.text ?? "") : promptTextOf(seen);
    if (now.turn !== null && text.trim() === "") {
      const pending = now.pending.filter((prompt) => prompt.id !== parent);
      return nothing({ ...now, turn: [...now.turn, parent], pending, done: keep(now.done, [parent]) });
    }
    return then(stopTurn(now, endNow(now, read)), (idle) => startTurn({ ...idle, joined: now.joined }, parent, text));
  });
};

const onText = (memory: OpencodeMemory, part: Json): Meaning<OpencodeMemory> => {
  const id = textIn(part, "messageID");
  const prompt = memory.pending.find((seen) => seen.id === id);
  if (prompt === undefined || !isOwnText(part)) return nothing(memory);
  const texts = { ...prompt.texts, [textIn(part, "id")]: textIn(part, "text") };
  const pending = memory.pending.map((seen) => (seen.id === id ? { id, texts } : seen));
  const now = { ...memory, pending };
  const [cliTurn] = memory.turn ?? [];
  if (cliTurn === undefined || memory.joined.includes(id)) return nothing(now);
  const text = promptTextOf({ id, texts });
  return {
    memory: { ...now, joined: [...memory.joined, id] },
    observations: [{ kind: "turnStarted", cliTurn, prompt: text, automatic: false }],
  };
};

/** Busy alone begins the turn of the one prompt that waits: its first reply may be long in coming. */
const onStatus = (memory: OpencodeMemory, properties: Json): Meaning<OpencodeMemory> => {
  const isBusy = textIn(jsonIn(properties, "status"), "type") === "busy";
  const [prompt, another] = memory.pending;
  const isOurs = textIn(properties, "sessionID") === memory.session;
  if (!isBusy || !isOurs || memory.turn !== null || prompt === undefined || another !== undefined)
    return nothing(memory);
  const text = promptTextOf(prompt);
  return text === "" ? nothing(memory) : startTurn(memory, prompt.id, text);
};

const onIdle = (memory: OpencodeMemory, properties: Json, read: ServerSignal["read"]): Meaning<OpencodeMemory> => {
  if (textIn(properties, "sessionID") !== memory.session || memory.turn === null) return nothing(memory);
  return stopTurn({ ...memory, joined: [] }, endNow(memory, read));
};

const onError = (memory: OpencodeMemory, properties: Json): Meaning<OpencodeMemory> => {
  const session = textIn(properties, "sessionID");
  if (session !== "" && session !== memory.session) return nothing(memory);
  return nothing({ ...memory, failure: failureOf(jsonIn(properties, "error")) });
};

const onSession = (memory: OpencodeMemory, info: Json): Meaning<OpencodeMemory> => {
  const id = textIn(info, "id");
  if (textIn(info, "parentID") === "" || memory.children.includes(id)) return nothing(memory);
  return nothing({ ...memory, children: keep(memory.children, [id]) });
};

const onPart = (memory: OpencodeMemory, part: Json): Meaning<OpencodeMemory> => {
  if (textIn(part, "sessionID") !== memory.session) return nothing(memory);
  return part.type === "tool" ? takeTool(memory, part) : onText(memory, part);
};

const HANDLERS: Readonly<
  Record<string, (memory: OpencodeMemory, properties: Json, read: ServerSignal["read"]) => Meaning<OpencodeMemory>>
> = {
  "session.created": (memory, properties) => onSession(memory, jsonIn(properties, "info")),
  "message.updated": (memory, properties, read) => {
    const info = jsonIn(properties, "info");
    return info.role === "user" ? onPrompt(memory, info, read) : onReply(memory, info, read);
  },
  "message.part.updated": (memory, properties) => onPart(memory, jsonIn(properties, "part")),
  "session.status": onStatus,
  "session.idle": onIdle,
  "session.error": onError,
  "permission.asked": asked,
  "question.asked": asked,
  "permission.replied": replied,
  "question.replied": replied,
  "question.rejected": replied,
};

export const heeds = (type: string): boolean => Object.hasOwn(HANDLERS, type);

/** Replies at a turn's end: its last steps. After a gap, the turns that came and went meanwhile. */
const LAST = 20;
const LATEST = 100;

const messagesOf = (session: string, limit: number): string => `/session/${session}/message?limit=${limit}`;

const isId = (id: string): boolean => /^\w+$/.test(id);

/** What has to be read before an event can be understood. Source: facts/opencode.md section 4. */
export const readsOf = (
  memory: Memory,
  event: ServerEvent | null,
  known: ServerSignal["known"],
): Readonly<Record<string, string>> => {
  const now = remembered(memory);
  if (event === null) {
    const session = known.cliSession;
    return {
      status: "/session/status",
      permissions: "/permission",
      questions: "/question",
      ...(session !== null && isId(session) ? { messages: messagesOf(session, LATEST) } : {}),
    };
  }
  const info = jsonIn(event.properties, "info");
  const session = textIn(info, "sessionID") || textIn(event.properties, "sessionID");
  if (!isId(session) || now.children.includes(session)) return {};
  if (event.type === "session.idle")
    return session === now.session && now.turn !== null ? { messages: messagesOf(session, LAST) } : {};
  if (event.type !== "message.updated") return {};
  const whose = session === now.session ? {} : { session: `/session/${session}` };
  if (info.role === "user") return whose;
  const parent = textIn(info, "parentID");
  const isNew = !now.done.includes(parent) && (now.session === null || now.session === session);
  return isNew ? { ...whose, messages: messagesOf(session, LAST) } : {};
};

export const interpretOpencode = (memory: Memory, signal: Signal): Interpretation => {
  if (signal.kind === "serverLost") return { memory, observations: [{ kind: "reporterLost" }] };
  if (signal.kind !== "server") return { memory, observations: [] };
  if (signal.event === null) return resyncOpencode(signal);
  return (
    HANDLERS[signal.event.type]?.(remembered(memory), signal.event.properties, signal.read) ??
    nothing(remembered(memory))
  );
};
