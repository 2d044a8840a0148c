/**
 * The agent's hook events in their order, with the faults that its behaviour asks for: lost, doubled, reordered,
 * delayed. The turn only asks for an event; what becomes of it on the way is decided here.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Behaviour } from "./behaviour.js";
import type { Payload, Plugin } from "./plugin.js";
import type { Random } from "./random.js";
import type { AgentRecord } from "./record.js";

export type Hooks = {
  /** Resolves as the CLI would go on: when the hook has run, or at once when its fault is to come late. */
  fire(event: string, payload: Payload): Promise<void>;
  /** As another process that inherited the environment would fire it. */
  fireAs(pid: number, event: string, payload: Payload): Promise<void>;
  /** Resolves when nothing is held back or under way. */
  settled(): Promise<void>;
};

/** A reordered event waits for the next one, but not for ever, in ms. */
const HELD_MS = 150;

export const openHooks = (parts: {
  readonly plugin: Plugin;
  readonly behaviour: Behaviour["hooks"];
  readonly random: Random;
  readonly pid: number;
  readonly record: AgentRecord;
}): Hooks => {
  const { plugin, behaviour, random, pid, record } = parts;
  const underWay = new Set<Promise<void>>();
  let order: Promise<void> = Promise.resolve();

  const track = (work: Promise<void>): Promise<void> => {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
    return work;
  };

  const run = (event: string, payload: Payload): Promise<void> => {
    record.write({ kind: "hook", event });
    return track(plugin.fire(event, payload, pid));
  };

  /** One after the other, as a CLI waits for its hooks. */
  const inOrder = (work: () => Promise<void>): Promise<void> => {
    order = order.then(work, work);
    return track(order);
  };

  const isLost = (event: string): boolean =>
    behaviour.lost.includes(event) || (behaviour.fault === "lost" && event !== "SessionStart" && random.next() < 0.2);

  const fire = (event: string, payload: Payload): Promise<void> => {
    if (isLost(event)) return Promise.resolve();
    const isFaulty = event !== "SessionStart" && behaviour.fault !== "none";
    if (!isFaulty) return inOrder(() => run(event, payload));
    switch (behaviour.fault) {
      case "doubled":
        return inOrder(async () => {
          await Promise.all([run(event, payload), run(event, payload)]);
        });
      case "reordered":
        // Half of them come after what follows them.
        if (random.next() < 0.5) return inOrder(() => run(event, payload));
        void track(pause(HELD_MS).then(() => run(event, payload)));
        return Promise.resolve();
      case "delayed":
        return inOrder(() => pause(random.within(behaviour.delayMs)).then(() => run(event, payload)));
      default:
        return inOrder(() => run(event, payload));
    }
  };

  return {
    fire,
    fireAs: (other, event, payload) => track(plugin.fire(event, payload, other)),
    settled: async () => {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
};
