/** Reading on in the record of a session: real files, and a real process that holds one open. */
import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { SessionLog } from "../../src/adapters/adapter.js";
import { terminalId } from "../../src/bus/ids.js";
import { createSessionLogs } from "../../src/feeds/session-log.js";
import { openFilesNear } from "../../src/lib/open-files.js";
import { tempFolder } from "../support/temp-folder.js";
import { until } from "../support/until.js";

const T = terminalId("term-1");
const log: SessionLog = {
  sessionOf: (path) => /\/session-(\w+)\.jsonl$/.exec(path)?.[1] ?? null,
  isMain: (head) => (head as { readonly main?: boolean }).main === true,
  keeps: (line) => line.includes('"n"'),
};
const numbers = (entries: readonly unknown[]) => entries.map((entry) => (entry as { readonly n: number }).n);

const record = (folder: string, name: string, lines: readonly unknown[], main = true): string => {
  const path = join(folder, `session-${name}.jsonl`);
  writeFileSync(
    path,
    [{ main, text: "x".repeat(100_000) }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
  return path;
};
const read = (paths: readonly string[]) => {
  const logs = createSessionLogs(async (_pid, isWanted) => paths.filter(isWanted));
  return { logs, next: (known = 5) => logs.read(T, log, 1, known) };
};

test("gives what is new since the last time, whole lines only", async () => {
  const path = record(tempFolder(), "a", [{ n: 1 }, { other: 1 }, { n: 2 }]);
  const { next } = read([path]);
  expect(await next()).toEqual({ session: "a", entries: [{ n: 1 }, { n: 2 }], since: 5 });
  expect(await next()).toEqual({ session: "a", entries: [], since: 0 });
  appendFileSync(path, '{"n":3}\nno JSON "n"\n{"n":4,"text":"hal');
  expect(await next()).toEqual({ session: "a", entries: [{ n: 3 }], since: 0 });
  appendFileSync(path, 'f é"}\n');
  expect(await next()).toMatchObject({ entries: [{ n: 4, text: "half é" }] });
});

test("reads the end only of a record that is huge", async () => {
  const filler = { other: "y".repeat(1_000_000) };
  const path = record(tempFolder(), "a", [{ n: 1 }, ...Array.from({ length: 9 }, () => filler), { n: 2 }]);
  expect(numbers((await read([path]).next()).entries)).toEqual([2]);
});

test("begins anew with a record that was forgotten or became shorter", async () => {
  const folder = tempFolder();
  const path = record(folder, "a", [{ n: 1 }, { n: 2 }]);
  const { logs, next } = read([path]);
  await next();
  logs.forget(T);
  expect(await next(9)).toMatchObject({ entries: [{ n: 1 }, { n: 2 }], since: 9 });
  record(folder, "a", [{ n: 7 }]);
  expect(numbers((await next()).entries)).toEqual([7]);
});

test("takes the person's session that was written last, and no subagent's", async () => {
  const folder = tempFolder();
  const old = record(folder, "old", [{ n: 1 }]);
  const now = record(folder, "now", [{ n: 2 }]);
  const sub = record(folder, "sub", [{ n: 3 }], false);
  utimesSync(old, 100, 100);
  utimesSync(now, 200, 200);
  utimesSync(sub, 300, 300);
  const { next } = read([old, sub, now, join(folder, "other.jsonl")]);
  expect(await next()).toMatchObject({ session: "now", entries: [{ n: 2 }] });
  utimesSync(old, 400, 400);
  expect(await next()).toMatchObject({ session: "old", entries: [{ n: 1 }], since: 5 });
});

test("claims nothing without a record, of one that is gone, and of one with no first line yet", async () => {
  const folder = tempFolder();
  const nothing = { session: null, entries: [], since: 0 };
  expect(await read([]).next()).toEqual(nothing);
  expect(await read([join(folder, "session-gone.jsonl")]).next()).toEqual(nothing);
  const empty = join(folder, "session-new.jsonl");
  writeFileSync(empty, "");
  mkdirSync(join(folder, "session-folder.jsonl"));
  expect(await read([empty, join(folder, "session-folder.jsonl")]).next()).toEqual(nothing);
  const { next } = read([empty]);
  await next();
  appendFileSync(empty, '{"main":true}\n{"n":1}\n');
  expect(await next()).toMatchObject({ session: "new", entries: [{ n: 1 }] });
});

test("the files that count are those of the process nearest to the pane", async () => {
  const folder = tempFolder();
  const own = record(folder, "own", []);
  const nested = record(folder, "nested", []);
  // A wrapper without files, below it the CLI, below that another CLI.
  const hold = (path: string, then: string): string => `exec 7<>'${path}'; echo up; ${then}`;
  const child = spawn(
    "sh",
    ["-c", `sh -c "${hold(own, `sh -c \\"${hold(nested, "read x")}\\" 7<&0; read y`)}"; read z`],
    {
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stdout.on("data", (bytes: Buffer) => {
    said += bytes.toString();
  });
  await until(
    () => said === "up\nup\n",
    5_000,
    () => `both to hold their file: ${said}`,
  );
  const isWanted = (path: string) => log.sessionOf(path) !== null;
  expect(await openFilesNear(child.pid!, isWanted)).toEqual([own]);
  expect(await openFilesNear(child.pid!, (path) => path === nested)).toEqual([nested]);
  expect(await openFilesNear(child.pid!, () => false)).toEqual([]);
  expect(await openFilesNear(2 ** 22 + 1, isWanted)).toEqual([]);
  child.stdin.end();
});
