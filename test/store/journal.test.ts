/** The journal on real SQLite: the common suite, and what only a disk can show. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Fact } from "../../src/bus/protocol.js";
import type { Journal } from "../../src/engine/ports.js";
import { openDatabase } from "../../src/store/database.js";
import { openJournal } from "../../src/store/journal.js";
import { migrate } from "../../src/store/migrations.js";
import { openStore, readJournal } from "../../src/store/store.js";
import { describeJournal, numbered } from "../contract/journal.js";
import { writeChildSources } from "../support/child-sources.js";
import { repositoryRoot } from "../support/source-files.js";
import { tempFolder } from "../support/temp-folder.js";
import { verifies } from "../support/verifies.js";

describeJournal("the journal on SQLite", () => {
  const database = join(tempFolder(), "quay.db");
  return {
    open: (): Journal => {
      const store = openStore({ database });
      return { ...store.journal, close: () => store.close() };
    },
  };
});

verifies("journal:group-commit", "commits calls of one tick in one transaction", async () => {
  const database = openDatabase(join(tempFolder(), "quay.db"), "write");
  migrate(database);
  let commits = 0;
  const counted = openJournal({
    ...database,
    transaction: (body) => {
      commits += 1;
      return database.transaction(body);
    },
  });
  await Promise.all(Array.from({ length: 100 }, (_, n) => counted.append([numbered(n)])));
  expect(commits).toBe(1);
  await counted.append([numbered(100)]);
  expect(commits).toBe(2);
  database.close();
});

verifies("journal:durable-before-answer", "has on disk what it said it has, when the process is killed", async () => {
  const folder = tempFolder();
  writeChildSources(folder, ["bus", "lib", "store"]);
  const database = join(folder, "quay.db");
  const writer = join(repositoryRoot, "test/fixtures/store/writer.mjs");
  const child = spawn(process.execPath, [writer, folder, database], { stdio: ["ignore", "pipe", "inherit"] });
  let said = 0;
  const dead = once(child, "exit");
  child.stdout.on("data", (bytes: Buffer) => {
    for (const line of bytes.toString().split("\n")) if (line !== "") said = Math.max(said, Number(line));
    if (said >= 20) child.kill("SIGKILL");
  });
  expect((await dead)[1]).toBe("SIGKILL");
  const ats = readJournal(database).facts.map((fact) => fact.at);
  expect(ats.length).toBeGreaterThanOrEqual(said);
  expect(ats).toEqual(Array.from({ length: ats.length }, (_, n) => n + 1));
});

verifies("journal:version", "stops at a fact of a newer version, and at a newer store", async () => {
  const path = join(tempFolder(), "quay.db");
  const store = openStore({ database: path });
  await store.journal.append([numbered(1)]);
  await store.close();
  const database = openDatabase(path, "write");
  database.exec("UPDATE fact SET version = 99");
  database.close();
  expect(() => readJournal(path)).toThrow(expect.objectContaining({ code: "store-too-new" }));
  const again = openStore({ database: path });
  await expect(again.journal.load()).rejects.toMatchObject({ code: "store-too-new", facts: { found: 99, known: 1 } });
  await again.close();
  const newer = openDatabase(path, "write");
  newer.exec("PRAGMA user_version = 99");
  newer.close();
  expect(() => openStore({ database: path })).toThrow(expect.objectContaining({ code: "store-too-new" }));
});

test("refuses what JSON would lose, and the facts beside it are kept", async () => {
  const store = openStore({ database: join(tempFolder(), "quay.db") });
  const lossy = {
    kind: "terminalChanged",
    at: 1,
    terminal: "t",
    patch: { tools: new Map([["a", "b"]]) },
  } as unknown as Fact;
  const [good, bad] = await Promise.allSettled([store.journal.append([numbered(1)]), store.journal.append([lossy])]);
  expect(good?.status).toBe("fulfilled");
  expect(bad).toMatchObject({ status: "rejected", reason: { code: "not-json", facts: { key: "tools" } } });
  await expect(store.journal.checkpoint({ deep: [{ n: Number.NaN }] })).rejects.toMatchObject({ code: "not-json" });
  expect((await store.journal.load()).facts).toEqual([numbered(1)]);
  await store.close();
});

test("a failed commit fails each call of it, and the next one is tried afresh", async () => {
  const database = openDatabase(join(tempFolder(), "quay.db"), "write");
  migrate(database);
  let full = true;
  const journal = openJournal({
    ...database,
    transaction: (body) => {
      if (full) throw new Error("database or disk is full");
      return database.transaction(body);
    },
  });
  const results = await Promise.allSettled([journal.append([numbered(1)]), journal.append([numbered(2)])]);
  for (const result of results) expect(result).toMatchObject({ status: "rejected", reason: { code: "store-failed" } });
  full = false;
  await journal.append([numbered(3)]);
  expect((await journal.load()).facts).toEqual([numbered(3)]);
  database.close();
});

test("is read by another while the engine writes", async () => {
  const path = join(tempFolder(), "quay.db");
  expect(readJournal(path)).toEqual({ checkpoint: null, facts: [] });
  const store = openStore({ database: path });
  await store.journal.checkpoint({ upTo: 0 });
  await store.journal.append([numbered(1)]);
  expect(readJournal(path)).toEqual({ checkpoint: { upTo: 0 }, facts: [numbered(1)] });
  await store.journal.append([numbered(2)]);
  expect(readJournal(path).facts).toHaveLength(2);
  await store.close();
});

verifies("hazard:private-files", "its files and folder are the owner's alone", async () => {
  const folder = join(tempFolder(), "state");
  const store = openStore({ database: join(folder, "quay.db") });
  await store.journal.append([numbered(1)]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of ["quay.db", "quay.db-wal", "quay.db-shm"]) {
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  }
  await store.close();
});

test("loads ten thousand facts in less than half a second", async () => {
  const store = openStore({ database: join(tempFolder(), "quay.db") });
  await store.journal.append(Array.from({ length: 10_000 }, (_, n) => numbered(n)));
  const before = performance.now();
  const { facts } = await store.journal.load();
  expect(facts).toHaveLength(10_000);
  expect(performance.now() - before).toBeLessThan(500);
  await store.close();
});

test("a file that is no database is named, with what to do", () => {
  const path = join(tempFolder(), "quay.db");
  writeFileSync(path, "this is text, not a database. ".repeat(200));
  expect(() => openStore({ database: path })).toThrow(expect.objectContaining({ code: "store-unreadable" }));
  expect(() => openStore({ database: path })).toThrow(path);
});
