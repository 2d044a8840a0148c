/** Small durable facts beside the journal: hashes of secrets, where terminals live, single values. Written at once. */
import { terminalId } from "../bus/ids.js";
import type { Vault } from "../engine/ports.js";
import type { Database } from "./database.js";

export const openVault = (database: Database): Vault => {
  const putSecrets = database.prepare("INSERT OR REPLACE INTO secret (terminal, tool, event) VALUES (?, ?, ?)");
  const secrets = database.prepare("SELECT terminal, tool, event FROM secret ORDER BY terminal");
  const dropSecrets = database.prepare("DELETE FROM secret WHERE terminal = ?");
  const putPlace = database.prepare(
    "INSERT OR REPLACE INTO place (terminal, server_pid, server_started_at) VALUES (?, ?, ?)",
  );
  const places = database.prepare("SELECT terminal, server_pid, server_started_at FROM place ORDER BY terminal");
  const dropPlace = database.prepare("DELETE FROM place WHERE terminal = ?");
  const get = database.prepare("SELECT value FROM keyed WHERE key = ?");
  const set = database.prepare("INSERT OR REPLACE INTO keyed (key, value) VALUES (?, ?)");
  const drop = database.prepare("DELETE FROM keyed WHERE key = ?");

  return {
    putSecrets: (terminal, hashes) => putSecrets.run(terminal, hashes.tool, hashes.event),
    secrets: () =>
      secrets.all().map((row) => ({
        terminal: terminalId(String(row.terminal)),
        tool: String(row.tool),
        event: String(row.event),
      })),
    dropSecrets: (terminal) => dropSecrets.run(terminal),
    putPlace: (terminal, place) => putPlace.run(terminal, place.serverPid, place.serverStartedAt),
    places: () =>
      places.all().map((row) => ({
        terminal: terminalId(String(row.terminal)),
        serverPid: Number(row.server_pid),
        serverStartedAt: Number(row.server_started_at),
      })),
    dropPlace: (terminal) => dropPlace.run(terminal),
    get: (key) => {
      const row = get.get(key);
      return row === null ? null : String(row.value);
    },
    set: (key, value) => set.run(key, value),
    drop: (key) => drop.run(key),
  };
};
