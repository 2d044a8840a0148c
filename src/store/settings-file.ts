/**
 * The settings as a person reads and changes them: every known key with what it is, and a file that is checked as a
 * whole before it is written. A file with a fault is never written over.
 */
import { chmodSync } from "node:fs";
import { z } from "zod";
import { QuayError } from "../lib/errors.js";
import { checkOwn } from "./own-file.js";
import { type LevelChoices, openConf, readStored, settingsFor } from "./settings.js";

export type KnownSetting = {
  /** With dots, such as `mailbox.notify`. */
  readonly key: string;
  readonly about: string;
  /** Null where the default is no value: `about` says what happens then. */
  readonly byDefault: unknown;
};

export type SettingsFile = {
  readonly path: string;
  readonly kinds: readonly string[];
  readonly known: readonly KnownSetting[];
  /** What the file says of this key, or the default. Throws QuayError `setting-unknown`, `file-invalid`. */
  get(key: string): { readonly value: unknown; readonly isSet: boolean };
  /** As JSON, or as plain text where no JSON is meant. Throws QuayError `setting-unknown`, `setting-invalid`, `file-invalid`. */
  set(key: string, text: string): unknown;
  /** Back to the default. */
  unset(key: string): void;
};

type Node = {
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Node>>;
};

/** Every key of the schema that holds a value, in its order. */
export const knownSettings = (kinds: readonly string[], levels: LevelChoices = {}): readonly KnownSetting[] => {
  const walk = (node: Node, path: readonly string[]): readonly KnownSetting[] =>
    node.properties === undefined
      ? [{ key: path.join("."), about: node.description ?? "", byDefault: node.default ?? null }]
      : Object.entries(node.properties).flatMap(([name, below]) => walk(below, [...path, name]));
  return walk(z.toJSONSchema(settingsFor(kinds, levels), { io: "input", unrepresentable: "any" }) as Node, []);
};

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null && !Array.isArray(value);

const valueAt = (tree: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isTree(value) && Object.hasOwn(value, name) ? value[name] : undefined), tree);

/** The tree with this value; undefined takes the key out, and the folders that it leaves empty. */
const withValue = (tree: Tree, [name, ...rest]: readonly string[], value: unknown): Tree => {
  if (name === undefined) return tree;
  const { [name]: old, ...others } = tree;
  const next = rest.length === 0 ? value : withValue(isTree(old) ? old : {}, rest, value);
  const isEmpty = next === undefined || (rest.length > 0 && isTree(next) && Object.keys(next).length === 0);
  return isEmpty ? others : { ...others, [name]: next };
};

/** What a person may have meant by this text, the likeliest first. */
const readingsOf = (text: string): readonly unknown[] => {
  try {
    return [JSON.parse(text) as unknown, text, [text]];
  } catch {
    return [text, [text]];
  }
};

export const openSettingsFile = (
  paths: { readonly settings: string },
  kinds: readonly string[],
  levels: LevelChoices = {},
): SettingsFile => {
  const path = paths.settings;
  const schema = settingsFor(kinds, levels);
  const known = knownSettings(kinds, levels);

  const find = (key: string): KnownSetting => {
    const found = known.find((setting) => setting.key === key);
    if (found !== undefined) return found;
    const near = known.filter((setting) => setting.key.startsWith(`${key}.`) || setting.key.endsWith(`.${key}`));
    const advice =
      near.length > 0 ? `Did you mean ${near.map((one) => one.key).join(", ")}?` : "quay config list shows all.";
    throw new QuayError("setting-unknown", `There is no setting '${key}'. ${advice}`, { facts: { key } });
  };

  /** The file as it is; throws when it has a fault, so that none is written over. */
  const stored = (): Tree => {
    const tree = readStored(path);
    checkOwn(path, schema, tree);
    return tree;
  };

  const write = (tree: Tree): void => {
    openConf(path).store = tree;
    chmodSync(path, 0o600);
  };

  return {
    path,
    kinds,
    known,
    get: (key) => {
      const setting = find(key);
      const value = valueAt(stored(), key.split("."));
      return value === undefined ? { value: setting.byDefault, isSet: false } : { value, isSet: true };
    },
    set: (key, text) => {
      find(key);
      const tree = stored();
      const checked = readingsOf(text).map((value) => {
        const next = withValue(tree, key.split("."), value);
        const result = schema.safeParse(next);
        return { value, next, error: result.success ? null : result.error };
      });
      const good = checked.find((one) => one.error === null);
      if (good !== undefined) {
        write(good.next);
        return good.value;
      }
      const why = checked[0]?.error?.issues.map((issue) => issue.message).join("; ") ?? "";
      throw new QuayError("setting-invalid", `${key} cannot be ${text}: ${why}.`, { facts: { key } });
    },
    unset: (key) => {
      find(key);
      write(withValue(stored(), key.split("."), undefined));
    },
  };
};
