/** Starts `quay serve` in a session of its own, so that it outlives the shell and the SSH login it was started from. */
import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { messageOf, QuayError } from "../lib/errors.js";
import { statePaths } from "../lib/paths.js";
import { privateFile, privateFolder } from "../lib/private-files.js";
import type { Cli, Spawned } from "./cli.js";

const MAIN = fileURLToPath(new URL("./main.js", import.meta.url));
/** More of a log than this is not read to find the reason of a failure. */
const LOG_READ_LIMIT = 256 * 1024;

/**
 * Its output is appended to the engine's log. `program` is the script that serves: this package's own.
 * Throws QuayError "engine-start" when the process cannot be started.
 */
export const spawnServe = async (cli: Cli, program: string = MAIN): Promise<Spawned> => {
  const paths = statePaths(cli.env);
  privateFolder(paths.home);
  const logFile = privateFile(paths.log);
  const from = (await stat(logFile)).size;
  const output = openSync(logFile, "a", 0o600);
  const socket = cli.socket === null ? [] : ["--socket", cli.socket];
  try {
    const child = spawn(process.execPath, [program, ...socket, "serve", "--json"], {
      detached: true,
      stdio: ["ignore", output, output],
      env: cli.env,
      cwd: paths.home,
    });
    let status: number | null = null;
    child.once("exit", (code) => {
      status = code ?? 1;
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
    child.unref();
    return {
      pid: child.pid ?? 0,
      exitStatus: () => status,
      log: () => readFrom(logFile, from),
      logFile,
    };
  } catch (error) {
    throw new QuayError("engine-start", `The engine could not be started: ${messageOf(error)}.`, { cause: error });
  } finally {
    closeSync(output);
  }
};

const readFrom = async (path: string, from: number): Promise<string> => {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const start = Math.max(size < from ? 0 : from, size - LOG_READ_LIMIT);
    const bytes = Buffer.alloc(Math.max(0, size - start));
    await file.read(bytes, 0, bytes.length, start);
    return bytes.toString("utf8");
  } finally {
    await file.close();
  }
};
