/** One clock for all processes of a benchmark (CLOCK_MONOTONIC), and pauses that are part of what is played. */
import { until } from "../support/until.js";

/** ms; comparable between processes of one host. */
export const monotonic = (): number => Number(process.hrtime.bigint()) / 1e6;

export const elapse = async (ms: number): Promise<void> => {
  const end = monotonic() + ms;
  await until(() => monotonic() >= end, ms + 60_000, "time to pass");
};

/** A number of the environment that scales a benchmark. */
export const scaled = (name: string, usual: number): number => {
  const given = Number(process.env[name] ?? usual);
  if (!Number.isFinite(given) || given <= 0) throw new RangeError(`${name} is no positive number`);
  return given;
};

/** Runs `count` calls, `atOnce` at a time; calls per second. */
export const rateOf = async (
  count: number,
  atOnce: number,
  call: (index: number) => Promise<unknown>,
): Promise<number> => {
  let next = 0;
  const start = monotonic();
  const work = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await call(index);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return (count / (monotonic() - start)) * 1e3;
};
