/**
 * The arguments of the calls, checked and cut to what is stored. What is over its cap is refused by name; a limit over its
 * cap is clamped (DECISIONS B26). An optional text that is empty counts as left out.
 */
import type { Register, Reply, Send } from "./calls.js";
import {
  CONTENT_CAP,
  DESCRIPTION_CAP,
  KIND_CAP,
  LABEL_CAP,
  type Limit,
  MARK_MOST,
  METADATA_CAP_BYTES,
  SCAN_ID_CAP,
  SUBJECT_CAP,
} from "./limits.js";
import { momentOf } from "./moment.js";
import { nameOf } from "./name.js";
import { type Checked, fine, refuse } from "./refusal.js";

/** NUL, and half a character: the store gives neither back as it came. */
const UNSTORABLE = /[\0\p{Cs}]/gu;

/** Code points: an emoji is one. */
export const lengthOf = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

/** The first code points of a text. */
export const firstOf = (text: string, count: number): string => {
  if (text.length <= count) return text;
  let end = 0;
  for (let seen = 0; seen < count && end < text.length; seen += 1) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
};

const within = (field: string, text: string, limit: number): Checked<string> => {
  // Most texts are short: what has few code units has few code points.
  const length = text.length <= limit ? text.length : lengthOf(text);
  return length > limit
    ? refuse({ kind: "tooLong", field, length, limit, unit: "characters" })
    : fine(text.replace(UNSTORABLE, "\ufffd"));
};

const oneLine = (field: string, text: string | null, limit: number): Checked<string | null> => {
  const trimmed = text?.trim() ?? "";
  if (trimmed === "") return fine(null);
  return /[\n\r\u0085\u2028\u2029]/.test(trimmed)
    ? refuse({ kind: "notOneLine", field })
    : within(field, trimmed, limit);
};

export const checkContent = (content: string): Checked<string> =>
  content.trim() === "" ? refuse({ kind: "empty", field: "content" }) : within("content", content, CONTENT_CAP);

const checkMetadata = (metadata: Send["metadata"]): Checked<string | null> => {
  if (metadata === null) return fine(null);
  const text = JSON.stringify(metadata);
  const length = new TextEncoder().encode(text).length;
  return length > METADATA_CAP_BYTES
    ? refuse({ kind: "tooLong", field: "metadata", length, limit: METADATA_CAP_BYTES, unit: "bytes of JSON" })
    : fine(text);
};

/** Clamped to the cap; the default when left out; below 1, or no whole number: refused. */
export const checkLimit = (given: number | null, limit: Limit): Checked<number> => {
  if (given === null) return fine(limit.byDefault);
  if (!Number.isInteger(given) || given < 1) return refuse({ kind: "notCounting", field: "limit", given });
  return fine(Math.min(given, limit.most));
};

/** Milliseconds that a message must be newer than; null: all. */
export const checkSince = (since: string | null): Checked<number | null> => {
  if (since === null || since === "") return fine(null);
  const at = momentOf(since);
  return at === null ? refuse({ kind: "notAMoment", field: "since" }) : fine(at);
};

export const checkIds = (ids: readonly string[]): Checked<readonly string[]> =>
  ids.length < 1 || ids.length > MARK_MOST
    ? refuse({ kind: "badCount", field: "messageIds", given: ids.length, most: MARK_MOST })
    : fine(ids);

/** Exactly one of two arguments that name the same thing. */
export const checkOneOf = <A extends string, B extends string>(
  [a, b]: readonly [A, B],
  given: Readonly<Record<A | B, string | null>>,
): Checked<{ readonly field: A | B; readonly value: string }> => {
  const [first, second] = [given[a] || null, given[b] || null];
  if (first !== null && second === null) return fine({ field: a, value: first });
  if (second !== null && first === null) return fine({ field: b, value: second });
  return refuse({ kind: "oneOf", fields: [a, b] });
};

export type CleanRegister = {
  readonly name: string;
  readonly description: string | null;
  readonly kind: string | null;
  readonly sessionLabel: string | null;
  readonly sessionId: string | null;
};

export const checkRegister = (call: Register): Checked<CleanRegister> => {
  const name = nameOf(call.name);
  if (!name.ok) return name;
  const description = oneLine("description", call.description, DESCRIPTION_CAP);
  if (!description.ok) return description;
  const kind = oneLine("kind", call.label, KIND_CAP);
  if (!kind.ok) return kind;
  const sessionLabel = oneLine("sessionLabel", call.sessionLabel, LABEL_CAP);
  if (!sessionLabel.ok) return sessionLabel;
  return fine({
    name: name.value,
    description: description.value,
    kind: kind.value,
    sessionLabel: sessionLabel.value,
    sessionId: call.sessionId || null,
  });
};

export type CleanSend = {
  readonly content: string;
  readonly subject: string | null;
  readonly scanId: string | null;
  readonly metadata: string | null;
};

export const checkSend = (call: Send): Checked<CleanSend> => {
  const content = checkContent(call.content);
  if (!content.ok) return content;
  const subject = oneLine("subject", call.subject, SUBJECT_CAP);
  if (!subject.ok) return subject;
  const scanId = oneLine("scanId", call.scanId, SCAN_ID_CAP);
  if (!scanId.ok) return scanId;
  const metadata = checkMetadata(call.metadata);
  if (!metadata.ok) return metadata;
  return fine({ content: content.value, subject: subject.value, scanId: scanId.value, metadata: metadata.value });
};

export const checkReply = (call: Reply): Checked<string> => checkContent(call.content);
