/**
 * The turn-end helper that a person has set for Codex. Codex calls one program only, so Quay's own goes first and calls
 * theirs after it: nothing of theirs is lost. Pure: the files are read by the caller.
 * Codex 0.171 takes the setting from the command line, a profile's file, and the user's and the system's configuration,
 * in this order; it ignores one in a project's configuration.
 */
import { stringsAtTop, stringsOf } from "./toml-value.js";

type Env = Readonly<Record<string, string | undefined>>;

export const codexHome = (env: Env): string => env.CODEX_HOME || `${env.HOME ?? ""}/.codex`;

const profileIn = (args: readonly string[]): string | null => {
  for (const [index, arg] of args.entries()) {
    if (arg === "--") return null;
    const joined = /^(?:--profile=|-p=?)(.+)$/.exec(arg)?.[1];
    const name = arg === "-p" || arg === "--profile" ? args[index + 1] : joined;
    if (name !== undefined && /^[\w.-]+$/.test(name)) return name;
  }
  return null;
};

/** Files that may hold it, the strongest first. */
export const codexSettings = (env: Env, args: readonly string[]): readonly string[] => {
  const home = codexHome(env);
  const profile = profileIn(args);
  return [
    ...(profile === null ? [] : [`${home}/${profile}.config.toml`]),
    `${home}/config.toml`,
    "/etc/codex/config.toml",
  ];
};

type Taken = { readonly args: readonly string[]; readonly notify: readonly string[] | null };

const NOTIFY = /^notify\s*=([\s\S]*)$/;

/** The person's args without their own `-c notify=…`, and what it named: the last one counts. */
export const takeNotify = (args: readonly string[]): Taken => {
  const kept: string[] = [];
  let notify: readonly string[] | null = null;
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? "";
    if (arg === "--") return { args: [...kept, ...args.slice(index)], notify };
    const isSplit = arg === "-c" || arg === "--config";
    const setting = isSplit ? (args[index + 1] ?? "") : (/^(?:--config=|-c=?)([\s\S]*)$/.exec(arg)?.[1] ?? "");
    const value = NOTIFY.exec(setting.trim())?.[1];
    if (value === undefined) kept.push(arg);
    else {
      notify = stringsOf(value);
      if (isSplit) index += 1;
    }
  }
  return { args: kept, notify };
};

/** The command that the person's files name: the first file that has one. */
export const notifyIn = (texts: readonly string[]): readonly string[] | null => {
  for (const text of texts) {
    const found = stringsAtTop(text, "notify");
    if (found !== null) return found;
  }
  return null;
};
