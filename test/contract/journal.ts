/** What every journal must do, run on SQLite and on the twin in memory. */
import { describe, expect, test } from "vitest";
import { callId } from "../../src/bus/ids.js";
import type { Fact } from "../../src/bus/protocol.js";
import type { Journal } from "../../src/engine/ports.js";
import { verifies } from "../support/verifies.js";

/** A fact that is told apart by its number. */
export const numbered = (n: number): Fact => ({ kind: "waitClosed", at: n, call: callId(`call-${n}`) });

/** One place to store; each `open` is a start of the engine on it. */
export type JournalPlace = { open(): Journal };

export const describeJournal = (title: string, makePlace: () => JournalPlace): void => {
  describe(title, () => {
    test("is empty at first", async () => {
      const journal = makePlace().open();
      expect(await journal.load()).toEqual({ checkpoint: null, facts: [] });
      await journal.close();
    });

    test("gives back what was appended, in order, after a restart", async () => {
      const place = makePlace();
      const first = place.open();
      await first.append([numbered(1), numbered(2)]);
      await first.append([numbered(3)]);
      await first.close();
      const second = place.open();
      expect(await second.load()).toEqual({ checkpoint: null, facts: [numbered(1), numbered(2), numbered(3)] });
      await second.close();
    });

    verifies("journal:group-commit", "keeps the order of calls that were not awaited", async () => {
      const journal = makePlace().open();
      const calls = Array.from({ length: 50 }, (_, n) => journal.append([numbered(n)]));
      await Promise.all(calls);
      const { facts } = await journal.load();
      expect(facts.map((fact) => fact.at)).toEqual(Array.from({ length: 50 }, (_, n) => n));
      await journal.close();
    });

    test("keeps facts that hold any text", async () => {
      const place = makePlace();
      const text = "a 'quote' \"two\" \\ \n\t $(x) #{y} \u0000 é 漢字 🎉";
      const fact: Fact = { kind: "typingStopped", at: 1, holder: text };
      const journal = place.open();
      await journal.append([fact]);
      await journal.close();
      const again = place.open();
      expect((await again.load()).facts).toEqual([fact]);
      await again.close();
    });

    verifies("journal:checkpoint", "replaces the facts before a checkpoint and keeps those after it", async () => {
      const place = makePlace();
      const journal = place.open();
      await journal.append([numbered(1)]);
      await journal.checkpoint({ upTo: 1 });
      await journal.append([numbered(2)]);
      await journal.checkpoint({ upTo: 2 });
      await journal.append([numbered(3)]);
      await journal.close();
      const again = place.open();
      expect(await again.load()).toEqual({ checkpoint: { upTo: 2 }, facts: [numbered(3)] });
      await again.close();
    });

    test("orders appends and a checkpoint that were not awaited", async () => {
      const journal = makePlace().open();
      const before = journal.append([numbered(1)]);
      const checkpoint = journal.checkpoint({ upTo: 1 });
      const after = journal.append([numbered(2)]);
      await Promise.all([before, checkpoint, after]);
      expect(await journal.load()).toEqual({ checkpoint: { upTo: 1 }, facts: [numbered(2)] });
      await journal.close();
    });

    test("commits what waits when it is closed, and refuses more", async () => {
      const place = makePlace();
      const journal = place.open();
      const waiting = journal.append([numbered(1)]);
      await journal.close();
      await waiting;
      await expect(journal.append([numbered(2)])).rejects.toThrow("closed");
      await expect(journal.load()).rejects.toThrow("closed");
      const again = place.open();
      expect((await again.load()).facts).toEqual([numbered(1)]);
      await again.close();
    });
  });
};
