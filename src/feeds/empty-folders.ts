/**
 * Which folders need not be listed again, since they were empty and nothing came in or went since. It trusts the time of
 * a folder's last change only from afar: file systems keep it no finer than their clock. Never lists a folder itself.
 */
import { statSync } from "node:fs";

/** A change this close to the listing may bear the same time as one after it, in ms; the coarsest clocks count seconds. */
const SETTLED_MS = 2_000;

export type EmptyFolders = {
  /** False: it was empty at its last listing, and is still. True also when that cannot be known. */
  mayHold(folder: string): boolean;
  /** To be called before a listing; the result is called when it found nothing. */
  beforeListing(folder: string): () => void;
};

/** The time of the last change of its entries, which no program can set back as it can the other times; null: it is not there. */
const changedAt = (folder: string): number | null => statSync(folder, { throwIfNoEntry: false })?.ctimeMs ?? null;

export const createEmptyFolders = (now: () => number = Date.now): EmptyFolders => {
  const empty = new Map<string, number>();
  return {
    mayHold: (folder) => {
      const known = empty.get(folder);
      return known === undefined || known !== changedAt(folder);
    },
    beforeListing: (folder) => {
      const changed = changedAt(folder);
      const isSettled = changed !== null && now() - changed > SETTLED_MS;
      empty.delete(folder);
      return () => {
        if (isSettled) empty.set(folder, changed);
      };
    },
  };
};
