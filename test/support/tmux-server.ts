/**
 * A tmux server of a test's own: a name that nobody else has, and its end with its socket, whatever happened.
 * Tests never touch the default server, and end processes only by pid.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TerminalHost } from "../../src/engine/ports.js";
import { createTmuxHost, type TmuxHostOptions } from "../../src/tmux/host.js";
import { until } from "./until.js";

// The host under test and the tests must mean the same socket, and no server around us.
for (const name of ["TMUX", "TMUX_PANE", "TMUX_TMPDIR"]) delete process.env[name];

let serial = 0;

export type TmuxServer = {
  /** For -L. */
  readonly name: string;
  readonly socketPath: string;
  /** A scratch folder that goes with the server. */
  readonly folder: string;
  /** Runs one tmux command there and returns what it prints; throws when it fails. */
  run(...args: readonly string[]): string;
  /** Starts the server without any configuration, with a session of this name. */
  startBare(session: string): void;
  /** Process id of the server; null when none runs. */
  pid(): number | null;
  /** A host on this server, stopped with it. */
  host(options?: Partial<TmuxHostOptions>): TerminalHost;
  end(): Promise<void>;
};

/** A zombie that nobody reaps is over, too. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" && process.platform !== "linux";
  }
};

export const createTmuxServer = (): TmuxServer => {
  const name = `quay-test-${process.pid}-${++serial}`;
  const folder = mkdtempSync(join(tmpdir(), "quay-test-"));
  const socketPath = join("/tmp", `tmux-${process.getuid?.() ?? 0}`, name);
  const hosts: TerminalHost[] = [];

  const run = (...args: readonly string[]): string =>
    execFileSync("tmux", ["-N", "-u", "-L", name, ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 5_000,
    }).trimEnd();

  let lastPid: number | null = null;
  const pid = (): number | null => {
    try {
      lastPid = Number(run("display-message", "-p", "#{pid}"));
      return lastPid;
    } catch {
      return null;
    }
  };

  return {
    name,
    socketPath,
    folder,
    run,
    pid,
    startBare: (session) => {
      const args = ["-L", name, "-f", "/dev/null", "new-session", "-d", "-s", session, "-x", "120", "-y", "40"];
      execFileSync("tmux", [...args, "--", "sleep", "86400"], { stdio: "ignore", timeout: 5_000 });
    },
    host: (options = {}) => {
      const host = createTmuxHost({
        server: { kind: "own", name },
        tmuxSession: "quay",
        instance: "test",
        missionControl: null,
        launchFolder: join(folder, "run"),
        ...options,
      });
      hosts.push(host);
      return host;
    },
    end: async () => {
      // A test may have left it stopped.
      if (lastPid !== null && isAlive(lastPid)) process.kill(lastPid, "SIGCONT");
      for (const host of hosts) await host.stop().catch(() => {});
      const last = pid() ?? lastPid;
      try {
        run("kill-server");
      } catch {}
      if (last !== null) {
        await until(() => !isAlive(last), 2_000, "the end of tmux").catch(() => process.kill(last, "SIGKILL"));
        lastPid = null;
      }
      rmSync(socketPath, { force: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
