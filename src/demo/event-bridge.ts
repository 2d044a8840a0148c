/**
 * The demo agent's event bridge: each event is a file in the terminal's spool folder, written whole or not at all,
 * and then a poke of Quay's event address. The same files as a CLI's hooks write. It never throws and never reads
 * an answer: an agent must not fail because nobody listens.
 */
import { closeSync, openSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";

export type BridgeEvent =
  | "SessionStart"
  | "UserPromptSubmit"
  | "PreToolUse"
  | "PostToolUse"
  | "PostToolUseFailure"
  | "Stop"
  | "StopFailure"
  | "SessionEnd";

export type EventBridge = {
  report(event: BridgeEvent, payload: Readonly<Record<string, unknown>>): void;
  /** Resolves when the pokes under way have ended; each takes at most a second. */
  settled(): Promise<void>;
};

export type BridgePlace = {
  readonly spoolDir: string;
  readonly secret: string;
  /** Null: the files are written, nobody is poked. */
  readonly eventsUrl: string | null;
  readonly pane: string;
  readonly pid: number;
};

const POKE_MS = 1_000;

/** Sorts by time of writing: 19 digits as of nanoseconds, the last six of them a counter. */
const fileName = (now: number, count: number, pid: number): string =>
  `${String(now).padStart(13, "0")}${String(count % 1_000_000).padStart(6, "0")}-${pid}`;

const writeWhole = (folder: string, name: string, text: string): void => {
  const draft = join(folder, `.${name}.part`);
  const file = openSync(draft, "wx", 0o600);
  try {
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
  try {
    renameSync(draft, join(folder, `${name}.event`));
  } catch (error) {
    unlinkSync(draft);
    throw error;
  }
};

/** Null when this terminal has no bridge (switched off, or the agent runs outside Quay). */
export const bridgePlace = (env: Readonly<Record<string, string | undefined>>, pid: number): BridgePlace | null => {
  const { QUAY_SPOOL: spoolDir, QUAY_EVENTS_SECRET: secret, QUAY_EVENTS_URL: eventsUrl, TMUX_PANE: pane } = env;
  if (!spoolDir || !secret) return null;
  return { spoolDir, secret, eventsUrl: eventsUrl || null, pane: pane ?? "", pid };
};

export const openEventBridge = (place: BridgePlace | null): EventBridge => {
  let count = 0;
  const pokes = new Set<Promise<void>>();

  const poke = (url: string, secret: string): void => {
    const poked = fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}` },
      signal: AbortSignal.timeout(POKE_MS),
    })
      .then((response) => response.body?.cancel())
      .catch(() => undefined)
      .then(() => {
        pokes.delete(poked);
      });
    pokes.add(poked);
  };

  return {
    report: (event, payload) => {
      if (place === null) return;
      const head = ["quay1", event, place.secret, place.pane, String(place.pid)].join("\t");
      count += 1;
      try {
        writeWhole(place.spoolDir, fileName(Date.now(), count, place.pid), `${head}\n${JSON.stringify(payload)}\n`);
      } catch {
        return;
      }
      if (place.eventsUrl !== null) poke(place.eventsUrl, place.secret);
    },
    settled: async () => {
      await Promise.all(pokes);
    },
  };
};
