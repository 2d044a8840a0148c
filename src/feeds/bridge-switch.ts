/**
 * Looks whether a setting of the person keeps a CLI's bridge silent, so that the remedy can name it (DECISIONS A13).
 * Reads only; the first file that holds the setting counts. Never throws: a file that cannot be read says nothing.
 */
import { readFile } from "node:fs/promises";
import type { Adapter } from "../adapters/adapter.js";

type Switch = NonNullable<Adapter["bridgeSwitch"]>;

const readObject = async (file: string): Promise<Readonly<Record<string, unknown>> | null> => {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
};

/** Such as `disableAllHooks in /home/user/.claude/settings.json`; null when nothing is switched off. */
export const findBridgeSwitch = async (
  bridge: Switch,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Promise<string | null> => {
  for (const file of bridge.files(env, cwd)) {
    const content = await readObject(file);
    const name = content === null ? null : bridge.offIn(content);
    if (name !== null) return `${name} in ${file}`;
  }
  return null;
};
