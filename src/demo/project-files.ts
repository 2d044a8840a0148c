/**
 * Files of the demo project, inside one folder and nowhere else. Never writes over a file that is not ours (no mark
 * of the demo in it), never through a link that leads out of the folder.
 */
import { createHash } from "node:crypto";
import { lstat, mkdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { QuayError } from "../lib/errors.js";
import { OUR_MARK } from "./sample-project.js";

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");

const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way === "" || (!way.startsWith("..") && !isAbsolute(way));
};

/** Text of a regular file of the project; null when there is none. Throws QuayError on anything else. */
export const readProjectFile = async (cwd: string, file: string, longest = 262_144): Promise<string | null> => {
  try {
    const path = await realpath(resolve(cwd, file));
    if (!isInside(await realpath(cwd), path))
      throw new QuayError("demo.outside", `${file} is outside of this agent's folder; it is not read.`);
    const found = await lstat(path);
    if (!found.isFile()) throw new QuayError("demo.not-a-file", `${file} is not a regular file.`);
    if (found.size > longest)
      throw new QuayError("demo.too-long", `${file} is ${found.size} bytes; at most ${longest} are read.`);
    return await readFile(path, "utf8");
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
};

/** Refuses unless the file is absent or one of ours. */
const assertOurs = async (cwd: string, file: string): Promise<void> => {
  const text = await readProjectFile(cwd, file);
  if (text !== null && !text.includes(OUR_MARK))
    throw new QuayError(
      "demo.not-ours",
      `${file} exists and the demo did not write it; it is left alone. Run the demo in an empty folder.`,
    );
};

const folderOf = async (cwd: string, file: string): Promise<string> => {
  const folder = dirname(resolve(cwd, file));
  await mkdir(folder, { recursive: true });
  const real = await realpath(folder);
  if (!isInside(await realpath(cwd), real))
    throw new QuayError("demo.outside", `${dirname(file)} leads out of this agent's folder; nothing is written.`);
  return real;
};

export const writeProjectFile = async (cwd: string, file: string, text: string): Promise<void> => {
  await assertOurs(cwd, file);
  const folder = await folderOf(cwd, file);
  const draft = join(folder, `.${basename(file)}.${process.pid}.tmp`);
  await writeFile(draft, text, { flag: "w", mode: 0o644 });
  await rename(draft, join(folder, basename(file)));
};

/** True when a file of an earlier run was taken away. */
export const removeOurFile = async (cwd: string, file: string): Promise<boolean> => {
  const text = await readProjectFile(cwd, file);
  if (text === null || !text.includes(OUR_MARK)) return false;
  await rm(resolve(cwd, file));
  return true;
};

/** SHA-256 of a project file in hex; null when it is not there. */
export const hashProjectFile = async (cwd: string, file: string): Promise<string | null> => {
  const text = await readProjectFile(cwd, file);
  return text === null ? null : hashText(text);
};

export const hashText = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");
