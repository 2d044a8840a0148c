/** Reads all presets of one folder. A bad file becomes an entry with its error and hides none of the others. */
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { isName } from "../bus/text.js";
import type { PresetView } from "../bus/views.js";
import { messageOf } from "../lib/errors.js";
import { checkOwn, readOwnJson } from "./own-file.js";
import { type Preset, presetSchema } from "./preset-file.js";

export type Origin = PresetView["origin"];

export type Shelved = {
  readonly name: string;
  readonly origin: Origin;
  readonly path: string;
} & ({ readonly preset: Preset; readonly error: null } | { readonly preset: null; readonly error: string });

/** The name that a person would look for, when the file itself is not usable. */
const nameOfBad = (path: string, read: unknown): string =>
  typeof read === "object" && read !== null && "name" in read && typeof read.name === "string" && isName(read.name)
    ? read.name
    : basename(path, ".json");

const readPreset = (path: string, origin: Origin, kinds: readonly string[]): Shelved => {
  let read: unknown;
  try {
    read = readOwnJson(path);
    const preset = checkOwn(path, presetSchema(kinds), read);
    return { name: preset.name, origin, path, preset, error: null };
  } catch (error) {
    return { name: nameOfBad(path, read), origin, path, preset: null, error: messageOf(error) };
  }
};

/** By file name; a folder that is not there is empty. Of two good files of one name the second is an error. */
export const readPresets = (folder: string, origin: Origin, kinds: readonly string[]): readonly Shelved[] => {
  let names: readonly string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(".json") && !name.startsWith("."));
  } catch {
    return [];
  }
  const shelved = [...names].sort().map((name) => readPreset(join(folder, name), origin, kinds));
  return shelved.map((entry, at) => {
    const first = shelved.slice(0, at).find((other) => other.error === null && other.name === entry.name);
    return first === undefined || entry.error !== null
      ? entry
      : { ...entry, preset: null, error: `${entry.path}: ${basename(first.path)} is called "${entry.name}" too` };
  });
};
