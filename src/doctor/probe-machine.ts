/** Looks at the machine, at the state folder and at the port. Reads only: it makes and mends nothing. */
import { lstatSync, readdirSync, readFileSync, type Stats, statfsSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import type { MachineFacts, OpenPath, StateFacts } from "./facts.js";
import { type Env, findProgram, runBriefly } from "./run-program.js";

const ASK_WITHIN_MS = 2_000;

const first = (...values: readonly (string | undefined)[]): string | null =>
  values.find((value) => value !== undefined && value !== "") ?? null;

const LOGIND = ["/etc/systemd/logind.conf.d", "/run/systemd/logind.conf.d", "/usr/lib/systemd/logind.conf.d"];

/** The last line of logind's files that says it; null: none does. */
const killsByFile = (): boolean | null => {
  const dropIns = LOGIND.flatMap((folder) => {
    try {
      return readdirSync(folder)
        .sort()
        .map((name) => join(folder, name));
    } catch {
      return [];
    }
  });
  let kills: boolean | null = null;
  for (const file of ["/etc/systemd/logind.conf", ...dropIns]) {
    try {
      const found = [...readFileSync(file, "utf8").matchAll(/^\s*KillUserProcesses\s*=\s*(\w+)/gimu)].at(-1)?.[1];
      if (found !== undefined) kills = /^(yes|true|on|1)$/i.test(found);
    } catch {
      // Not there, or not readable.
    }
  }
  return kills;
};

const askLogind = async (env: Env, cwd: string): Promise<MachineFacts["logout"]> => {
  const loginctl = findProgram("loginctl", env, cwd);
  if (loginctl === null) return null;
  const user = String(process.getuid?.() ?? 0);
  const shown = await runBriefly(loginctl, ["show-user", user, "-p", "Linger"], env, ASK_WITHIN_MS);
  const busctl = findProgram("busctl", env, cwd);
  const place = ["org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager"];
  const asked =
    busctl === null
      ? null
      : await runBriefly(busctl, ["get-property", ...place, "KillUserProcesses"], env, ASK_WITHIN_MS);
  const kills = /^b (true|false)/.exec(asked?.out ?? "")?.[1];
  const lingers = /^Linger=(yes|no)/m.exec(shown?.out ?? "")?.[1];
  const byFile = killsByFile();
  // Without a running logind nobody ends anything, unless its own file says that it would.
  if (kills === undefined && lingers === undefined && byFile !== true) return null;
  return {
    killsProcesses: kills === undefined ? byFile : kills === "true",
    lingers: lingers === undefined ? null : lingers === "yes",
  };
};

export const probeMachine = async (env: Env, cwd: string): Promise<MachineFacts> => ({
  platform: process.platform,
  node: process.version,
  locale: first(env.LC_ALL, env.LC_CTYPE, env.LANG),
  curl: findProgram("curl", env, cwd) !== null,
  logout: process.platform === "linux" ? await askLogind(env, cwd) : null,
});

const MOST_PATHS = 20_000;
const NAMED = 20;
/** NFS, SMB and CIFS, as statfs(2) numbers them. */
const NETWORK = [0x6969, 0x517b, 0xff534d42, 0xfe534d42];

/** Folders and files below that group or others may use; links are not followed. */
const openBelow = (root: string): readonly OpenPath[] => {
  const open: OpenPath[] = [];
  const waiting = [root];
  for (let seen = 0; waiting.length > 0 && seen < MOST_PATHS; seen += 1) {
    const path = waiting.pop() as string;
    try {
      const found = lstatSync(path);
      const mode = found.mode & 0o777;
      if (found.isSymbolicLink()) continue;
      if ((mode & 0o077) !== 0) open.push({ path, mode, isFolder: found.isDirectory() });
      if (found.isDirectory()) waiting.push(...readdirSync(path).map((name) => join(path, name)));
    } catch {
      // Gone meanwhile, or not ours to read.
    }
  }
  return open.slice(0, NAMED);
};

const nearest = (path: string): string => {
  try {
    lstatSync(path);
    return path;
  } catch {
    return dirname(path) === path ? path : nearest(dirname(path));
  }
};

const spaceAt = (path: string): { readonly freeBytes: number | null; readonly isNetwork: boolean } => {
  try {
    const { bavail, bsize, type } = statfsSync(nearest(path));
    return { freeBytes: bavail * bsize, isNetwork: NETWORK.includes(type >>> 0) };
  } catch {
    return { freeBytes: null, isNetwork: false };
  }
};

/** @param config the folder of settings and presets, which may be another one. */
export const probeState = (home: string, config: string, settingsFault: string | null): StateFacts => {
  const seen = lstatOrNull(home);
  const owner = process.getuid?.();
  const folders = config === home ? [home] : [home, config];
  return {
    home,
    exists: seen !== null,
    isForeign: seen !== null && owner !== undefined && seen.uid !== owner,
    open: folders.flatMap((folder) => (lstatOrNull(folder) === null ? [] : openBelow(folder))),
    ...spaceAt(home),
    settingsFault,
  };
};

const lstatOrNull = (path: string): Stats | null => {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
};

/** Takes the port for an instant; nothing is sent and nobody is asked. */
export const isPortTaken = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => done(error.code === "EADDRINUSE"));
    server.listen({ host: "127.0.0.1", port, exclusive: true }, () => server.close(() => done(false)));
  });
