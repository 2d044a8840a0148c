/**
 * Attaching clients without killing the server: on tmux before 3.7 a control client that attaches while another one
 * leaves, or while a session or buffer changes, can crash it and every agent with it (facts/typing.md 0.1). So: one
 * attach at a time, no line of ours in flight, and a pause after a client of ours has ended.
 */
import { type ClientOptions, type ControlClient, openClient } from "./client.js";

/** After the end of any client of ours, in ms. */
export const REST_MS = 200;

export type Attacher = {
  /** `others`: clients of ours that must send nothing meanwhile. */
  attach(options: ClientOptions, others: () => readonly ControlClient[]): Promise<ControlClient>;
  /** Counts as the end of a client: the next attach waits. */
  sawEnd(): void;
  /** Pids of our clients that live. */
  mine(): ReadonlySet<number>;
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const createAttacher = (): Attacher => {
  let lastEnd = Number.NEGATIVE_INFINITY;
  let turn: Promise<unknown> = Promise.resolve();
  const pids = new Set<number>();

  const sawEnd = (): void => {
    lastEnd = performance.now();
  };

  const restLeft = (): number => lastEnd + REST_MS - performance.now();

  const attachNow = async (options: ClientOptions, others: () => readonly ControlClient[]): Promise<ControlClient> => {
    for (let left = restLeft(); left > 0; left = restLeft()) await pause(left);
    const quiet = others();
    try {
      await Promise.all(quiet.map((client) => client.quiet()));
      const client = await openClient(options);
      pids.add(client.pid);
      void client.ended.then(() => {
        pids.delete(client.pid);
        sawEnd();
      });
      return client;
    } catch (error) {
      sawEnd();
      throw error;
    } finally {
      for (const client of quiet) client.resume();
    }
  };

  return {
    attach: (options, others) => {
      const mine = turn.then(() => attachNow(options, others));
      turn = mine.catch(() => {});
      return mine;
    },
    sawEnd,
    mine: () => pids,
  };
};
