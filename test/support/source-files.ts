/** Reads the repository's own sources for the tests that hold its borders. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export type SourceFile = { readonly path: string; readonly text: string };

export const repositoryRoot = fileURLToPath(new URL("../..", import.meta.url));

/** Files below a folder of the repository whose path matches; paths are relative to the root, with `/`. */
export const readSources = (folder: string, wanted: RegExp): readonly SourceFile[] => {
  const entries = readdirSync(join(repositoryRoot, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(repositoryRoot, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => wanted.test(path) && !/node_modules|\/\.e2e\//.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(repositoryRoot, path), "utf8") }));
};
