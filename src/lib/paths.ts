/**
 * Where Quay keeps what: one folder for everything when QUAY_HOME says so, else the XDG folders of the user.
 * Only names places; makes none of them (see private-files.ts).
 */
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";

export type StatePaths = {
  /** The state folder: what belongs to one engine, and what its lock guards. */
  readonly home: string;
  readonly config: string;
  readonly settings: string;
  /** The user's own presets. */
  readonly presets: string;
  readonly database: string;
  /** The agent mailbox: accounts, keys, threads. */
  readonly mailbox: string;
  readonly lock: string;
  /** One folder per terminal below it; hooks leave their events there. */
  readonly spool: string;
  /** One private file for each terminal whose CLI runs a server. */
  readonly servers: string;
  readonly ownerToken: string;
  /** Where a running engine can be reached. */
  readonly endpoint: string;
  readonly log: string;
  /** The configuration of Quay's own tmux server. */
  readonly tmuxConfig: string;
  /** Files that are made anew at each start. */
  readonly runtime: string;
  /** Name of Quay's own tmux server (`tmux -L`): `quay` for the default folders, else made from the state folder. */
  readonly tmuxSocket: string;
};

type Env = Readonly<Record<string, string | undefined>>;

/** The real path of a folder that may not exist yet: one folder has one name, before and after it is made. */
const realPath = (path: string): string => {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch {
    const parent = dirname(absolute);
    return parent === absolute ? absolute : join(realPath(parent), basename(absolute));
  }
};

/** An XDG folder counts only when it is absolute (XDG Base Directory Specification). */
const xdg = (value: string | undefined, fallback: string): string =>
  value !== undefined && isAbsolute(value) ? value : fallback;

export const statePaths = (env: Env): StatePaths => {
  const userHome = env.HOME !== undefined && env.HOME !== "" ? env.HOME : homedir();
  const own = env.QUAY_HOME !== undefined && env.QUAY_HOME !== "" ? realPath(env.QUAY_HOME) : null;
  const byDefault = realPath(join(userHome, ".local", "state", "quay"));
  const home = own ?? realPath(join(xdg(env.XDG_STATE_HOME, join(userHome, ".local", "state")), "quay"));
  const config = own ?? realPath(join(xdg(env.XDG_CONFIG_HOME, join(userHome, ".config")), "quay"));
  const mark = createHash("sha256").update(home).digest("hex").slice(0, 8);
  return {
    home,
    config,
    settings: join(config, "settings.json"),
    presets: join(config, "presets"),
    database: join(home, "quay.db"),
    mailbox: join(home, "mailbox.db"),
    lock: join(home, "engine.lock"),
    spool: join(home, "spool"),
    servers: join(home, "servers"),
    ownerToken: join(home, "owner-token"),
    endpoint: join(home, "endpoint.json"),
    log: join(home, "quay.log"),
    tmuxConfig: join(home, "tmux.conf"),
    runtime: join(home, "run"),
    tmuxSocket: home === byDefault ? "quay" : `quay-${mark}`,
  };
};
