/** Which project a folder belongs to: the root of its git working tree, else its real path (DECISIONS A15). */
import { execFile } from "node:child_process";
import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { QuayError } from "./errors.js";

const run = promisify(execFile);
const GIT_WITHIN_MS = 5_000;

/** The real path of a folder. Throws QuayError "no-folder" when there is none. */
export const realFolder = async (folder: string): Promise<string> => {
  const path = resolve(folder);
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isDirectory()) {
    throw new QuayError("no-folder", `There is no folder ${path}. Make it first, or name another one.`, {
      facts: { path },
    });
  }
  return await realpath(path);
};

/** Git's own variables would point it at another repository than the folder's, so they are left out. */
export const projectOf = async (folder: string): Promise<string> => {
  const path = await realFolder(folder);
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  try {
    const { stdout } = await run("git", ["-C", path, "rev-parse", "--show-toplevel"], { env, timeout: GIT_WITHIN_MS });
    const root = stdout.replace(/\n$/u, "");
    return root === "" ? path : await realpath(root);
  } catch {
    return path;
  }
};
