/**
 * The tables of the store, step by step. `user_version` counts the steps that a file has been through; a step that was
 * released is never changed, a new one is added. Nothing else creates or alters tables.
 */
import { QuayError } from "../lib/errors.js";
import type { Database } from "./database.js";

const STEPS: readonly string[] = [
  `CREATE TABLE fact (seq INTEGER PRIMARY KEY AUTOINCREMENT, version INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL);
   CREATE TABLE checkpoint (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL, seq INTEGER NOT NULL, body TEXT NOT NULL);
   CREATE TABLE secret (terminal TEXT PRIMARY KEY, tool TEXT NOT NULL, event TEXT NOT NULL);
   CREATE TABLE place (terminal TEXT PRIMARY KEY, server_pid INTEGER NOT NULL, server_started_at INTEGER NOT NULL);
   CREATE TABLE keyed (key TEXT PRIMARY KEY, value TEXT NOT NULL);`,
];

export const SCHEMA_VERSION = STEPS.length;

/** Thrown for a store, or a fact in it, that a newer Quay wrote. */
export const storeTooNew = (what: string, found: number, known: number): QuayError =>
  new QuayError(
    "store-too-new",
    `${what} was written by a newer Quay (version ${found}; this one knows ${known}). Update Quay, or use another QUAY_HOME.`,
    { facts: { found, known } },
  );

const versionOf = (database: Database, what: string, known: number): number => {
  const version = Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
  if (version > known) throw storeTooNew(what, version, known);
  return version;
};

/** 0 for an empty file. Throws QuayError `store-too-new`. */
export const schemaVersionOf = (database: Database): number => versionOf(database, "The store", SCHEMA_VERSION);

/** Takes a file through the steps that it has not been through. `what` names it in an error. */
export const migrateBy = (database: Database, steps: readonly string[], what: string): void => {
  if (versionOf(database, what, steps.length) === steps.length) return;
  database.transaction(() => {
    // Read again inside: another process may have been first.
    for (const step of steps.slice(versionOf(database, what, steps.length))) database.exec(step);
    database.exec(`PRAGMA user_version = ${steps.length}`);
  });
};

export const migrate = (database: Database): void => migrateBy(database, STEPS, "The store");
