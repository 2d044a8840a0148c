/**
 * What Codex's own record of a session (its rollout file) says of turns: begun, prompted, over. Pure: lines that were
 * read come in. Written by the main thread and by subagents alike, one file each; only the main thread's counts.
 * Measured on Codex 0.171.0; earlier versions wrote `user_message` where this one writes an item.
 */
import type { TurnEnd } from "../bus/turn.js";
import type { SessionLog } from "./adapter.js";
import { idIn, isJson, type Json, jsonIn, jsonOf, listOf, textIn } from "./json.js";

export type RolloutEvent =
  | { readonly kind: "began"; readonly turn: string; readonly at: number; readonly automatic: boolean }
  | { readonly kind: "prompted"; readonly turn: string | null; readonly at: number; readonly text: string }
  | { readonly kind: "over"; readonly turn: string | null; readonly at: number; readonly end: TurnEnd };

/** Who asked for a turn, when it was neither the person nor what they queued: the CLI itself. */
const isAutomatic = (payload: Json): boolean =>
  !["", "user", "queue"].includes(textIn(jsonIn(payload, "turn_attribution"), "turn_trigger"));

const promptIn = (item: Json): string =>
  listOf(item.content)
    .map((part) => textIn(part, "text"))
    .filter(Boolean)
    .join("\n");

/** An error of the model's server may come as its JSON: the sentence in it is what a person reads. */
const errorText = (error: Json): string => {
  const said = textIn(error, "message");
  try {
    return textIn(jsonIn(jsonOf(JSON.parse(said)), "error"), "message") || said;
  } catch {
    return said || "the model gave an error";
  }
};

const endOf = (payload: Json): TurnEnd =>
  isJson(payload.error)
    ? { kind: "failed", text: errorText(payload.error) }
    : { kind: "answered", text: textIn(payload, "last_agent_message") };

const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,3})\d*)?Z$/;

/** Days since 1970-01-01 of a date of the Gregorian calendar. */
const daysOf = (year: number, month: number, day: number): number => {
  // Years that begin in March have their leap day at the end.
  const y = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468;
};

/** Milliseconds since the epoch of a time in UTC as the rollout writes it; 0 when it is none. */
const millisOf = (time: string): number => {
  const [, year, month, day, hour, minute, second, fraction = "0"] = TIME.exec(time) ?? [];
  if (year === undefined) return 0;
  const days = daysOf(Number(year), Number(month), Number(day));
  return (
    ((days * 24 + Number(hour)) * 60 + Number(minute)) * 60_000 +
    Number(second) * 1000 +
    Number(fraction.padEnd(3, "0"))
  );
};

const readEntry = (entry: Json): RolloutEvent | null => {
  const payload = jsonIn(entry, "payload");
  const at = millisOf(textIn(entry, "timestamp"));
  const turn = idIn(payload, "turn_id");
  switch (textIn(payload, "type")) {
    case "task_started":
      return turn === null ? null : { kind: "began", turn, at, automatic: isAutomatic(payload) };
    case "item_completed": {
      const item = jsonIn(payload, "item");
      return item.type === "UserMessage" ? { kind: "prompted", turn, at, text: promptIn(item) } : null;
    }
    case "user_message":
      return { kind: "prompted", turn, at, text: textIn(payload, "message") };
    case "task_complete":
      return { kind: "over", turn, at, end: endOf(payload) };
    case "turn_aborted":
      return { kind: "over", turn, at, end: { kind: "interrupted" } };
    default:
      return null;
  }
};

export const readRollout = (entries: readonly unknown[]): readonly RolloutEvent[] =>
  entries.filter(isJson).flatMap((entry) => {
    const event = entry.type === "event_msg" ? readEntry(entry) : null;
    return event === null ? [] : [event];
  });

const FILE = /\/sessions\/(?:[^/]+\/)*rollout-[^/]*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;

export const codexLog: SessionLog = {
  sessionOf: (path) => FILE.exec(path)?.[1] ?? null,
  isMain: (head) => {
    const meta = jsonIn(jsonOf(head), "payload");
    const isSubagent = "subagent" in jsonIn(meta, "source");
    return !isSubagent && ["", "user"].includes(textIn(meta, "thread_source"));
  },
  // Most lines are what was said and done, and can be long: they are not taken apart.
  keeps: (line) => /"type":"(?:task_started|user_message|UserMessage|task_complete|turn_aborted)"/.test(line),
};
