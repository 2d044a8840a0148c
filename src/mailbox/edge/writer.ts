/**
 * Writes in groups: what comes within one turn of the event loop is one transaction, on disk (synchronous FULL) before
 * any of its callers is answered. Stamps of activity alone survive the process's death, not the machine's: no wait for the disk.
 */
import { messageOf, QuayError } from "../../lib/errors.js";
import type { Database } from "../../store/database.js";

export type Writer = {
  /** The body runs inside the group's transaction. Throws QuayError `store-failed`. */
  write<T>(body: () => T): Promise<T>;
  /** At once, and durable against a kill of this process alone. */
  stamp(body: () => void): void;
  /** Commits what waits. */
  flush(): void;
};

type Waiting = { run(): void; done(): void; failed(error: unknown): void };

const storeFailed = (error: unknown): QuayError =>
  new QuayError(
    "store-failed",
    `The mailbox could not be written: ${messageOf(error)}. Look at the free space and the rights of its folder.`,
    { cause: error },
  );

export const createWriter = (database: Database): Writer => {
  let waiting: Waiting[] = [];

  const commit = (group: readonly Waiting[]): void => {
    try {
      database.transaction(() => {
        for (const one of group) one.run();
      });
    } catch (error) {
      const [only] = group;
      if (group.length === 1 && only !== undefined) only.failed(storeFailed(error));
      // One that cannot be written takes none of its neighbours with it.
      else for (const one of group) commit([one]);
      return;
    }
    for (const one of group) one.done();
  };

  const flush = (): void => {
    const group = waiting;
    waiting = [];
    if (group.length > 0) commit(group);
  };

  return {
    write: <T>(body: () => T) =>
      new Promise<T>((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush);
        let result: T;
        waiting.push({
          run: () => {
            result = body();
          },
          done: () => resolve(result),
          failed: reject,
        });
      }),
    stamp: (body) => {
      database.exec("PRAGMA synchronous = NORMAL");
      try {
        database.transaction(body);
      } catch (error) {
        throw storeFailed(error);
      } finally {
        database.exec("PRAGMA synchronous = FULL");
      }
    },
    flush,
  };
};
