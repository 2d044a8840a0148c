/**
 * A session's messages as OpenCode's server lists them, and how a turn of it ended: by the replies to that very prompt,
 * which name it as their parent. Pure; foreign fields that are not understood are passed over.
 * Source: facts/opencode.md sections 4 and 5.
 */
import type { TurnEnd } from "../bus/turn.js";
import { isJson, type Json, jsonIn, listOf, textIn } from "./json.js";

export type Message = {
  readonly id: string;
  readonly role: "user" | "assistant";
  /** The prompt that this one answers; "" for a prompt. */
  readonly parent: string;
  /** ms since the epoch. */
  readonly createdAt: number;
  readonly isDone: boolean;
  readonly finish: string;
  readonly failure: TurnEnd | null;
  /** What a person or the model wrote: without the parts that OpenCode made itself. */
  readonly text: string;
  /** Something stands in it: a prompt is listed a moment before its parts are. */
  readonly isFilled: boolean;
  /** A summary of the session, not an answer. */
  readonly isSummary: boolean;
};

/** A text part that a person or the model wrote. */
export const isOwnText = (part: Json): boolean =>
  part.type === "text" && part.synthetic !== true && part.ignored !== true;

/** `{ name, data: { message } }`, as errors of OpenCode look. */
export const failureOf = (error: Json): TurnEnd => {
  const name = textIn(error, "name");
  if (name === "MessageAbortedError") return { kind: "interrupted" };
  return { kind: "failed", text: textIn(jsonIn(error, "data"), "message") || name };
};

const numberIn = (value: Json, key: string): number => (typeof value[key] === "number" ? (value[key] as number) : 0);

/** A message of `GET /session/{id}/message`; null when it is none. */
const readMessage = (entry: Json): Message | null => {
  const info = jsonIn(entry, "info");
  const { role } = info;
  if (role !== "user" && role !== "assistant") return null;
  const time = jsonIn(info, "time");
  return {
    id: textIn(info, "id"),
    role,
    parent: textIn(info, "parentID"),
    createdAt: numberIn(time, "created"),
    isDone: numberIn(time, "completed") > 0,
    finish: textIn(info, "finish"),
    failure: isJson(info.error) ? failureOf(info.error) : null,
    text: listOf(entry.parts)
      .filter(isOwnText)
      .map((part) => textIn(part, "text"))
      .join("\n"),
    isFilled: listOf(entry.parts).length > 0,
    isSummary: info.summary === true,
  };
};

/** Oldest first. */
export const readMessages = (value: unknown): readonly Message[] =>
  listOf(value).flatMap((entry) => readMessage(entry) ?? []);

/** OpenCode prompts itself when it made room, or when a person ran a shell command: nobody wrote that. */
export const isAutomatic = (message: Message): boolean =>
  message.role === "user" && message.isFilled && message.text.trim() === "";

/** The last reply to these prompts; summaries are none. */
export const lastReply = (messages: readonly Message[], prompts: readonly string[]): Message | undefined =>
  messages.findLast(
    (message) => message.role === "assistant" && !message.isSummary && prompts.includes(message.parent),
  );

/** A reply after which the turn goes on, or which was cut off: no step after one that called tools, or no end of it. */
const isUnfinished = ({ finish }: Message): boolean => finish === "" || finish === "tool-calls";

/** A prompt with those that OpenCode put behind it by itself before it was answered: one turn. */
export const groupOf = (messages: readonly Message[], prompt: string): readonly string[] => {
  const users = messages.filter((message) => message.role === "user");
  const at = users.findIndex((message) => message.id === prompt);
  const group = [prompt];
  for (const next of at < 0 ? [] : users.slice(at + 1)) {
    const reply = lastReply(messages, group);
    if (!isAutomatic(next) || (reply !== undefined && !isUnfinished(reply))) break;
    group.push(next.id);
  }
  return group;
};

/** How the turn of these prompts ended, once the session rests. `failure`: an error that the session told of meanwhile. */
export const endOf = (messages: readonly Message[], prompts: readonly string[], failure: TurnEnd | null): TurnEnd => {
  const reply = lastReply(messages, prompts);
  if (reply === undefined) return failure ?? { kind: "lost" };
  if (reply.failure !== null) return reply.failure;
  // An approval was refused, or somebody cut it. The session rests before the reply itself says so: what it told counts.
  if (isUnfinished(reply)) return failure ?? { kind: "interrupted" };
  return { kind: "answered", text: reply.text };
};
