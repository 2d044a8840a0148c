/** The words behind `/usr/bin/env` that open Mission Control from any pane of a server. Pure. */
import { resolve } from "node:path";

/** They name the state folder; a tmux server may have been started with other ones than the engine. */
const PLACES = ["QUAY_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] as const;

export const screenCommand = (
  env: Readonly<Record<string, string | undefined>>,
  node: string,
  main: string,
): readonly string[] => {
  const given = (name: string): string => env[name] ?? "";
  const away = PLACES.filter((name) => given(name) === "");
  const set = PLACES.filter((name) => given(name) !== "");
  return [...away.flatMap((name) => ["-u", name]), ...set.map((name) => `${name}=${resolve(given(name))}`), node, main];
};
