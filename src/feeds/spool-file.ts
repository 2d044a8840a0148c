/**
 * The form of one spooled event, as the hook scripts in adapters/assets write it: the name carries the time, the first
 * line carries what the CLI's JSON does not say, the rest is that JSON. Pure reading; a bad file throws the reason.
 */
import type { Millis } from "../bus/protocol.js";
import type { SpooledEvent } from "../engine/ports.js";

export const MAX_EVENT_BYTES = 8 * 1024 * 1024;

const NAME = /^(\d{10,20})-[\w-]+\.event$/;
const EVENT = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
const PANE = /^%\d{1,9}$/;

/** Files still being written begin with a dot; anything else that is no event is not ours to touch. */
export const isEventName = (name: string): boolean => NAME.test(name);

/** Nanoseconds since the epoch, as the name says. */
export const timeOf = (name: string): bigint => BigInt(NAME.exec(name)?.[1] ?? "0");

/** The name's time where the system's `date` knows nanoseconds, else the file's own; ms since the epoch. */
const writtenAt = (name: string, mtimeNs: bigint): Millis => {
  const named = timeOf(name);
  const exact = named % 1_000_000_000n !== 0n;
  return Number((exact ? named : mtimeNs) / 1_000_000n);
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Throws an Error whose message is the reason, and never quotes the file: it holds a secret. */
export const parseEvent = (name: string, text: string, mtimeNs: bigint): Omit<SpooledEvent, "file" | "terminal"> => {
  const end = text.indexOf("\n");
  if (end < 0) throw new Error("no header line");
  const fields = text.slice(0, end).split("\t");
  const [version, event, secret, pane, pid] = fields;
  if (version !== "quay1" || fields.length !== 5) throw new Error("the header line is not of version quay1");
  if (event === undefined || !EVENT.test(event)) throw new Error("the header line names no event");
  let payload: unknown;
  try {
    payload = JSON.parse(text.slice(end + 1));
  } catch {
    throw new Error("what follows the header line is not JSON");
  }
  if (!isRecord(payload)) throw new Error("what follows the header line is not a JSON object");
  return {
    event,
    secret: secret ?? "",
    pane: pane !== undefined && PANE.test(pane) ? pane : null,
    cliPid: pid !== undefined && /^[1-9]\d{0,9}$/.test(pid) ? Number(pid) : null,
    payload,
    writtenAt: writtenAt(name, mtimeNs),
  };
};
