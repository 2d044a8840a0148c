/**
 * The engine's clock: wall time at the start plus a monotonic count, so that it never goes back while the process
 * lives, whatever happens to the system's date. It holds one alarm, and rings it never early.
 */
import type { Clock } from "../engine/ports.js";

/** The longest time a timer of the platform can hold, in ms; later alarms are set in stages. */
const LONGEST_TIMER_MS = 2_147_483_647;

export const systemClock = (): Clock => {
  const origin = Date.now() - performance.now();
  const now = (): number => Math.floor(origin + performance.now());
  let timer: NodeJS.Timeout | null = null;

  const alarm = (at: number | null, ring: () => void): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (at === null) return;
    const left = Math.max(0, Math.ceil(at - now()));
    timer = setTimeout(
      () => {
        timer = null;
        if (now() < at) alarm(at, ring);
        else ring();
      },
      Math.min(left, LONGEST_TIMER_MS),
    );
  };
  return { now, alarm };
};
