/**
 * One engine per state folder: an exclusive transaction on a database of its own, held for life. The system lets go of
 * it when the process ends in any way, so a kill leaves no lock. Who holds it is written beside it, for people only.
 *
 * Nothing else may open the lock file: closing any other descriptor of it in this process would let the lock go (POSIX).
 */
import { readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { QuayError } from "../lib/errors.js";
import { privateFolder, writePrivate } from "../lib/private-files.js";
import { isBusy, openDatabase } from "./database.js";

export type Lock = { release(): void };
export type Holder = { readonly pid: number; readonly since: number };

const holderFile = (file: string): string => `${file}.holder`;

/** Who holds the lock, as written beside it; null when nobody wrote it. The writer may be dead: only takeLock can tell. */
export const readHolder = (file: string): Holder | null => {
  try {
    const read: unknown = JSON.parse(readFileSync(holderFile(file), "utf8"));
    if (typeof read !== "object" || read === null || !("pid" in read) || !("since" in read)) return null;
    return typeof read.pid === "number" && typeof read.since === "number" ? { pid: read.pid, since: read.since } : null;
  } catch {
    return null;
  }
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

const held = (file: string): QuayError => {
  const written = readHolder(file);
  // A dead process holds nothing: its successor has the lock and has not written its own line yet.
  const holder = written !== null && isAlive(written.pid) ? written : null;
  const who =
    holder === null
      ? "Another Quay engine has just started"
      : `A Quay engine is running already: process ${holder.pid}, since ${new Date(holder.since).toISOString()}`;
  return new QuayError("engine-running", `${who} (${dirname(file)}). Use it, or end it with \`quay stop\`.`, {
    facts: { pid: holder?.pid ?? null, since: holder?.since ?? null, folder: dirname(file) },
  });
};

/** Throws QuayError `engine-running` that names pid and since (ms), at once: it never waits for the lock. */
export const takeLock = (file: string): Lock => {
  privateFolder(dirname(file));
  const database = openDatabase(file, "lock");
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    throw isBusy(error) ? held(file) : error;
  }
  writePrivate(holderFile(file), `${JSON.stringify({ pid: process.pid, since: Date.now() } satisfies Holder)}\n`);
  let isHeld = true;
  return {
    release: () => {
      if (!isHeld) return;
      isHeld = false;
      rmSync(holderFile(file), { force: true });
      database.exec("ROLLBACK");
      database.close();
    },
  };
};
