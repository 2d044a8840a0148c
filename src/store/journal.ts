/**
 * The journal on SQLite. Calls wait for one another's turn of the event loop and are committed together, in their
 * order; each is answered after the commit. It reads no fact: what they mean is the bus's affair.
 */
import type { Fact } from "../bus/protocol.js";
import type { Journal } from "../engine/ports.js";
import { messageOf, QuayError } from "../lib/errors.js";
import type { Database } from "./database.js";
import { FACT_VERSION, readCheckpoint, readFact, writeJson } from "./fact-row.js";

type Stored = { readonly checkpoint: unknown | null; readonly facts: readonly Fact[] };

type Work =
  | { readonly kind: "append"; readonly rows: readonly { readonly kind: string; readonly body: string }[] }
  | { readonly kind: "checkpoint"; readonly body: string };

type Waiting = { readonly work: Work; readonly done: () => void; readonly failed: (error: unknown) => void };

/** Throws QuayError `store-too-new` or `store-damaged`. */
export const readStored = (database: Database): Stored => {
  const checkpoint = database.prepare("SELECT version, body FROM checkpoint WHERE id = 1").get();
  const facts = database.prepare("SELECT version, body FROM fact ORDER BY seq").all();
  return {
    checkpoint: checkpoint === null ? null : readCheckpoint(Number(checkpoint.version), String(checkpoint.body)),
    facts: facts.map((row) => readFact(Number(row.version), String(row.body))),
  };
};

const committer = (database: Database): ((works: readonly Work[]) => void) => {
  const insert = database.prepare("INSERT INTO fact (version, kind, body) VALUES (?, ?, ?)");
  const replace = database.prepare(
    "INSERT OR REPLACE INTO checkpoint (id, version, seq, body) VALUES (1, ?, (SELECT coalesce(max(seq), 0) FROM fact), ?)",
  );
  const prune = database.prepare("DELETE FROM fact WHERE seq <= (SELECT seq FROM checkpoint WHERE id = 1)");
  return (works) => {
    database.transaction(() => {
      for (const work of works) {
        if (work.kind === "append") for (const row of work.rows) insert.run(FACT_VERSION, row.kind, row.body);
        else {
          replace.run(FACT_VERSION, work.body);
          prune.run();
        }
      }
    });
  };
};

export const openJournal = (database: Database): Journal => {
  const commit = committer(database);
  let waiting: Waiting[] = [];
  let closed = false;

  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    try {
      commit(batch.map((entry) => entry.work));
    } catch (error) {
      const failure = new QuayError(
        "store-failed",
        `The store could not be written: ${messageOf(error)}. Look at the free space and the rights of its folder.`,
        { cause: error },
      );
      for (const entry of batch) entry.failed(failure);
      return;
    }
    for (const entry of batch) entry.done();
  };

  const queue = (work: Work): Promise<void> =>
    new Promise((done, failed) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ work, done, failed });
    });

  const ensureOpen = (): void => {
    if (closed) throw new QuayError("store-closed", "The store is closed.");
  };

  return {
    append: async (facts) => {
      ensureOpen();
      const rows = facts.map((fact) => ({ kind: fact.kind, body: writeJson(fact) }));
      if (rows.length > 0) await queue({ kind: "append", rows });
    },
    load: async () => {
      ensureOpen();
      flush();
      return readStored(database);
    },
    checkpoint: async (state) => {
      ensureOpen();
      await queue({ kind: "checkpoint", body: writeJson(state) });
    },
    close: async () => {
      flush();
      closed = true;
    },
  };
};
