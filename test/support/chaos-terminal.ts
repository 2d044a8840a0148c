/** A person's terminal that can get stuck: whoever reads it stops, and what the kernel keeps for it is full. */
import { spawn } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, readlinkSync, writeSync } from "node:fs";
import { until } from "./until.js";

export type StuckableTerminal = {
  /** All that was written to it and read. */
  said(): string;
  /** From here on not a byte more fits in. */
  stick(): Promise<void>;
  unstick(): void;
  isGone(): boolean;
  close(): void;
};

/** Terminals show nothing of it. */
const NOTHING = Buffer.alloc(512);

const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);

/** Fills what the kernel keeps of a terminal that nobody reads, with bytes that show nothing. */
const fill = async (tty: string): Promise<void> => {
  const file = openSync(tty, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    let fullSince: number | null = null;
    const isFull = (): boolean => {
      try {
        writeSync(file, NOTHING);
        fullSince = null;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
        fullSince ??= Date.now();
      }
      return fullSince !== null && Date.now() - fullSince > 100;
    };
    await until(isFull, 10_000, "the terminal to be full");
  } finally {
    closeSync(file);
  }
};

/** `command`: words of sh, run on a terminal of 120 columns and 40 rows. */
export const openTerminal = (command: string, env: NodeJS.ProcessEnv, cwd: string): StuckableTerminal => {
  const reader = spawn("script", ["-qec", `stty cols 120 rows 40; exec ${command}`, "/dev/null"], {
    env: { ...env, TERM: "xterm-256color", SHELL: "/bin/sh" },
    cwd,
    stdio: ["pipe", "pipe", "ignore"],
  });
  let said = "";
  reader.stdout.on("data", (bytes: Buffer) => {
    said += bytes.toString().replaceAll("\0", "");
  });
  const isGone = (): boolean => reader.exitCode !== null || reader.signalCode !== null;
  return {
    said: () => said,
    stick: async () => {
      const [shown] = childrenOf(reader.pid!);
      if (shown === undefined) throw new Error("nothing runs on the terminal");
      reader.kill("SIGSTOP");
      await fill(readlinkSync(`/proc/${shown}/fd/1`));
    },
    unstick: () => void reader.kill("SIGCONT"),
    isGone,
    close: () => {
      reader.kill("SIGCONT");
      reader.kill("SIGKILL");
    },
  };
};
