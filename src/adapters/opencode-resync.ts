/**
 * What OpenCode's server says when it is asked: after a connect, a gap, or a long silence. What the bus knows of the
 * terminal's turns is held against the session's messages; what came and went meanwhile is told as if it had been seen.
 * Pure. Source: the row "after a gap" of the authority table in docs/architecture.md.
 */
import type { Observation } from "../bus/protocol.js";
import type { Meaning, ServerSignal } from "./adapter.js";
import { isJson, listOf } from "./json.js";
import { askingOf, raised } from "./opencode-asking.js";
import { EMPTY, keep, type OpencodeMemory } from "./opencode-memory.js";
import { endOf, groupOf, isAutomatic, lastReply, type Message, readMessages } from "./opencode-messages.js";

/** Prompts that the bus was not told of: those behind the last one it knows; when it knows none, this terminal's own. */
const unseen = (prompts: readonly Message[], { turns, since }: ServerSignal["known"]): readonly Message[] => {
  const last = prompts.findLastIndex((prompt) => turns.some((turn) => turn.id === prompt.id));
  return last >= 0 ? prompts.slice(last + 1) : prompts.filter((prompt) => prompt.createdAt >= since);
};

/** The prompt that the session works on; null when it rests, or when that cannot be said. */
const running = (messages: readonly Message[], prompts: readonly Message[], isBusy: boolean): Message | null => {
  if (!isBusy) return null;
  const reply = messages.findLast((message) => message.role === "assistant" && !message.isSummary);
  const answered = prompts.findLastIndex((prompt) => groupOf(messages, prompt.id).includes(reply?.parent ?? ""));
  const isUnderWay = reply !== undefined && (!reply.isDone || reply.finish === "tool-calls");
  return prompts[isUnderWay ? answered : answered + 1] ?? prompts[answered] ?? null;
};

const stopped = (messages: readonly Message[], id: string): Observation => ({
  kind: "turnStopped",
  cliTurn: id,
  end: endOf(messages, groupOf(messages, id), null),
  subagentsRunning: false,
});

export const resyncOpencode = (signal: ServerSignal): Meaning<OpencodeMemory> => {
  const { known, read } = signal;
  const session = known.cliSession;
  const messages = readMessages(read.messages);
  const prompts = messages.filter((message) => message.role === "user" && !isAutomatic(message));
  const isBusy = session !== null && isJson(read.status) && session in read.status;
  const now = running(messages, prompts, isBusy);
  const nowAt = now === null ? prompts.length : prompts.indexOf(now);
  const observations: Observation[] = [
    session === null ? { kind: "reporterHeard" } : { kind: "ready", cliSession: session, cleared: false },
  ];

  for (const { id, end } of known.turns.toReversed()) {
    const isOver = id !== now?.id;
    // An end that could not be seen is told late; one that was seen stays as it is.
    const wasLost = end === "lost" && lastReply(messages, groupOf(messages, id)) !== undefined;
    // A turn that began so far back that its prompt is not listed any more still runs in a busy session.
    const isOutOfSight = isBusy && now === null;
    if (isOver && !isOutOfSight && (end === "open" || wasLost)) observations.push(stopped(messages, id));
    if (!isOver && end !== "open") observations.push({ kind: "turnContinued", cliTurn: id });
  }

  const fresh = unseen(prompts, known);
  for (const prompt of fresh) {
    const at = prompts.indexOf(prompt);
    if (at > nowAt) continue;
    observations.push({ kind: "turnStarted", cliTurn: prompt.id, prompt: prompt.text, automatic: false });
    if (at < nowAt) observations.push(stopped(messages, prompt.id));
  }

  observations.push({
    kind: "registryStatus",
    state: isBusy ? "busy" : "idle",
    text: "",
    lastEnd: isBusy ? null : { kind: "lost" },
  });
  const asking = [...listOf(read.permissions), ...listOf(read.questions)].flatMap((one) => askingOf(one) ?? []);
  observations.push(asking[0] === undefined ? { kind: "promptClosed", source: "hook" } : raised(asking[0]));

  const open = known.turns.find((turn) => turn.end === "open");
  const turn = now !== null ? groupOf(messages, now.id) : isBusy && open !== undefined ? [open.id] : null;
  const pending = prompts.slice(nowAt + 1).map(({ id, text }) => ({ id, texts: text === "" ? {} : { [id]: text } }));
  const users = messages.filter((message) => message.role === "user").map((message) => message.id);
  const done = users.filter((id) => pending.every((prompt) => prompt.id !== id));
  const asked = asking.flatMap(({ call }) => (call === "" ? [] : [call]));
  return { memory: { ...EMPTY, session, turn, pending, done: keep([], done), asking, asked }, observations };
};
