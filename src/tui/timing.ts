/** Time as the screen sees it, so that tests can wind it: a clock in epoch milliseconds and one kind of timer. */
export type Timing = {
  now(): number;
  /** Runs once after `ms`; returns the way to call it off. */
  after(ms: number, run: () => void): () => void;
};

export const wallTiming: Timing = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

export type Limiter = { poke(): void; stop(): void };

/** Runs at once when the last run is `gapMs` ago, else once when it is: many pokes, few runs, the last one counts. */
export const limit = (timing: Timing, gapMs: number, run: () => void): Limiter => {
  let lastRun = Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | null = null;
  const go = (): void => {
    cancel = null;
    lastRun = timing.now();
    run();
  };
  return {
    poke: () => {
      if (cancel !== null) return;
      const wait = lastRun + gapMs - timing.now();
      // A clock that was set back must not hold the screen up.
      if (wait <= 0 || wait > gapMs) go();
      else cancel = timing.after(wait, go);
    },
    stop: () => {
      cancel?.();
      cancel = null;
    },
  };
};
