/** Programs for tests on real tmux, and what they received. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { terminalId } from "../../src/bus/ids.js";
import type { PaneLaunch } from "../../src/engine/ports.js";
import type { TmuxServer } from "./tmux-server.js";
import { until } from "./until.js";

const RECEIVER = fileURLToPath(new URL("../fixtures/bin/raw-receiver.mjs", import.meta.url));

export type TmuxPrograms = {
  plan(terminal: string, argv: readonly string[], change?: Partial<PaneLaunch>): PaneLaunch;
  /** Raw mode, bracketed paste, echo. */
  receiver(terminal: string, change?: Partial<PaneLaunch>): PaneLaunch;
  ending(terminal: string, status: number): PaneLaunch;
  /** Every byte the receiver got, with the brackets of pastes. */
  bytes(terminal: string): Buffer;
  /** The same without the brackets. */
  received(terminal: string): string;
  /** The receiver has set up its terminal: it prints `ready` after that. */
  ready(terminal: string): Promise<unknown>;
};

export const createTmuxPrograms = (server: TmuxServer): TmuxPrograms => {
  const file = (terminal: string): string => join(server.folder, `${terminal}.in`);
  const plan = (terminal: string, argv: readonly string[], change: Partial<PaneLaunch> = {}): PaneLaunch => ({
    terminal: terminalId(terminal),
    name: terminal,
    cwd: server.folder,
    argv,
    env: {},
    unsetEnv: [],
    ...change,
  });
  const bytes = (terminal: string): Buffer =>
    existsSync(file(terminal)) ? readFileSync(file(terminal)) : Buffer.alloc(0);
  return {
    plan,
    bytes,
    receiver: (terminal, change) => plan(terminal, [process.execPath, RECEIVER, file(terminal), "echo"], change),
    ending: (terminal, status) => plan(terminal, ["sh", "-c", `exit ${status}`]),
    received: (terminal) =>
      bytes(terminal)
        .toString("utf8")
        .replaceAll(/\x1b\[20[01]~/g, ""),
    ready: (terminal) =>
      until(
        () => {
          const list = server.run("list-panes", "-a", "-f", `#{==:#{@quay_id},${terminal}}`, "-F", "#{pane_id}");
          return list !== "" && server.run("capture-pane", "-p", "-t", list.split("\n")[0]!).includes("ready");
        },
        10_000,
        `the receiver ${terminal}`,
      ),
  };
};
