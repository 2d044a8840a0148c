/**
 * Every expected no of the mailbox, as a value, and its sentence. A foreign id and one that never was get the same words: whether
 * it exists elsewhere is not told. Source: "A forged or foreign id answers not found"; DECISIONS B26.
 */
import { assertNever } from "../../bus/ids.js";

export type MailboxRefusal =
  /** `field` is the argument that named it. */
  | { readonly kind: "notFound"; readonly field: string }
  | { readonly kind: "empty"; readonly field: string }
  | { readonly kind: "noName"; readonly field: string }
  | { readonly kind: "notOneLine"; readonly field: string }
  | {
      readonly kind: "tooLong";
      readonly field: string;
      readonly length: number;
      readonly limit: number;
      readonly unit: "characters" | "bytes of JSON";
    }
  | { readonly kind: "notCounting"; readonly field: string; readonly given: number }
  | { readonly kind: "badCount"; readonly field: string; readonly given: number; readonly most: number }
  | { readonly kind: "notAMoment"; readonly field: string }
  | { readonly kind: "oneOf"; readonly fields: readonly [string, string] };

const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ",");

/** What may be named by each argument, for the one sentence of "not found". */
const WHAT: Readonly<Record<string, string>> = {
  agentId: "agent",
  name: "agent",
  to: "agent",
  sessionId: "session of this agent",
  threadId: "thread of this agent",
};

export const wordMailboxRefusal = (refusal: MailboxRefusal): string => {
  switch (refusal.kind) {
    case "notFound":
      return `Not found: your account has no such ${WHAT[refusal.field] ?? "message of this agent"} (${refusal.field}).`;
    case "empty":
      return `${refusal.field} must not be empty.`;
    case "noName":
      return `${refusal.field} has no letter or digit left: a name is made of a-z, 0-9 and hyphens.`;
    case "notOneLine":
      return `${refusal.field} must be one line: take the line breaks out.`;
    case "tooLong":
      return `${refusal.field} is too long: ${grouped(refusal.length)} ${refusal.unit}, and at most ${grouped(refusal.limit)} are allowed.`;
    case "notCounting":
      return `${refusal.field} must be a whole number of at least 1, and was ${refusal.given}.`;
    case "badCount":
      return `${refusal.field} takes 1 to ${refusal.most} ids, and got ${refusal.given}.`;
    case "notAMoment":
      return `${refusal.field} must be a time of RFC 3339, like 2026-12-01T08:30:00Z or 2026-12-01T09:30:00.250+01:00.`;
    case "oneOf":
      return `Send exactly one of ${refusal.fields[0]} and ${refusal.fields[1]}.`;
    default:
      return assertNever(refusal);
  }
};

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: MailboxRefusal };

export const fine = <T>(value: T): Checked<T> => ({ ok: true, value });
export const refuse = (refusal: MailboxRefusal): { readonly ok: false; readonly refusal: MailboxRefusal } => ({
  ok: false,
  refusal,
});
