/**
 * The wire of /api, shared by the bridge and the remote client: paths, the commands as zod schemas, and the events of the
 * stream. What crosses is the plain JSON of engine/client.ts; this module opens no socket.
 */
import { z } from "zod";
import { isSafeId, type TerminalId } from "../bus/ids.js";
import type { Caller, Toast } from "../bus/protocol.js";
import type { Snapshot } from "../bus/views.js";
import type { DeskAsk } from "../mailbox/rules/desk.js";
import type { Command, Failure, SeatRequest } from "./client.js";

export const API = { snapshot: "/api/snapshot", stream: "/api/stream", command: "/api/command" } as const;

const id = z
  .string()
  .refine(isSafeId, "not a terminal id")
  .transform((text) => text as TerminalId);

const caller: z.ZodType<Caller> = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("terminal"), id }),
  z.strictObject({ kind: z.literal("person"), as: id.nullable(), project: z.string().nullable() }),
]);

const seat: z.ZodType<SeatRequest> = z.strictObject({
  name: z.string(),
  kind: z.string(),
  cwd: z.string(),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  prompt: z.string().nullable(),
  preset: z.string().nullable(),
  approve: z.array(z.string()).optional(),
});

const target = z.string();

const deskAsk: z.ZodType<DeskAsk> = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("agents") }),
  z.strictObject({ kind: z.literal("threads"), limit: z.number().int().min(1).max(200) }),
  z.strictObject({
    kind: z.literal("mail"),
    agent: z.string().nullable(),
    unreadOnly: z.boolean(),
    limit: z.number().nullable(),
  }),
  z.strictObject({ kind: z.literal("read"), id: z.string() }),
  z.strictObject({ kind: z.literal("send"), to: z.string(), content: z.string(), subject: z.string().nullable() }),
  z.strictObject({ kind: z.literal("reply"), replyTo: z.string(), content: z.string() }),
  z.strictObject({ kind: z.literal("mark"), ids: z.array(z.string()), status: z.enum(["read", "ack"]) }),
]);

/** Every command of engine/client.ts; an unknown key or kind is an error that names it. */
export const commandSchema: z.ZodType<Command> = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("send"), caller, target, text: z.string(), wait: z.boolean(), raw: z.boolean() }),
  z.strictObject({ kind: z.literal("broadcast"), caller, text: z.string() }),
  z.strictObject({ kind: z.literal("status"), caller, target }),
  z.strictObject({ kind: z.literal("launch"), seat }),
  z.strictObject({ kind: z.literal("up"), preset: z.string(), cwd: z.string() }),
  z.strictObject({ kind: z.literal("down"), target: target.nullable(), project: z.string().nullable() }),
  z.strictObject({ kind: z.literal("kill"), target }),
  z.strictObject({ kind: z.literal("relaunch"), target }),
  z.strictObject({ kind: z.literal("forget"), target }),
  z.strictObject({ kind: z.literal("cancel"), delivery: z.string() }),
  z.strictObject({ kind: z.literal("typeNow"), delivery: z.string() }),
  z.strictObject({ kind: z.literal("attach"), target, insideTmux: z.string().nullable() }),
  z.strictObject({ kind: z.literal("look"), target }),
  z.strictObject({
    kind: z.literal("trail"),
    limit: z.number().int().min(1).max(10_000),
    before: z.string().nullable(),
  }),
  z.strictObject({ kind: z.literal("explain"), delivery: z.string().nullable() }),
  z.strictObject({
    kind: z.literal("mailbox"),
    caller,
    account: z.string().nullable(),
    as: z.string().nullable(),
    ask: deskAsk,
  }),
  z.strictObject({ kind: z.literal("stop") }),
]);

/** What a terminal's own token may ask for (DECISIONS S18); everything else is a person's. */
export const TERMINAL_MAY: readonly Command["kind"][] = ["send", "broadcast", "status", "trail", "mailbox"];

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Shape only, not every field: both ends are this package, and a screen reads ten of these in a second. */
const snapshotShape = z.looseObject({
  revision: z.number(),
  now: z.number(),
  agents: z.array(z.looseObject({ id: z.string(), name: z.string() })),
  trail: z.array(z.looseObject({ id: z.string() })),
  engine: z.looseObject({ pid: z.number() }),
  presets: z.array(z.looseObject({ name: z.string() })),
});

/** Null when it is none. */
export const readSnapshot = (value: unknown): Snapshot | null =>
  snapshotShape.safeParse(value).success ? (value as Snapshot) : null;

/** An answer or a failure of the engine; null when it is neither. */
export const readAnswer = (value: unknown): { readonly ok: true } | Failure | null => {
  if (!isRecord(value)) return null;
  if (value.ok === true) return value as { readonly ok: true };
  const failed = value.ok === false && typeof value.code === "string" && typeof value.message === "string";
  return failed ? (value as unknown as Failure) : null;
};

export type StreamEvent =
  | { readonly event: "snapshot"; readonly body: Snapshot }
  | { readonly event: "toast"; readonly body: Toast }
  | { readonly event: "gone"; readonly body: { readonly why: string } };

/** One event of the stream in the SSE form. */
export const writeEvent = ({ event, body }: StreamEvent): string =>
  `event: ${event}\ndata: ${JSON.stringify(body)}\n\n`;

/** Null for an event that is not known, or whose body is broken. */
export const readEvent = (event: string, data: string): StreamEvent | null => {
  let body: unknown;
  try {
    body = JSON.parse(data);
  } catch {
    return null;
  }
  if (event === "snapshot") {
    const snapshot = readSnapshot(body);
    return snapshot === null ? null : { event, body: snapshot };
  }
  if (!isRecord(body)) return null;
  if (event === "toast" && typeof body.at === "number" && typeof body.text === "string") {
    return { event, body: { at: body.at, text: body.text } };
  }
  return event === "gone" && typeof body.why === "string" ? { event, body: { why: body.why } } : null;
};
