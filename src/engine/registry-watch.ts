/**
 * While OSC says nothing of a CLI that keeps a registry, that file is looked at once a second: an interrupt or a "No" at
 * a dialog fires no hook, and only the file tells of it. It is read when it has stood unchanged for a second, so hooks
 * that tell more come first. Source: facts/claude-code.md section 1; the authority table of docs/architecture.md.
 */
import { stat } from "node:fs/promises";
import type { TerminalId } from "../bus/ids.js";
import type { Terminal } from "../bus/terminal.js";
import type { Engine } from "./engine.js";
import type { Pause } from "./typist.js";

const LOOK_MS = 1_000;

/** Its program says nothing itself, and no subagent holds the turn, of which the file says nothing. */
const isBlind = ({ exit, stale, traits, reporter, program, turn }: Terminal): boolean =>
  exit === null &&
  !stale &&
  traits.registry === true &&
  reporter === "heard" &&
  program.state === "unknown" &&
  turn?.heldBySubagents !== true;

/** Changes with every writing of the file; null: there is none. */
const stampOf = async (path: string): Promise<string | null> => {
  try {
    const { mtimeNs, size, ino } = await stat(path, { bigint: true });
    return `${mtimeNs} ${size} ${ino}`;
  } catch {
    return null;
  }
};

export const watchRegistries = (parts: {
  readonly engine: Engine;
  /** Where the terminal's CLI keeps its registry; null: its process is not known. */
  readonly registryOf: (terminal: TerminalId) => string | null;
  /** Takes what hooks left. */
  readonly drain: () => Promise<void>;
  /** Takes what the file says. */
  readonly resync: (terminal: TerminalId) => Promise<boolean>;
  readonly pause: Pause;
}): { stop(): void } => {
  let stopped = false;
  let seen = new Map<TerminalId, { readonly stamp: string; readonly isRead: boolean }>();

  const look = async (terminal: TerminalId): Promise<{ stamp: string; isRead: boolean } | null> => {
    const path = parts.registryOf(terminal);
    const stamp = path === null ? null : await stampOf(path);
    if (stamp === null) return null;
    const before = seen.get(terminal);
    if (before?.stamp !== stamp) return { stamp, isRead: false };
    if (!before.isRead) {
      await parts.drain();
      await parts.resync(terminal);
    }
    return { stamp, isRead: true };
  };

  const loop = async (): Promise<void> => {
    while (!stopped) {
      await parts.pause(LOOK_MS);
      const now: typeof seen = new Map();
      for (const terminal of [...parts.engine.state().terminals.values()].filter(isBlind)) {
        const found = stopped ? null : await look(terminal.id).catch(() => null);
        if (found !== null) now.set(terminal.id, found);
      }
      seen = now;
    }
  };

  void loop();
  return {
    stop: () => {
      stopped = true;
    },
  };
};
