/**
 * While messages wait for the end of a turn, the lines that they wait for are looked at ahead: at the end of the turn
 * one more look is then proof enough, and no time is lost. It types nothing and tells the bus nothing.
 */
import type { Terminal } from "../bus/terminal.js";
import type { Engine } from "./engine.js";
import type { Pause, Typist } from "./typist.js";

/** Short beside a turn, and rare enough that a busy swarm costs tmux nothing to speak of. */
const LOOK_MS = 100;
/** While nothing waits: an engine at rest should wake up rarely. */
const REST_MS = 400;

/** Held and occupied lines have a watch of their own. */
const isWaitedFor = (terminal: Terminal): boolean =>
  terminal.queue.length > 0 &&
  terminal.exit === null &&
  !terminal.stale &&
  terminal.typing === null &&
  terminal.hold === null &&
  terminal.line === "free";

export const watchQueues = (parts: {
  readonly engine: Engine;
  readonly typist: Pick<Typist, "glance">;
  readonly pause: Pause;
}): { stop(): void } => {
  let stopped = false;
  const loop = async (): Promise<void> => {
    let waited = false;
    while (!stopped) {
      await parts.pause(waited ? LOOK_MS : REST_MS);
      const terminals = [...parts.engine.state().terminals.values()].filter(isWaitedFor);
      waited = terminals.length > 0;
      for (const { id } of terminals) if (!stopped) await parts.typist.glance(id).catch(() => {});
    }
  };
  void loop();
  return {
    stop: () => {
      stopped = true;
    },
  };
};
