/** Opens the bridge on its port, and says in the state folder where it is and with which token a person comes in. */
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { randomIds } from "../lib/ids.js";
import type { Log } from "../lib/log.js";
import type { StatePaths } from "../lib/paths.js";
import { writePrivate } from "../lib/private-files.js";
import type { MailboxDoor } from "../mailbox/rules/door.js";
import { createBridge } from "../mcp/bridge.js";
import type { Approvals } from "./approvals.js";
import type { Endpoint, EngineClient } from "./client.js";
import { createDirectory } from "./directory.js";
import type { Engine } from "./engine.js";
import type { Settings, Vault } from "./ports.js";

export type BridgeParts = {
  readonly client: EngineClient;
  readonly mailbox: MailboxDoor;
  readonly engine: Engine;
  readonly vault: Vault;
  readonly paths: StatePaths;
  readonly log: Log;
  readonly settings: () => Settings;
  readonly socket: string;
  readonly poke: () => void;
  readonly answer: Approvals["answer"];
};

export type OpenedBridge = { readonly endpoint: Endpoint; readonly ownerToken: string; stop(): Promise<void> };

/** The person's token of an earlier engine, from its private file; null: there is none. */
const readToken = (path: string): string | null => {
  try {
    return /^[\w-]{40,100}$/.exec(readFileSync(path, "utf8").trim())?.[0] ?? null;
  } catch {
    return null;
  }
};

/** The port is chosen once and kept: running agents know it. Throws QuayError `port-taken`, `port-refused`. */
export const openBridge = async (parts: BridgeParts): Promise<OpenedBridge> => {
  const { vault, paths, engine } = parts;
  const ownerToken = readToken(paths.ownerToken) ?? randomIds().secret();
  // Tokens stand in no database; an older one had it there.
  vault.drop("ownerToken");
  const known = vault.get("port");
  const bridge = createBridge({
    client: parts.client,
    mailbox: parts.mailbox,
    directory: createDirectory({ engine, vault, ownerToken, poke: parts.poke, answer: parts.answer }),
    port: parts.settings().port ?? (known === null ? null : Number(known)),
    log: parts.log.child({ scope: "bridge" }),
  });
  const { port } = await bridge.start();
  vault.set("port", String(port));
  const endpoint = {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: process.pid,
    socket: parts.socket,
    home: paths.home,
  };
  writePrivate(paths.ownerToken, `${ownerToken}\n`);
  writePrivate(paths.endpoint, `${JSON.stringify({ ...endpoint, startedAt: engine.now() })}\n`);
  return {
    endpoint,
    ownerToken,
    stop: async () => {
      await rm(paths.endpoint, { force: true });
      await bridge.stop();
    },
  };
};
