/** The journal's twin in memory, for tests that need no disk. Passes the suite of test/contract/journal.ts. */
import type { Fact } from "../../src/bus/protocol.js";
import type { Journal } from "../../src/engine/ports.js";

export type MemoryDisk = { checkpoint: string | null; facts: readonly string[] };

export const emptyDisk = (): MemoryDisk => ({ checkpoint: null, facts: [] });

/** The same disk again is a restart. */
export const memoryJournal = (disk: MemoryDisk = emptyDisk()): Journal => {
  let closed = false;
  const ensureOpen = (): void => {
    if (closed) throw new Error("The store is closed.");
  };
  return {
    append: async (facts) => {
      ensureOpen();
      disk.facts = [...disk.facts, ...facts.map((fact) => JSON.stringify(fact))];
    },
    load: async () => {
      ensureOpen();
      return {
        checkpoint: disk.checkpoint === null ? null : (JSON.parse(disk.checkpoint) as unknown),
        facts: disk.facts.map((fact) => JSON.parse(fact) as Fact),
      };
    },
    checkpoint: async (state) => {
      ensureOpen();
      disk.checkpoint = JSON.stringify(state);
      disk.facts = [];
    },
    close: async () => {
      closed = true;
    },
  };
};
