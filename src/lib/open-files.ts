/**
 * Which files a process and those below it hold open, as the system says. Reads only. /proc on Linux, `lsof` elsewhere;
 * where neither tells, there are none.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const WITHIN_MS = 2_000;
/** A tree of processes deeper or wider than this is not searched to its end. */
const MOST_PROCESSES = 500;

type Listing = {
  readonly childrenOf: (pid: number) => Promise<readonly number[]>;
  readonly filesOf: (pid: number) => Promise<readonly string[]>;
};

const say = async (program: string, ...args: readonly string[]): Promise<readonly string[]> => {
  try {
    return (await run(program, args, { timeout: WITHIN_MS, maxBuffer: 4 * 1024 * 1024 })).stdout.split("\n");
  } catch {
    return [];
  }
};

const fromTools: Listing = {
  childrenOf: async (pid) => (await say("pgrep", "-P", String(pid))).filter(Boolean).map(Number),
  filesOf: async (pid) =>
    (await say("lsof", "-p", String(pid), "-Fn")).filter((line) => line.startsWith("n/")).map((line) => line.slice(1)),
};

const fromProc: Listing = {
  childrenOf: async (pid) => {
    // A kernel may be built without these lists.
    if (!existsSync(`/proc/self/task/${process.pid}/children`)) return fromTools.childrenOf(pid);
    const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
    const lists = await Promise.all(
      threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, "utf8").catch(() => "")),
    );
    return lists.flatMap((list) => list.trim().split(/\s+/u).filter(Boolean).map(Number));
  },
  filesOf: async (pid) => {
    const numbers = await readdir(`/proc/${pid}/fd`).catch(() => []);
    return Promise.all(numbers.map((number) => readlink(`/proc/${pid}/fd/${number}`).catch(() => "")));
  },
};

/**
 * The wanted files of the process nearest to `pid` (itself, then its children, and so on) that holds any. A program that
 * was started below it and does the same work is further away, so its files are never taken for these.
 */
export const openFilesNear = async (pid: number, isWanted: (path: string) => boolean): Promise<readonly string[]> => {
  const { childrenOf, filesOf } = existsSync("/proc/self/fd") ? fromProc : fromTools;
  let level: readonly number[] = [pid];
  for (let seen = 0; level.length > 0 && seen < MOST_PROCESSES; seen += level.length) {
    for (const one of level) {
      const found = (await filesOf(one)).filter(isWanted);
      if (found.length > 0) return [...new Set(found)];
    }
    level = (await Promise.all(level.map(childrenOf))).flat();
  }
  return [];
};
