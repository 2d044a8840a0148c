/**
 * Where the servers that CLIs run are, and their passwords, which a new engine needs again: one private file for each
 * live terminal, gone with it. The only secret of a terminal's that is kept in the clear, beside the owner token.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { ServerDoor } from "../adapters/adapter.js";
import { isSafeId, type TerminalId } from "../bus/ids.js";
import type { ServerDoors } from "../engine/ports.js";
import { privateFolder, writePrivate } from "../lib/private-files.js";

const doorSchema = z.strictObject({
  port: z.int().min(1).max(65_535),
  user: z.string(),
  password: z.string(),
  cliSession: z.string().nullable(),
});

export const createServerDoors = (folder: string): ServerDoors => {
  const fileOf = (terminal: TerminalId): string => join(folder, `${terminal}.json`);
  return {
    put: (terminal, door) => {
      privateFolder(folder);
      writePrivate(fileOf(terminal), `${JSON.stringify(door satisfies ServerDoor)}\n`);
    },
    // A file that cannot be read is as one that is not there: the terminal is a listener.
    get: (terminal) => {
      if (!isSafeId(terminal)) return null;
      try {
        return doorSchema.parse(JSON.parse(readFileSync(fileOf(terminal), "utf8")));
      } catch {
        return null;
      }
    },
    drop: (terminal) => {
      if (isSafeId(terminal)) rmSync(fileOf(terminal), { force: true });
    },
  };
};
