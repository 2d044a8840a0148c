/**
 * The real doors of the command line: engine, store, screen, processes. Heavy parts are loaded when they are used, so
 * that `quay ls` starts without Ink and without the database.
 */
import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import type { Endpoint } from "../engine/client.js";
import { connectRemote } from "../engine/remote-client.js";
import { messageOf, QuayError } from "../lib/errors.js";
import { statePaths } from "../lib/paths.js";
import { projectOf } from "../lib/project.js";
import type { Doors } from "./cli.js";
import { startPrivateTmux } from "./private-tmux.js";
import { showLiveTrail, showMissionControl } from "./screen.js";
import { spawnServe } from "./spawn-serve.js";

const endpointShape: z.ZodType<Endpoint> = z.looseObject({
  url: z.url(),
  port: z.number().int(),
  pid: z.number().int().positive(),
  socket: z.string(),
  home: z.string(),
});

export const realDoors: Doors = {
  startEngine: async (options) => (await import("../engine/compose.js")).startEngine(options),
  connect: (address) => connectRemote(address),
  readStore: async (env) => (await import("../engine/compose-reading.js")).readStoredSnapshot(env),
  readPresets: async (env, cwd) => (await import("../engine/compose-reading.js")).readPresets(env, cwd),
  openSettings: async (env) => (await import("../engine/compose-reading.js")).openSettings(env),
  readEndpoint: async (env) => readEndpoint(env),
  readPlace,
  openMailbox: async (env) => (await import("../engine/compose-mailbox.js")).openMailboxFile(env),
  privateTmux: startPrivateTmux,
  probe: async (input) => (await import("../doctor/probe.js")).probe(input),
  spawnServe,
  missionControl: showMissionControl,
  liveTrail: showLiveTrail,
  run: (argv, env) => runHere(argv, env),
  feed,
  projectOf,
  isAlive: (pid) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "EPERM";
    }
  },
  removeTmuxServer,
};

/** Null when no engine left an endpoint. Throws QuayError "endpoint-unreadable" for a file that is none. */
export const readEndpoint = (
  env: NodeJS.ProcessEnv,
): { readonly endpoint: Endpoint; readonly token: string } | null => {
  const paths = statePaths(env);
  const text = readIfThere(paths.endpoint);
  const token = readIfThere(paths.ownerToken)?.trim();
  if (text === null || token === undefined || token === "") return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  const parsed = endpointShape.safeParse(value);
  if (parsed.success) return { endpoint: parsed.data, token };
  throw new QuayError(
    "endpoint-unreadable",
    `${paths.endpoint} does not say where the engine is. If no engine runs, remove the file; else end it and start it again.`,
  );
};

const readIfThere = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new QuayError("file-unusable", `${path} cannot be read: ${messageOf(error)}. Make it yours and readable.`);
  }
};

/** Never throws: settings that cannot be used are a finding. */
async function readPlace(env: NodeJS.ProcessEnv): ReturnType<Doors["readPlace"]> {
  try {
    return { kind: "read", ...(await import("../engine/compose-reading.js")).readPlace(env) };
  } catch (error) {
    return { kind: "faulty", why: messageOf(error) };
  }
}

/** The program has this terminal until it ends; Ctrl-C is its own meanwhile. */
const runHere = (argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> =>
  new Promise((resolve, reject) => {
    const [program, ...args] = argv;
    if (program === undefined) throw new QuayError("run", "There is no command to run.");
    const ignore = (): void => {};
    process.on("SIGINT", ignore);
    const child = spawn(program, args, { stdio: "inherit", env });
    child.once("error", (error) => {
      process.off("SIGINT", ignore);
      reject(new QuayError("run", `${program} could not be started: ${messageOf(error)}. Is it installed?`));
    });
    child.once("exit", (status) => {
      process.off("SIGINT", ignore);
      resolve(status ?? 1);
    });
  });

function feed(argv: readonly string[], input: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    const [program = "", ...args] = argv;
    const child = execFile(program, args, { env, timeout: 5_000 }, (error, printed, said) => {
      if (error === null) resolve(printed);
      else reject(new QuayError("run", said.trim() || messageOf(error)));
    });
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}

/** tmux leaves the socket file behind; its place is tmux's own: $TMUX_TMPDIR or /tmp, then tmux-UID. */
async function removeTmuxServer(socket: string, env: NodeJS.ProcessEnv): Promise<void> {
  const clean = { ...env, TMUX: undefined };
  await promisify(execFile)("tmux", ["-L", socket, "kill-server"], { env: clean, timeout: 5_000 }).catch(() => {});
  const folder = env.TMUX_TMPDIR ?? "/tmp";
  await rm(join(folder, `tmux-${process.getuid?.() ?? 0}`, socket), { force: true }).catch(() => {});
}
