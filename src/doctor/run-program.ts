/** Runs a program for a look at it: a time limit for it and all that it started, nothing on its input, no Quay around it. */
import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";

export type Env = Readonly<Record<string, string | undefined>>;

/** The file that PATH means by this name; null: none. A name with a slash means itself. */
export const findProgram = (program: string, env: Env, cwd: string): string | null => {
  const candidates = program.includes("/")
    ? [resolve(cwd, program)]
    : (env.PATH ?? "/usr/bin:/bin").split(delimiter).map((folder) => join(resolve(cwd, folder), program));
  const found = candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return statSync(path).isFile();
    } catch {
      return false;
    }
  });
  return found ?? null;
};

/** What the terminal around us is, is none of its business. */
const withoutQuay = (env: Env): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^(QUAY_|TMUX$|TMUX_PANE$)/.test(name)));

const MOST_BYTES = 64 * 1024;

/** What it printed on stdout, and how it ended; null: not started, or not over within the limit (ms). */
export const runBriefly = (
  path: string,
  args: readonly string[],
  env: Env,
  limitMs: number,
): Promise<{ readonly code: number | null; readonly out: string } | null> =>
  new Promise((done) => {
    // A group of its own, so that its children end with it.
    const child = spawn(path, args, {
      env: withoutQuay(env),
      cwd: tmpdir(),
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
    let out = "";
    const end = (result: { readonly code: number | null; readonly out: string } | null): void => {
      clearTimeout(alarm);
      child.stdout.destroy();
      done(result);
    };
    const alarm = setTimeout(() => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // It ended in this very moment.
      }
      end(null);
    }, limitMs);
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (chunk: string) => {
      if (out.length < MOST_BYTES) out += chunk;
    });
    child.once("error", () => end(null));
    child.once("close", (code) => end({ code, out }));
  });
