/**
 * How the last turn ended, read from the end of a Claude Code transcript: the answer to a gap in the hook events.
 * Pure; it claims an end only where the transcript states one.
 */
import type { TurnEnd } from "../bus/turn.js";
import { isJson, type Json, jsonIn } from "./json.js";

type Block = { readonly type?: unknown; readonly text?: unknown };

const messageOf = (entry: Json): Json => jsonIn(entry, "message");

/** Text blocks of one entry; null when it holds anything else that the model or a tool said. */
const textOf = (entry: Json): string | null => {
  const { content } = messageOf(entry);
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return null;
  const blocks = content as readonly Block[];
  return blocks.every((block) => block.type === "text")
    ? blocks.map((block) => String(block.text ?? "")).join("\n")
    : null;
};

const isSpoken = (entry: Json): boolean =>
  (entry.type === "user" || entry.type === "assistant") && entry.isMeta !== true && entry.isSidechain !== true;

const INTERRUPTED = /^\[Request interrupted by user/;
const CLEARED = /^<command-name>\/clear</;

/** Null: the last words are a prompt or a tool's, so the turn has no end here. */
export const lastEndOf = (tail: readonly unknown[]): TurnEnd | null => {
  const spoken = tail.filter(isJson).filter(isSpoken);
  const last = spoken.at(-1);
  if (last === undefined) return null;
  const text = textOf(last);
  if (last.type === "user") {
    if (text !== null && CLEARED.test(text)) return { kind: "cleared" };
    return text !== null && INTERRUPTED.test(text) ? { kind: "interrupted" } : null;
  }
  if (last.isApiErrorMessage === true) return { kind: "failed", text: text ?? "" };
  const { id, stop_reason: stop } = messageOf(last);
  if (text === null || stop === "tool_use") return null;
  // One message may lie in several entries, one for each block.
  const parts = spoken.filter((entry) => entry.type === "assistant" && messageOf(entry).id === id);
  return {
    kind: "answered",
    text: parts
      .map((entry) => textOf(entry) ?? "")
      .filter(Boolean)
      .join("\n"),
  };
};
