/**
 * How much one token may ask of the bridge: a burst, a pace after it, and a number of answers that are open at once. It
 * stops a program that asks in a loop, and never a swarm at work. Pure but for the clock it is given; it knows no route.
 */

export type Allowance = {
  /** Requests that may come at once, after a quiet time. */
  readonly burst: number;
  /** Requests per second that may come for ever. */
  readonly perSecond: number;
  /** Answers that may be open at the same time: streams, and waits for a reply. */
  readonly open: number;
};

/** A terminal's two hundred messages in one breath pass; a loop meets the pace after a second. */
export const TERMINAL_ALLOWANCE: Allowance = { burst: 300, perSecond: 30, open: 200 };
/** An account key's: the clients of a whole account may share it. */
export const KEY_ALLOWANCE: Allowance = { burst: 3_000, perSecond: 300, open: 1_000 };
/** The person's: screens and scripts of several shells share one token. */
export const OWNER_ALLOWANCE: Allowance = { burst: 1_500, perSecond: 150, open: 1_000 };

/** Why a request has to wait, and for how many whole seconds (at least 1). */
export type Refused = { readonly retryAfterS: number; readonly message: string };

export type RateLimit = {
  /** Takes `count` requests of this caller; null: they may come in. A refused request takes nothing. */
  take(caller: string, allowance: Allowance, count?: number): Refused | null;
  /** Counts one open answer; null when there are too many. The result ends the count. */
  open(caller: string, allowance: Allowance): (() => void) | null;
};

type Bucket = { level: number; at: number; open: number };

/** Callers that are remembered before the rested ones are dropped: tokens of terminals that are long over. */
const SWEEP_ABOVE = 256;

const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

export const wordPace = ({ burst, perSecond }: Allowance, retryAfterS: number): string =>
  `Too many requests with this token: ${burst} may come at once, and ${perSecond} in each second after that. ` +
  `Wait ${plural(retryAfterS, "second")}, then go on. A program that asks in a loop has to ask less often.`;

export const wordOpen = ({ open }: Allowance): string =>
  `Too many answers are open with this token: ${open} may be open at once. Wait until one has come, then go on.`;

/** @param now milliseconds that never go back. */
export const createRateLimit = (now: () => number): RateLimit => {
  const buckets = new Map<string, Bucket>();

  const refill = (bucket: Bucket, allowance: Allowance): void => {
    const at = now();
    const gained = (Math.max(0, at - bucket.at) / 1_000) * allowance.perSecond;
    bucket.level = Math.min(allowance.burst, bucket.level + gained);
    bucket.at = at;
  };

  /** What has rested long enough to be full again says nothing that a new bucket would not. */
  const sweep = (): void => {
    if (buckets.size <= SWEEP_ABOVE) return;
    const rested = now() - 60_000;
    for (const [caller, bucket] of buckets) if (bucket.open === 0 && bucket.at < rested) buckets.delete(caller);
  };

  const bucketOf = (caller: string, allowance: Allowance): Bucket => {
    const known = buckets.get(caller);
    if (known !== undefined) return known;
    sweep();
    const bucket = { level: allowance.burst, at: now(), open: 0 };
    buckets.set(caller, bucket);
    return bucket;
  };

  return {
    take: (caller, allowance, count = 1) => {
      if (count <= 0) return null;
      const bucket = bucketOf(caller, allowance);
      refill(bucket, allowance);
      if (bucket.level >= count) {
        bucket.level -= count;
        return null;
      }
      const missing = Math.min(count, allowance.burst) - bucket.level;
      const retryAfterS = Math.max(1, Math.ceil(missing / allowance.perSecond));
      return { retryAfterS, message: wordPace(allowance, retryAfterS) };
    },
    open: (caller, allowance) => {
      const bucket = bucketOf(caller, allowance);
      if (bucket.open >= allowance.open) return null;
      bucket.open += 1;
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        bucket.open -= 1;
      };
    },
  };
};
