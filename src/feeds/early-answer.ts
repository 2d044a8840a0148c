/**
 * Repeats an answer from a CLI's raw-mode mark until the CLI is seen to ask, because the moment of its question cannot
 * be met: it comes 50-540 ms later, and an answer after it is mostly too late (OSC 7501 facts, section 0).
 * Never two answers under way at once. Knows neither terminals nor bytes.
 */

export type AnswerTimers = {
  /** Milliseconds on a clock that never goes back. */
  now(): number;
  /** Runs once after so many ms; returns what calls it off. */
  after(ms: number, run: () => void): () => void;
};

export type EarlyAnswer = { stop(): void };

const EVERY_MS = 25;
const AT_MOST_MS = 2000;
const AT_MOST_TIMES = 40;

export const systemTimers: AnswerTimers = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Sends at once, then every 25 ms, at most 40 times and for 2 s. A send that fails counts, and is tried again. */
export const startEarlyAnswer = (send: () => Promise<void>, timers: AnswerTimers): EarlyAnswer => {
  const startedAt = timers.now();
  let sent = 0;
  let isOver = false;
  let callOff = (): void => {};

  const sendNext = async (): Promise<void> => {
    const sentAt = timers.now();
    sent++;
    await send().catch(() => {});
    if (isOver || sent >= AT_MOST_TIMES) return;
    const wait = Math.max(0, sentAt + EVERY_MS - timers.now());
    if (timers.now() + wait - startedAt > AT_MOST_MS) return;
    callOff = timers.after(wait, () => void sendNext());
  };

  void sendNext();
  return {
    stop() {
      isOver = true;
      callOff();
    },
  };
};
