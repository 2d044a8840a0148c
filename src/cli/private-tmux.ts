/** A tmux server of its own for a trial: at a socket that nobody else has, with the person's configuration, and its end. */
import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { messageOf, QuayError } from "../lib/errors.js";
import type { PrivateTmux } from "./cli.js";

const run = promisify(execFile);
const WITHIN_MS = 10_000;
/** Holds the server whatever the configuration says of sessions and empty servers. */
const IDLE = ["/bin/sh", "-c", "while :; do sleep 3600; done"];

/** Nothing of a tmux or a Quay around us. */
const clean = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^(TMUX|TMUX_PANE|QUAY_.*)$/.test(name)));

/** What the program itself said, rather than how it was called. */
const saidBy = (error: unknown): string => {
  const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
  return said === "" ? messageOf(error).trim() : said;
};

/** Throws QuayError `tmux-start`. Without -f tmux reads what it always reads: the person's own files. */
export const startPrivateTmux = async (socket: string, env: NodeJS.ProcessEnv): Promise<PrivateTmux> => {
  const tmux = (...words: readonly string[]) =>
    run("tmux", ["-u", "-S", socket, ...words], { env: clean(env), cwd: dirname(socket), timeout: WITHIN_MS });
  const end = async (): Promise<void> => {
    await tmux("-N", "kill-server").catch(() => {});
  };
  try {
    await tmux("new-session", "-d", "-s", "drill", "-x", "120", "-y", "40", "--", ...IDLE);
    const { stdout } = await tmux("-N", "display-message", "-p", "#{pid} #{version}");
    const [pid = "", version = ""] = stdout.trim().split(" ");
    return { socket, pid: Number(pid), version, end };
  } catch (error) {
    await end();
    const why = saidBy(error);
    const crash = why.includes("server exited")
      ? " With `window-size manual` in it tmux 3.3 to 3.6 crashes: set `window-size latest`."
      : "";
    throw new QuayError(
      "tmux-start",
      `A private tmux server did not start with your tmux.conf: ${why}.${crash} See quay doctor.`,
      { cause: error },
    );
  }
};
