/**
 * The only file that knows the SQLite library. The interface is what `node:sqlite` has too, so that another library
 * changes this file alone. It knows no table of ours. Source: facts on durable stores (WAL, synchronous FULL).
 */
import { existsSync } from "node:fs";
import Libsql from "libsql";
import { messageOf, QuayError } from "../lib/errors.js";
import { privateFile } from "../lib/private-files.js";

export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

export type Statement = {
  run(...values: readonly Value[]): void;
  get(...values: readonly Value[]): Row | null;
  all(...values: readonly Value[]): readonly Row[];
};

export type Database = {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  /** Runs the body in one transaction: all of it or nothing. Not to be nested. */
  transaction<T>(body: () => T): T;
  close(): void;
};

export type OpenMode = "write" | "read" | "lock";

/** How long a statement waits for another process's short lock, in ms. */
const BUSY_MS = 2_000;

/** Each pragma that answers with a row has to be read, or the library refuses it. */
const PRAGMAS: Readonly<Record<OpenMode, readonly string[]>> = {
  write: [`busy_timeout = ${BUSY_MS}`, "journal_mode = WAL", "synchronous = FULL"],
  read: [`busy_timeout = ${BUSY_MS}`, "query_only = ON"],
  lock: ["busy_timeout = 0"],
};

export const isBusy = (error: unknown): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && error.code.startsWith("SQLITE_BUSY");

/** Values go in as one list: the library takes a lone null for named parameters, and its `get` adds a field of its own. */
const prepared = (library: Libsql.Database, sql: string): Statement => {
  const statement = library.prepare(sql);
  const all = (values: readonly Value[]): readonly Row[] => statement.all([...values]) as Row[];
  return {
    run: (...values) => {
      statement.run([...values]);
    },
    get: (...values) => all(values)[0] ?? null,
    all: (...values) => all(values),
  };
};

const transaction = <T>(library: Libsql.Database, body: () => T): T => {
  library.exec("BEGIN IMMEDIATE");
  try {
    const result = body();
    library.exec("COMMIT");
    return result;
  } catch (error) {
    try {
      library.exec("ROLLBACK");
    } catch {
      // SQLite has rolled back by itself; the first error is the one that tells.
    }
    throw error;
  }
};

const wrapped = (library: Libsql.Database): Database => ({
  exec: (sql) => {
    library.exec(sql);
  },
  prepare: (sql) => prepared(library, sql),
  transaction: (body) => transaction(library, body),
  close: () => {
    library.close();
  },
});

/**
 * Opens the file, made private first when it is not there (write, lock). `read` changes nothing of what is stored.
 * Throws QuayError `store-unreadable` when the file cannot be opened or is no database.
 */
export const openDatabase = (path: string, mode: OpenMode): Database => {
  if (mode !== "read") privateFile(path);
  else if (!existsSync(path)) {
    throw new QuayError("store-unreadable", `There is no store at ${path}.`, { facts: { path } });
  }
  try {
    const opened = new Libsql(path);
    for (const pragma of PRAGMAS[mode]) opened.prepare(`PRAGMA ${pragma}`).all();
    return wrapped(opened);
  } catch (error) {
    throw new QuayError(
      "store-unreadable",
      `The store ${path} cannot be opened: ${messageOf(error)}. Move the file away to start with an empty one.`,
      { facts: { path }, cause: error },
    );
  }
};
