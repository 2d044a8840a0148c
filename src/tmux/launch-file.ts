/**
 * A pane gets its environment by a private file, which its first step reads and removes. tmux keeps every command that
 * it was told, `-e` included, in a log that any pane can read (`show-messages`), and secrets must not stand there.
 */
import { readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { QuayError } from "../lib/errors.js";
import { privateFolder, writePrivate } from "../lib/private-files.js";
import { envName } from "./quote.js";

const READ_AND_BECOME = '. "$1" && rm -f "$1" && shift && exec "$@"';

/** For sh, between single quotes. */
const quoted = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;

/** The file's text. Throws QuayError `launch-failed` for a NUL, RangeError for a name that is none. */
export const launchText = (env: Readonly<Record<string, string>>): string =>
  Object.entries(env)
    .map(([name, value]) => {
      if (value.includes("\0"))
        throw new QuayError("launch-failed", `${name} holds a NUL character, which no environment can.`);
      return `export ${envName(name)}=${quoted(value)}\n`;
    })
    .join("");

export type LaunchFile = { readonly path: string /** Quiet when the pane has removed it. */; remove(): void };

export const writeLaunchFile = (
  folder: string,
  terminal: string,
  env: Readonly<Record<string, string>>,
): LaunchFile => {
  const path = join(privateFolder(folder), `${terminal}.env`);
  writePrivate(path, launchText(env));
  return { path, remove: () => rmSync(path, { force: true }) };
};

/** A pane reads its file at once: what is older, in ms, was left by one that never started. */
const LEFT_AFTER_MS = 60_000;

/** Removes files that no pane will read any more, and the folder when it is empty. Quiet. */
export const removeLeftFiles = (folder: string): void => {
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (Date.now() - statSync(path).mtimeMs > LEFT_AFTER_MS) rmSync(path, { force: true });
    }
    rmdirSync(folder);
  } catch {
    // Not there, not empty, or being read: the next start looks again.
  }
};

/** The words of a pane that reads the file and becomes this program, with the same process id. */
export const throughLaunchFile = (path: string, argv: readonly string[]): readonly string[] => [
  ...["/bin/sh", "-c", READ_AND_BECOME, "sh", path],
  ...argv,
];
