/** Reads small text files of a person as they are: those that are there. It changes nothing and never throws. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** A settings file larger than this is none, in bytes. */
const MAX_BYTES = 1024 * 1024;

const readText = async (path: string): Promise<string | null> => {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await handle.stat();
      return found.isFile() && found.size <= MAX_BYTES ? await handle.readFile("utf8") : null;
    } finally {
      await handle.close();
    }
  } catch {
    return null;
  }
};

/** In the order of the paths; what cannot be read is left out. */
export const readTexts = async (paths: readonly string[]): Promise<readonly string[]> => {
  const texts = await Promise.all(paths.map(readText));
  return texts.filter((text) => text !== null);
};
