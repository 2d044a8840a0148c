import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createEmptyFolders, type EmptyFolders } from "../../src/feeds/empty-folders.js";
import { until } from "../support/until.js";

let folder: string;
let later: number;
let empty: EmptyFolders;
const list = (): void => empty.beforeListing(folder)();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "quay-empty-"));
  later = 60_000;
  empty = createEmptyFolders(() => Date.now() + later);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a folder that was never listed may hold something", () => {
  expect(empty.mayHold(folder)).toBe(true);
});

test("one that was empty long after its last change holds nothing", () => {
  list();
  expect(empty.mayHold(folder)).toBe(false);
});

test("a listing close to the change proves nothing: the next file may bear the same time", () => {
  later = 1_000;
  list();
  expect(empty.mayHold(folder)).toBe(true);
});

test.each([
  ["written", () => writeFileSync(join(folder, "one"), "")],
  [
    "moved in",
    () => {
      writeFileSync(`${folder}-one`, "");
      renameSync(`${folder}-one`, join(folder, "one"));
    },
  ],
])("a file that is %s is noticed", async (_, come) => {
  list();
  const notices = (): boolean => {
    come();
    return empty.mayHold(folder);
  };
  await until(notices, 1_000, "the time of the file system to go on");
});

test("a listing that is not found empty is forgotten", () => {
  list();
  empty.beforeListing(folder);
  expect(empty.mayHold(folder)).toBe(true);
});

test("a folder that went and came back may hold something, one that went too", () => {
  list();
  rmSync(folder, { recursive: true });
  expect(empty.mayHold(folder)).toBe(true);
  mkdirSync(folder);
  expect(empty.mayHold(folder)).toBe(true);
});
