/** Chance that can be repeated: the same seed gives the same numbers. Not for secrets. Pure. */

export type Random = {
  /** At least 0, less than 1. */
  next(): number;
  /** A whole number of this range, both ends included. */
  within(range: Range): number;
};

export type Range = { readonly min: number; readonly max: number };

/** Mulberry32: 32 bits of state, good enough to spread moments. */
export const seeded = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { next, within: ({ min, max }) => min + Math.floor(next() * (max - min + 1)) };
};
