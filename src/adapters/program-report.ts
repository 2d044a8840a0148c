/**
 * One report of OSC 7501 ("program status"), taken apart and checked. A pair that is malformed is skipped; a broken
 * limit or broken text drops the whole report. Pure. Everything in it was written by the program, or by any file that
 * was printed in the pane: text to show, never to act on, and never to be sent back.
 */

export type ReportState = "idle" | "working" | "blocked" | "done" | "error";

export type ProgramRecord = {
  /** "" is the root record. */
  readonly id: string;
  readonly state: ReportState;
  readonly kind?: "permission" | "question" | "auth";
  /** Percent, 0-100; with working and blocked only. */
  readonly progress?: number;
  readonly app?: string;
  readonly title?: string;
  readonly msg?: string;
};

export type Report = ProgramRecord | { readonly id: string; readonly state: "clear" };

/** Bytes behind `7501;`: the longest sequence, less its frame and a BEL. */
const MAX_BODY = 4088;
const MAX_KEY = 16;
const MAX_APP = 32;
const TEXT_LIMITS = { title: { encoded: 256, decoded: 192 }, msg: { encoded: 2732, decoded: 2048 } } as const;

const STATES: ReadonlySet<string> = new Set(["idle", "working", "blocked", "done", "error", "clear"]);
const KINDS: ReadonlySet<string> = new Set(["permission", "question", "auth"]);

const trim = (text: string): string => text.replace(/^[ \t]+|[ \t]+$/g, "");

/** A program asks whether anybody reads its reports. `?` with more behind it is the form of an answer. */
export const isQuery = (body: string): boolean => trim(body) === "?";

/** The report in a body; null when it must be ignored. */
export const parseReport = (body: string): Report | null => {
  const pairs = body.length <= MAX_BODY ? readPairs(body) : null;
  if (pairs === null) return null;
  const state = pairs.get("state") ?? "";
  const id = pairs.get("id");
  if (!STATES.has(state) || (id !== undefined && !isId(id))) return null;
  if (state === "clear") return { id: id ?? "", state };
  const waits = state === "blocked";
  const kind = pairs.get("kind") ?? "";
  const progress = pairs.get("progress") ?? "";
  const app = pairs.get("app") ?? "";
  const title = pairs.get("title");
  const msg = pairs.get("msg");
  return {
    id: id ?? "",
    state: state as ReportState,
    ...(waits && KINDS.has(kind) ? { kind: kind as "permission" | "question" | "auth" } : {}),
    ...((waits || state === "working") && /^(100|[1-9]?\d)$/.test(progress) ? { progress: Number(progress) } : {}),
    ...(/^[A-Za-z0-9_.+-]+$/.test(app) ? { app } : {}),
    ...(title === undefined ? {} : { title }),
    ...(msg === undefined ? {} : { msg }),
  };
};

/** Well-formed pairs, the last of each key, texts decoded; null when one of them breaks a limit. */
const readPairs = (body: string): ReadonlyMap<string, string> | null => {
  const pairs = new Map<string, string>();
  for (const pair of body.split(":")) {
    const split = pair.indexOf("=");
    if (split < 0) continue;
    const key = trim(pair.slice(0, split));
    const value = trim(pair.slice(split + 1));
    if (!/^[a-z]+$/.test(key) || !/^[A-Za-z0-9_.,+/=-]*$/.test(value)) continue;
    if (key.length > MAX_KEY) return null;
    const read = readValue(key, value);
    if (read === null) return null;
    pairs.set(key, read);
  }
  return pairs;
};

const readValue = (key: string, value: string): string | null => {
  if (key === "title" || key === "msg") return decodeText(value, TEXT_LIMITS[key]);
  if (key === "app" && value.length > MAX_APP) return null;
  return key === "id" && isOverIdLimits(value) ? null : value;
};

const isOverIdLimits = (id: string): boolean => {
  const segments = id.split("/");
  return id.length > 128 || segments.length > 8 || segments.some((segment) => segment.length > 32);
};

const isId = (id: string): boolean => id.split("/").every((segment) => /^[A-Za-z0-9_.+-]+$/.test(segment));

const decodeText = (encoded: string, limits: { readonly encoded: number; readonly decoded: number }): string | null => {
  if (encoded.length > limits.encoded) return null;
  const split = /^([A-Za-z0-9+/]*)(={0,2})$/.exec(encoded);
  if (split === null) return null;
  const [, digits = "", padding = ""] = split;
  if (digits.length % 4 === 1 || (padding !== "" && encoded.length % 4 !== 0)) return null;
  const bytes = Buffer.from(digits, "base64");
  if (bytes.length > limits.decoded) return null;
  const text = decodeUtf8(bytes);
  return text === null || /[\u0000-\u001f\u007f-\u009f]/.test(text) ? null : text;
};

const decodeUtf8 = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
};
