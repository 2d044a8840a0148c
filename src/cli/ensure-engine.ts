/**
 * An engine that runs on its own: the one that is there, or `quay serve` started in a session of its own, so that it
 * outlives the shell. Bounded to 10 s, with progress on stderr; when it fails, the reason comes from what it logged.
 */
import { setTimeout as delay } from "node:timers/promises";
import { QuayError } from "../lib/errors.js";
import type { Cli, Spawned } from "./cli.js";
import { type Reached, reach } from "./connect.js";

const READY_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 100;
/** How long an engine that was started elsewhere at the same moment may take to answer. */
const RIVAL_WITHIN_MS = 3_000;

export const ensureEngine = async (cli: Cli): Promise<Reached> => {
  const running = await reach(cli);
  return running ?? (await startDetached(cli, (line) => cli.err.write(line)));
};

/** Starts a detached engine and waits until it answers. Throws QuayError "engine-start" with the reason. */
export const startDetached = async (cli: Cli, say: (line: string) => void): Promise<Reached> => {
  say("quay: starting the engine\n");
  const spawned = await cli.doors.spawnServe(cli);
  const deadline = cli.now() + READY_WITHIN_MS;
  let rivalUntil: number | null = null;
  for (;;) {
    const reached = await reach(cli);
    if (reached !== null) {
      say(`quay: the engine runs as process ${reached.endpoint?.pid ?? spawned.pid}\n`);
      return reached;
    }
    const now = cli.now();
    if (spawned.exitStatus() !== null) {
      const reason = reasonIn(await spawned.log());
      if (reason.code !== "engine-running") throw startFailed(spawned, `ended at once: ${reason.text}`);
      rivalUntil ??= now + RIVAL_WITHIN_MS;
      if (now >= rivalUntil) throw startFailed(spawned, `gave way to another: ${reason.text}`);
    }
    if (now >= deadline) {
      const reason = reasonIn(await spawned.log());
      throw startFailed(spawned, `does not answer after ${READY_WITHIN_MS / 1000} s: ${reason.text}`);
    }
    await delay(LOOK_EVERY_MS);
  }
};

const startFailed = (spawned: Spawned, what: string): QuayError =>
  new QuayError("engine-start", `The engine (process ${spawned.pid}) ${what}\nIts log: ${spawned.logFile}`);

/** The line that `quay serve --json` prints when it cannot start, else the last lines of the log. Pure. */
export const reasonIn = (log: string): { readonly code: string | null; readonly text: string } => {
  const lines = log.split("\n").filter((line) => line.trim() !== "");
  for (const line of lines.toReversed()) {
    const said = parsed(line);
    if (said?.ready === false && typeof said.message === "string")
      return { code: typeof said.code === "string" ? said.code : null, text: said.message };
  }
  const crash = lines.findLastIndex((line) => /^\w*Error\b.*: /u.test(line));
  const tail = (crash < 0 ? lines.slice(-5) : lines.slice(crash, crash + 5)).join("\n");
  return { code: null, text: tail === "" ? "it logged nothing" : tail };
};

const parsed = (line: string): Record<string, unknown> | null => {
  if (!line.startsWith("{")) return null;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
};
