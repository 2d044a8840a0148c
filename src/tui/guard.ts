/**
 * Puts a terminal back in order when this process is killed outright: a shell that waits on a pipe from us. Its end
 * without a word means that we died, and then it restores the modes and leaves the alternate screen. It holds nothing
 * else of ours: no environment but PATH, no descriptor but the terminal.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";

const SCRIPT = `
trap '' HUP INT QUIT TERM TTOU
read -r word
[ "$word" = bye ] && exit 0
stty "$1" <&3 2>/dev/null
printf "$2" >&3 2>/dev/null
`;

const environment = (): Record<string, string> => ({ PATH: process.env.PATH ?? "/usr/bin:/bin" });

/** Starts the shell on the terminal behind `fd`. `modes` is what stty takes, `leave` the bytes that restore the screen. */
export const spawnGuard = (fd: number, modes: string, leave: string): ChildProcess => {
  const escaped = leave.replaceAll("\\", "\\\\").replaceAll("%", "%%").replaceAll("\x1b", "\\033");
  const child = spawn("/bin/sh", ["-c", SCRIPT, "quay-terminal-guard", modes, escaped], {
    stdio: ["pipe", "ignore", "ignore", fd],
    env: environment(),
    cwd: "/",
    // A session of its own: what ends our process group leaves it alive.
    detached: true,
  });
  // Without it the screen works all the same.
  child.on("error", () => {});
  child.stdin?.on("error", () => {});
  child.unref();
  (child.stdin as { unref?: () => void } | null)?.unref?.();
  return child;
};

export type Guard = {
  /** Before the modes are changed. */
  hold(): void;
  /** After they were restored. */
  release(): void;
};

/** Modes of the terminal behind `fd`, in the words of stty; `sane` when it cannot say. */
const readModes = (fd: number): string => {
  try {
    const modes = execFileSync("stty", ["-g"], {
      stdio: [fd, "pipe", "ignore"],
      encoding: "utf8",
      timeout: 1000,
    }).trim();
    return /^[\w:=]+$/.test(modes) ? modes : "sane";
  } catch {
    return "sane";
  }
};

/** A guard for the terminal behind these descriptors; streams without one (tests) get none. */
export const createGuard = (inputFd: number | undefined, outputFd: number | undefined, leave: string): Guard => {
  let child: ChildProcess | null = null;
  return {
    hold: () => {
      if (inputFd === undefined || outputFd === undefined || child !== null) return;
      child = spawnGuard(outputFd, readModes(inputFd), leave);
    },
    release: () => {
      child?.stdin?.end("bye\n");
      child = null;
    },
  };
};
