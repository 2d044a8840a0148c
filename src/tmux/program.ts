/** What a launch needs on disk, looked at before tmux is asked: tmux replaces a missing folder in silence. */
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { QuayError } from "../lib/errors.js";

const isFolder = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
};

const isProgram = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
};

/** Throws QuayError `no-folder`. */
export const checkFolder = async (cwd: string): Promise<void> => {
  if (isAbsolute(cwd) && (await isFolder(cwd))) return;
  throw new QuayError(
    "no-folder",
    `There is no folder ${cwd} that a terminal could start in. Create it, or choose another.`,
    {
      facts: { folder: cwd },
    },
  );
};

/** Throws QuayError `no-program`. `path`: the PATH that the pane will have. */
export const checkProgramExists = async (program: string, cwd: string, path: string): Promise<void> => {
  if (program.includes("/")) {
    if (await isProgram(resolve(cwd, program))) return;
    throw noProgram(program, `There is no program ${program} that can be run`);
  }
  for (const folder of path.split(":")) {
    if (program !== "" && (await isProgram(join(resolve(cwd, folder), program)))) return;
  }
  throw noProgram(program, `The program "${program}" is not on the PATH of the tmux server (${path})`);
};

const noProgram = (program: string, what: string): QuayError =>
  new QuayError("no-program", `${what}. Install it, or give its full path in settings.json (adapters.KIND.command).`, {
    facts: { program },
  });
