import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { privateFile, privateFolder, writePrivate } from "../../../src/lib/private-files.js";
import { tempFolder } from "../../support/temp-folder.js";
import { verifies } from "../../support/verifies.js";

const modeOf = (path: string): number => statSync(path).mode & 0o777;

const withUmask = (mask: number): void => {
  const before = process.umask(mask);
  onTestFinished(() => {
    process.umask(before);
  });
};

verifies("hazard:private-files", "folders and files are private whatever the umask says", () => {
  withUmask(0o000);
  const folder = privateFolder(join(tempFolder(), "a", "b"));
  expect(modeOf(folder)).toBe(0o700);
  expect(modeOf(join(folder, ".."))).toBe(0o700);
  writePrivate(join(folder, "secret"), "s");
  expect(modeOf(join(folder, "secret"))).toBe(0o600);
  expect(modeOf(privateFile(join(folder, "empty")))).toBe(0o600);
});

verifies("hazard:private-files", "others' rights on what was there are taken away", () => {
  withUmask(0o000);
  const root = tempFolder();
  mkdirSync(join(root, "wide"), { mode: 0o755 });
  expect(modeOf(privateFolder(join(root, "wide")))).toBe(0o700);
  writeFileSync(join(root, "wide", "old"), "kept", { mode: 0o644 });
  expect(modeOf(privateFile(join(root, "wide", "old")))).toBe(0o600);
  expect(readFileSync(join(root, "wide", "old"), "utf8")).toBe("kept");
  chmodSync(join(root, "wide", "old"), 0o644);
  writePrivate(join(root, "wide", "old"), "new");
  expect(modeOf(join(root, "wide", "old"))).toBe(0o600);
});

test("a write replaces the whole text and leaves nothing beside it", () => {
  const folder = tempFolder();
  const path = join(folder, "note.json");
  writePrivate(path, "a long first text");
  writePrivate(path, "short é");
  expect(readFileSync(path, "utf8")).toBe("short é");
  expect(readdirSync(folder)).toEqual(["note.json"]);
});

test("a write to a link replaces the link, not what it points to", () => {
  const folder = tempFolder();
  writeFileSync(join(folder, "victim"), "untouched");
  symlinkSync(join(folder, "victim"), join(folder, "note"));
  writePrivate(join(folder, "note"), "mine");
  expect(readFileSync(join(folder, "victim"), "utf8")).toBe("untouched");
});

test("what cannot be used is named, and leaves nothing behind", () => {
  const folder = tempFolder();
  writeFileSync(join(folder, "file"), "");
  expect(() => privateFolder(join(folder, "file"))).toThrow(expect.objectContaining({ code: "folder-unusable" }));
  expect(() => privateFolder(join(folder, "file", "below"))).toThrow(join(folder, "file", "below"));
  mkdirSync(join(folder, "taken"));
  expect(() => writePrivate(join(folder, "taken"), "x")).toThrow(expect.objectContaining({ code: "file-unusable" }));
  expect(() => writePrivate(join(folder, "none", "x"), "x")).toThrow(
    expect.objectContaining({ code: "file-unusable" }),
  );
  expect(() => privateFile(join(folder, "taken"))).toThrow(expect.objectContaining({ code: "file-unusable" }));
  expect(existsSync(join(folder, "none"))).toBe(false);
  expect(readdirSync(folder).sort()).toEqual(["file", "taken"]);
});
