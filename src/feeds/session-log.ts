/**
 * Reads what a CLI wrote into the record of its session since the last time. The record is the one that the terminal's
 * own CLI holds open; of several it is the one written last. It never writes, and never judges what a line means.
 */
import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import type { LogSignal, SessionLog } from "../adapters/adapter.js";
import type { TerminalId } from "../bus/ids.js";
import type { Millis } from "../bus/protocol.js";
import { openFilesNear } from "../lib/open-files.js";

/** Of a record that was not read before only this much of its end is read, in bytes. */
const TAIL_BYTES = 8 * 1024 * 1024;
/** The first line holds the CLI's whole instructions, too. */
const HEAD_BYTES = 512 * 1024;

export type LogReading = Pick<LogSignal, "session" | "entries" | "since">;

export type SessionLogs = {
  /**
   * What is new in the record of the CLI that runs as `pid` or below it. `known`: turns that were over by then are known
   * already; it counts for a record that was not read before. Never rejects.
   */
  read(terminal: TerminalId, log: SessionLog, pid: number, known: Millis): Promise<LogReading>;
  forget(terminal: TerminalId): void;
};

type Place = { readonly path: string; readonly offset: number };

const NOTHING: LogReading = { session: null, entries: [], since: 0 };

const parse = (line: string): readonly unknown[] => {
  try {
    return [JSON.parse(line) as unknown];
  } catch {
    return [];
  }
};

const readBytes = async (handle: FileHandle, from: number, length: number): Promise<Buffer> => {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await handle.read(bytes, 0, length, from);
  return bytes.subarray(0, bytesRead);
};

const openRecord = (path: string): Promise<FileHandle> => open(path, constants.O_RDONLY | constants.O_NONBLOCK);

export const createSessionLogs = (filesNear: typeof openFilesNear = openFilesNear): SessionLogs => {
  const places = new Map<TerminalId, Place>();
  const mainOnes = new Map<string, boolean>();

  const isMain = async (path: string, log: SessionLog): Promise<boolean> => {
    const known = mainOnes.get(path);
    if (known !== undefined) return known;
    const handle = await openRecord(path);
    try {
      const head = (await readBytes(handle, 0, HEAD_BYTES)).toString("utf8");
      const end = head.indexOf("\n");
      // Not written yet: asked again the next time.
      if (end < 0) return false;
      const verdict = parse(head.slice(0, end)).some((entry) => log.isMain(entry));
      mainOnes.set(path, verdict);
      return verdict;
    } finally {
      await handle.close();
    }
  };

  const find = async (log: SessionLog, pid: number): Promise<string | null> => {
    let found: { readonly path: string; readonly at: number } | null = null;
    for (const path of await filesNear(pid, (one) => log.sessionOf(one) !== null)) {
      if (!(await isMain(path, log).catch(() => false))) continue;
      const at = (await stat(path)).mtimeMs;
      if (found === null || at > found.at) found = { path, at };
    }
    return found?.path ?? null;
  };

  const readOn = async (terminal: TerminalId, log: SessionLog, path: string, known: Millis): Promise<LogReading> => {
    const place = places.get(terminal);
    const isNew = place?.path !== path;
    const handle = await openRecord(path);
    try {
      const { size } = await handle.stat();
      const tail = Math.max(0, size - TAIL_BYTES);
      const from = isNew || place.offset > size ? tail : Math.max(place.offset, tail);
      const bytes = await readBytes(handle, from, size - from);
      const end = bytes.lastIndexOf(0x0a) + 1;
      places.set(terminal, { path, offset: from + end });
      const lines = bytes.toString("utf8", 0, end).split("\n");
      const entries = lines.filter((line) => log.keeps(line)).flatMap(parse);
      return { session: log.sessionOf(path), entries, since: isNew ? known : 0 };
    } finally {
      await handle.close();
    }
  };

  return {
    async read(terminal, log, pid, known) {
      try {
        const path = await find(log, pid);
        return path === null ? NOTHING : await readOn(terminal, log, path, known);
      } catch {
        return NOTHING;
      }
    },
    forget(terminal) {
      places.delete(terminal);
    },
  };
};
