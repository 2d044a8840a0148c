/**
 * What Codex's signals mean to the bus: the Codex column of the authority table in docs/architecture.md.
 * OSC 7501 says that it is ready, works, waits and rests; the turn-end helper brings end and answer; the rollout says
 * which prompts a turn had, and how it ended where no helper was called (an interrupt, an error, an answer too long).
 * Pure. Subagents' threads change nothing; nothing here decides that the CLI exited. Source: facts/codex.md.
 */
import type { Observation } from "../bus/protocol.js";
import type { TurnEnd } from "../bus/turn.js";
import type { HookSignal, Interpretation, LogSignal, Meaning, Memory, ProgramStatusSignal, Signal } from "./adapter.js";
import { type RolloutEvent, readRollout } from "./codex-rollout.js";
import { textIn } from "./json.js";
import { type Blocked, interpretProgramStatus } from "./osc-interpret.js";

/** `prompts`: those of the thread that the helper did not tell of before. */
type Ended = { readonly turn: string; readonly text: string; readonly prompts: readonly string[] };

type CodexMemory = {
  readonly blocked: Blocked;
  /** What OSC said last of the whole; null: nothing yet. */
  readonly status: ProgramStatusSignal["state"] | null;
  /** OSC said that the prompt is up. */
  readonly ready: boolean;
  /** The main thread; null: not known yet. */
  readonly thread: string | null;
  /** The turn that runs, as the rollout says; null: none does; "unknown": it did not say yet. */
  readonly running: { readonly turn: string; readonly at: number; readonly automatic: boolean } | null | "unknown";
  /** Turns whose prompts were told, and turns whose end was. */
  readonly begun: readonly string[];
  readonly over: readonly string[];
  /** What OSC said last, that the rollout has not confirmed yet. */
  readonly awaits: "prompt" | "end" | null;
  /** The helper's report of a turn whose prompts are not known yet. */
  readonly ended: Ended | null;
  /** How many prompts the helper knew last: its list grows with the thread. */
  readonly inputs: number;
};

const EMPTY: CodexMemory = {
  blocked: null,
  status: null,
  ready: false,
  thread: null,
  running: "unknown",
  begun: [],
  over: [],
  awaits: null,
  ended: null,
  inputs: 0,
};

const KEEP = 50;
const remember = (list: readonly string[], id: string): readonly string[] =>
  list.includes(id) ? list : [...list, id].slice(-KEEP);

/** Another main thread: the person began a new session, or went to an older one. */
const moveTo = (memory: CodexMemory, thread: string): Meaning<CodexMemory> => {
  if (memory.thread === thread) return { memory, observations: [] };
  return {
    memory: { ...memory, thread, running: "unknown", inputs: 0 },
    observations: [{ kind: "ready", cliSession: thread, cleared: memory.thread !== null }],
  };
};

type Told = { readonly turn: string; readonly at?: number; readonly automatic: boolean };

const start = (memory: CodexMemory, { turn, at, automatic }: Told, prompt: string): Meaning<CodexMemory> => ({
  memory: { ...memory, begun: remember(memory.begun, turn) },
  observations: [
    { kind: "turnStarted", cliTurn: turn, prompt: prompt.trim(), automatic, ...(at === undefined ? {} : { at }) },
  ],
});

const stop = (memory: CodexMemory, turn: string, end: TurnEnd): Meaning<CodexMemory> => ({
  memory: { ...memory, over: remember(memory.over, turn), ended: memory.ended?.turn === turn ? null : memory.ended },
  observations: [{ kind: "turnStopped", cliTurn: turn, end, subagentsRunning: false }],
});

const newPrompts = (memory: CodexMemory, payload: HookSignal["payload"]): readonly string[] => {
  const all: readonly unknown[] = Array.isArray(payload["input-messages"]) ? payload["input-messages"] : [];
  const isLonger = memory.inputs > 0 && all.length > memory.inputs;
  const fresh = isLonger ? all.slice(memory.inputs) : all.slice(-1);
  return fresh.filter((prompt): prompt is string => typeof prompt === "string");
};

const countOf = (payload: HookSignal["payload"]): number =>
  Array.isArray(payload["input-messages"]) ? payload["input-messages"].length : 0;

const onTurnEnd = (memory: CodexMemory, { payload }: HookSignal): Interpretation => {
  const thread = textIn(payload, "thread-id");
  const turn = textIn(payload, "turn-id");
  // Only the thread that a person sits at names its client; a subagent's does not.
  const isMain = thread !== "" && (thread === memory.thread || textIn(payload, "client") !== "");
  if (textIn(payload, "type") !== "agent-turn-complete" || turn === "" || !isMain) return { memory, observations: [] };
  const moved = moveTo(memory, thread);
  const text = textIn(payload, "last-assistant-message");
  const now = { ...moved.memory, inputs: countOf(payload) };
  if (now.over.includes(turn)) {
    const again = stop(now, turn, { kind: "answered", text });
    return { memory: again.memory, observations: [...moved.observations, ...again.observations] };
  }
  return {
    memory: { ...now, ended: { turn, text, prompts: newPrompts(moved.memory, payload) } },
    // It is heard at once; which prompts were this turn's is read from the rollout before its end is told.
    observations: [...moved.observations, { kind: "turnContinued", cliTurn: null }],
    readLog: true,
  };
};

/** Which line of the rollout a change of the status should bring. */
const awaitedAt = (memory: CodexMemory, now: ProgramStatusSignal["state"]): CodexMemory["awaits"] => {
  const wasBusy = memory.status === "working" || memory.status === "blocked";
  if (now === "working") return wasBusy ? memory.awaits : "prompt";
  const rests = now === "idle" || now === "done" || now === "error";
  return rests && (wasBusy || (memory.status === null && memory.ready)) ? "end" : memory.awaits;
};

const onStatus = (memory: CodexMemory, signal: ProgramStatusSignal): Interpretation => {
  const { blocked, observations } = interpretProgramStatus(memory.blocked, signal);
  if (signal.id !== "") return { memory: { ...memory, blocked }, observations };
  const isReady = signal.state === "idle" && !memory.ready;
  const awaits = awaitedAt(memory, signal.state);
  return {
    memory: { ...memory, blocked, status: signal.state, ready: memory.ready || isReady, awaits },
    observations: isReady ? [{ kind: "ready", cliSession: null, cleared: false }, ...observations] : observations,
    readLog: awaits !== null && awaits !== memory.awaits,
  };
};

const take = (memory: CodexMemory, event: RolloutEvent): Meaning<CodexMemory> => {
  const running = memory.running === "unknown" ? null : memory.running;
  switch (event.kind) {
    case "began":
      return { memory: { ...memory, running: event }, observations: [] };
    case "prompted": {
      if (running === null || (event.turn !== null && event.turn !== running.turn)) return { memory, observations: [] };
      const told = start(memory, { ...running, at: event.at }, event.text);
      return { ...told, memory: { ...told.memory, awaits: memory.awaits === "prompt" ? null : memory.awaits } };
    }
    case "over": {
      const turn = event.turn ?? running?.turn ?? null;
      const rested: CodexMemory = { ...memory, running: null, awaits: null };
      if (turn === null) return { memory: rested, observations: [] };
      // A turn without a prompt: a command of the CLI's own.
      const isUntold = running !== null && running.turn === turn && !memory.begun.includes(turn);
      const begun = isUntold ? start(rested, running, "") : { memory: rested, observations: [] };
      const over = stop(begun.memory, turn, event.end);
      return { memory: over.memory, observations: [...begun.observations, ...over.observations] };
    }
  }
};

/** Turns that were over by then are known, or older than the terminal: their prompts would say nothing new. */
const after = (events: readonly RolloutEvent[], since: number): readonly RolloutEvent[] =>
  events.slice(events.findLastIndex((event) => event.kind === "over" && event.at <= since) + 1);

/** The end that the helper told of, once the prompts of its turn are known or cannot be. */
const tellEnd = (memory: CodexMemory, isLast: boolean): Meaning<CodexMemory> => {
  const { ended } = memory;
  if (ended === null) return { memory, observations: [] };
  const isKnown = memory.begun.includes(ended.turn);
  if (!isKnown && !isLast) return { memory, observations: [] };
  let now = memory;
  const observations: Observation[] = [];
  // A prompt whose turn was interrupted may be among them: then ours counts as joined, and gets no answer of another's.
  for (const prompt of isKnown ? [] : ended.prompts) {
    const told = start(now, { turn: ended.turn, automatic: false }, prompt);
    now = told.memory;
    observations.push(...told.observations);
  }
  const over = stop(now, ended.turn, { kind: "answered", text: ended.text });
  return { memory: over.memory, observations: [...observations, ...over.observations] };
};

/** What it does now, for a bus that asks: it holds an end that OSC alone tells of against this. */
const tellStatus = (memory: CodexMemory, session: string | null): readonly Observation[] => {
  if (session === null || memory.running === "unknown") return [{ kind: "resyncFailed" }];
  return [{ kind: "registryStatus", state: memory.running === null ? "idle" : "busy", text: "", lastEnd: null }];
};

const onLog = (memory: CodexMemory, signal: LogSignal): Interpretation => {
  const { session, isLast } = signal;
  const moved: Meaning<CodexMemory> = session === null ? { memory, observations: [] } : moveTo(memory, session);
  const events = readRollout(signal.entries);
  const fresh = after(events, signal.since);
  let now: CodexMemory = fresh.length < events.length ? { ...moved.memory, running: null } : moved.memory;
  const observations: Observation[] = [...moved.observations];
  for (const event of fresh) {
    const taken = take(now, event);
    now = taken.memory;
    observations.push(...taken.observations);
  }
  const told = tellEnd(now, isLast);
  return {
    memory: isLast ? { ...told.memory, awaits: null } : told.memory,
    observations: [...observations, ...told.observations, ...(signal.asked ? tellStatus(told.memory, session) : [])],
    readLog: !isLast && (told.memory.awaits !== null || told.memory.ended !== null),
  };
};

export const interpretCodex = (memory: Memory, signal: Signal): Interpretation => {
  const known: CodexMemory = { ...EMPTY, ...memory };
  switch (signal.kind) {
    case "hook":
      return signal.event === "TurnEnd" ? onTurnEnd(known, signal) : { memory, observations: [] };
    case "programStatus":
      return onStatus(known, signal);
    case "log":
      return onLog(known, signal);
    case "registry":
    case "server":
    case "serverLost":
      return { memory, observations: [] };
    case "gap":
      return { memory: { ...known, status: null }, observations: [{ kind: "programStatusLost" }] };
  }
};
