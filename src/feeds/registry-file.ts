/**
 * Reads a CLI's own state file and the end of its transcript, after a gap in the other signals or when it changed.
 * It says "gone" when there is no such file, or one that cannot be read; it never judges what that means.
 * Bounded: 64 KB of the registry, the last 256 KB of the transcript.
 */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { Adapter, FileSignal } from "../adapters/adapter.js";

type Files = NonNullable<Adapter["resync"]>;

const REGISTRY_BYTES = 64 * 1024;
const TAIL_BYTES = 256 * 1024;

const GONE: FileSignal = { kind: "registry", status: "gone", waitingFor: "", cliSession: null, transcriptTail: [] };

/** The last `limit` bytes, and whether the beginning was left out; null when there is no such plain file. */
const readEnd = async (file: string, limit: number): Promise<{ text: string; cut: boolean } | null> => {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await handle.stat();
      if (!found.isFile()) return null;
      const from = Math.max(0, found.size - limit);
      const bytes = Buffer.alloc(Math.min(found.size, limit));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
      return { text: bytes.toString("utf8", 0, bytesRead), cut: from > 0 };
    } finally {
      await handle.close();
    }
  } catch {
    return null;
  }
};

const parseObject = (text: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
};

/** A cut first line and a half-written last one are no JSON objects, so they fall out. */
const readTail = async (file: string): Promise<readonly unknown[]> => {
  const end = await readEnd(file, TAIL_BYTES);
  return (end?.text ?? "").split("\n").flatMap((line) => {
    const entry = line === "" ? null : parseObject(line);
    return entry === null ? [] : [entry];
  });
};

const statusOf = (value: unknown): FileSignal["status"] | null =>
  value === "idle" || value === "busy" || value === "waiting" ? value : null;

/** `env` is the environment of the CLI (its configuration folder), `pid` its process. Never throws. */
export const readRegistry = async (
  files: Files,
  env: Readonly<Record<string, string | undefined>>,
  pid: number,
): Promise<FileSignal> => {
  const path = files.registry(env, pid);
  const read = await readEnd(path, REGISTRY_BYTES);
  const content = read === null || read.cut ? null : parseObject(read.text);
  const status = statusOf(content?.status);
  // A file left behind by another process that had this id, or in words that we do not know, tells nothing.
  if (content === null || status === null || (typeof content.pid === "number" && content.pid !== pid)) return GONE;
  const transcript = files.transcript(path, content);
  return {
    kind: "registry",
    status,
    waitingFor: typeof content.waitingFor === "string" ? content.waitingFor : "",
    cliSession: typeof content.sessionId === "string" ? content.sessionId : null,
    transcriptTail: transcript === null ? [] : await readTail(transcript),
  };
};
