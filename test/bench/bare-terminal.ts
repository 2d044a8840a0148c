/**
 * The first baseline: a terminal of tmux that is typed on with nothing but the guarded paste and Enter (the lines that
 * Quay types with, and their echo gate), after one fsync. No line is read, no fact is kept, no turn is followed.
 */
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { deliveryId, terminalId } from "../../src/bus/ids.js";
import { createTmuxHost } from "../../src/tmux/host.js";
import { elapse } from "./clock.js";
import type { Stage } from "./stage.js";

export type BareTerminal = {
  /** Resolves when Enter was pressed. */
  type(text: string): Promise<void>;
  /** The tmux pane and server, for a baseline that types by `tmux send-keys`. */
  readonly pane: string;
  readonly socket: string;
  /** Process id of the tmux server. */
  readonly serverPid: number;
  stop(): Promise<void>;
};

export const openBareTerminal = async (stage: Stage, name: string): Promise<BareTerminal> => {
  process.env.TMUX_TMPDIR = stage.env.TMUX_TMPDIR;
  const host = createTmuxHost({
    server: { kind: "own", name: `quay-bench-bare-${process.pid}` },
    tmuxSession: "quay",
    instance: "bench",
    missionControl: null,
  });
  await host.start();
  const terminal = terminalId(name);
  const env = stage.agentEnv(name);
  await host.launch({ terminal, name, cwd: stage.work, argv: [stage.program], env, unsetEnv: [] });
  await stage.hello(name);
  await elapse(300);
  const file = openSync(join(stage.folder, `${name}.log`), "a");
  let count = 0;
  return {
    pane: host.paneOf(terminal) ?? "",
    socket: host.server().socket,
    serverPid: host.server().pid,
    type: async (text) => {
      const delivery = deliveryId(`bare-${++count}`);
      writeSync(file, `${JSON.stringify({ delivery, text })}\n`);
      fdatasyncSync(file);
      const pasted = await host.paste(terminal, delivery, text);
      if (pasted.kind !== "pasted") throw new Error(`the bare paste was not taken: ${JSON.stringify(pasted)}`);
      for (;;) {
        const entered = await host.enter(terminal, delivery, { echoTail: text, cursor: null });
        if (entered.kind === "entered") return;
        if (entered.kind === "unknown" || entered.reason !== "no echo") {
          throw new Error(`the bare Enter was not taken: ${JSON.stringify(entered)}`);
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    stop: async () => {
      await host.stop();
      closeSync(file);
    },
  };
};
