/** Opens the store of one state folder: for its engine to write, or for a reader while no engine runs. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { Fact } from "../bus/protocol.js";
import type { Journal, Vault } from "../engine/ports.js";
import { privateFolder } from "../lib/private-files.js";
import { openDatabase } from "./database.js";
import { openJournal, readStored } from "./journal.js";
import { migrate, schemaVersionOf } from "./migrations.js";
import { openVault } from "./vault.js";

export type Store = { readonly journal: Journal; readonly vault: Vault; close(): Promise<void> };

/**
 * The caller holds the lock (lock.ts). Makes folder and file when they are not there, private from the first byte.
 * Throws QuayError `store-unreadable`, `store-too-new`, `folder-unusable`.
 */
export const openStore = (paths: { readonly database: string }): Store => {
  privateFolder(dirname(paths.database));
  const database = openDatabase(paths.database, "write");
  try {
    migrate(database);
    const journal = openJournal(database);
    return {
      journal,
      vault: openVault(database),
      close: async () => {
        await journal.close();
        database.close();
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
};

/** What an engine left here, for `quay ls` and its like; empty when there never was one. Needs no lock, changes nothing. */
export const readJournal = (path: string): { readonly checkpoint: unknown | null; readonly facts: readonly Fact[] } => {
  const nothing = { checkpoint: null, facts: [] };
  if (!existsSync(path)) return nothing;
  const database = openDatabase(path, "read");
  try {
    // One transaction, so that a checkpoint made meanwhile cannot part the checkpoint from its facts.
    database.exec("BEGIN");
    const stored = schemaVersionOf(database) === 0 ? nothing : readStored(database);
    database.exec("ROLLBACK");
    return stored;
  } finally {
    database.close();
  }
};

/** One single value that an engine stored here; null: none. Needs no lock, changes nothing. */
export const readStoredValue = (path: string, key: string): string | null => {
  if (!existsSync(path)) return null;
  const database = openDatabase(path, "read");
  try {
    return schemaVersionOf(database) === 0 ? null : openVault(database).get(key);
  } finally {
    database.close();
  }
};
