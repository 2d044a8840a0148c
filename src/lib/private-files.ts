/**
 * Folders and files that are their owner's alone from their first byte (0700, 0600). Text is written beside its place
 * and moved there, so that a reader never sees half of it, and a crash leaves the old text or the new one.
 */
import {
  chmodSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { messageOf, QuayError } from "./errors.js";
import { randomLetters } from "./ids.js";

const codeOf = (error: unknown): string | null =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;

/**
 * Makes the folder and its parents; takes group's and others' rights away when it was there.
 * Throws QuayError `folder-unusable` when it is no folder, is another user's, or cannot be made.
 */
export const privateFolder = (path: string): string => {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const seen = statSync(path);
    const owner = process.getuid?.() ?? seen.uid;
    if (seen.uid !== owner) {
      throw new QuayError(
        "folder-unusable",
        `${path} belongs to another user (uid ${seen.uid}). Choose another folder.`,
        {
          facts: { path, uid: seen.uid },
        },
      );
    }
    if ((seen.mode & 0o077) !== 0) chmodSync(path, 0o700);
    return path;
  } catch (error) {
    if (error instanceof QuayError) throw error;
    throw new QuayError(
      "folder-unusable",
      `The folder ${path} cannot be used: ${messageOf(error)}. Make it writable, or choose another by QUAY_HOME.`,
      { facts: { path }, cause: error },
    );
  }
};

/** Makes an empty private file when there is none, and takes others' rights away when there is. Never opens an old one. */
export const privateFile = (path: string): string => {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") {
      throw new QuayError("file-unusable", `The file ${path} cannot be made: ${messageOf(error)}.`, {
        facts: { path },
        cause: error,
      });
    }
    const seen = lstatSync(path);
    if (!seen.isFile()) {
      throw new QuayError("file-unusable", `${path} is not a regular file. Remove it, then try again.`, {
        facts: { path },
      });
    }
    if ((seen.mode & 0o077) !== 0) chmodSync(path, 0o600);
  }
  return path;
};

const syncFolder = (path: string): void => {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};

/** Replaces the file's text in one step, on disk before it returns. Throws QuayError `file-unusable`. */
export const writePrivate = (path: string, text: string): void => {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.${randomLetters(6)}.tmp`);
  try {
    const file = openSync(draft, "wx", 0o600);
    try {
      fchmodSync(file, 0o600);
      const bytes = Buffer.from(text, "utf8");
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
    syncFolder(dirname(path));
  } catch (error) {
    rmSync(draft, { force: true });
    throw new QuayError("file-unusable", `${path} cannot be written: ${messageOf(error)}.`, {
      facts: { path },
      cause: error,
    });
  }
};
