/** Runs the tmux program once and reads what it says. For what cannot go over control mode: version, start, a look. */
import { execFile } from "node:child_process";
import { QuayError } from "../lib/errors.js";

export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string; readonly hung: boolean };

const TIMEOUT_MS = 5_000;

/** Variables of ours that must not reach a server's environment, where every pane would inherit them. */
const isForeign = (name: string): boolean =>
  name === "TMUX" || name === "TMUX_PANE" || (name.startsWith("QUAY_") && name !== "QUAY_HOME");

export const cleanEnv = (
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !isForeign(name)));

/** Throws QuayError `tmux-missing`; any other failure is in the result. `hung`: no answer within 5 s. */
export const runTmux = (tmux: string, args: readonly string[]): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const options = { env: cleanEnv(process.env) as NodeJS.ProcessEnv, timeout: TIMEOUT_MS, killSignal: "SIGKILL" };
    execFile(tmux, [...args], { ...options, killSignal: "SIGKILL" }, (error, stdout, stderr) => {
      if (error && (error.code as unknown) === "ENOENT") {
        reject(
          new QuayError(
            "tmux-missing",
            `tmux is not installed: there is no program "${tmux}". Install tmux 3.2 or later.`,
          ),
        );
        return;
      }
      const code = error ? (typeof error.code === "number" ? error.code : 1) : 0;
      resolve({ code, stdout, stderr: stderr.trim() || (error?.message ?? ""), hung: error?.killed === true });
    });
  });
