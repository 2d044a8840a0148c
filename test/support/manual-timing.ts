/** Time that a test winds: nothing is due until `advance` says so. */
import type { Timing } from "../../src/tui/timing.js";

export type ManualTiming = Timing & {
  /** Moves on and runs what falls due, in order, with room for promises and renders between. */
  readonly advance: (ms: number) => Promise<void>;
  /** Timers that wait. */
  readonly waiting: () => number;
};

/** Lets promises, renders and streams that are under way come to rest. */
export const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 12; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

export const manualTiming = (start = 1_800_000_000_000): ManualTiming => {
  let now = start;
  let timers: { at: number; run: () => void }[] = [];
  return {
    now: () => now,
    after: (ms, run) => {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    waiting: () => timers.length,
    advance: async (ms) => {
      const until = now + ms;
      for (;;) {
        const next = timers.filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        timers = timers.filter((timer) => timer !== next);
        now = Math.max(now, next.at);
        next.run();
        await settled();
      }
      now = until;
      await settled();
    },
  };
};
