/**
 * The output clients: one per tmux session that has a pane of ours, since tmux shows a control client only the panes
 * of its own session. They are opened rarely and kept. No answers are awaited here: they queue behind the output.
 */
import type { ControlClient } from "./client.js";
import { paneId, sessionId } from "./quote.js";
import type { Tap } from "./tap.js";

export type OutputsSpot = {
  readonly attach: (session: string, hear: Hearing) => Promise<ControlClient>;
  readonly tap: () => Tap;
  /** A client stands; what its panes wrote before is lost. */
  readonly onReady: (session: string) => void;
  readonly onLost: () => void;
  readonly onNotify: (name: string) => void;
  readonly log: (line: string) => void;
};

export type Hearing = {
  readonly onOutput: (pane: string, bytes: Buffer) => void;
  readonly onNotify: (name: string, rest: string) => void;
};

export type Outputs = {
  /** Attaches to sessions that have no client yet, and lets go of the others. One run at a time; never throws. */
  sync(sessions: ReadonlySet<string>): Promise<void>;
  /** This pane is not ours: tmux need not send it. The command client keeps it flowing. */
  turnOff(session: string, pane: string): void;
  close(): Promise<void>;
};

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 4_000;

export const createOutputs = (spot: OutputsSpot): Outputs => {
  const clients = new Map<string, ControlClient>();
  const failures = new Map<string, { readonly until: number; readonly wait: number }>();
  let run: Promise<void> = Promise.resolve();
  let wanted: ReadonlySet<string> = new Set();
  let closed = false;

  const open = async (session: string): Promise<void> => {
    const failed = failures.get(session);
    if (failed && performance.now() < failed.until) return;
    const hear: Hearing = {
      onOutput: (pane, bytes) => spot.tap().output(session, pane, bytes),
      onNotify: (name, rest) => {
        if (name === "%pause") {
          spot.tap().lost(session, rest);
          void clients.get(session)?.request(`refresh-client -A "${paneId(rest)}:continue"`);
        } else spot.onNotify(name);
      },
    };
    try {
      const client = await spot.attach(sessionId(session), hear);
      failures.delete(session);
      clients.set(session, client);
      void client.ended.then(() => {
        if (clients.get(session) !== client) return;
        clients.delete(session);
        if (!closed) spot.onLost();
      });
      spot.onReady(session);
    } catch (error) {
      const wait = Math.min((failed?.wait ?? FIRST_RETRY_MS / 2) * 2, LAST_RETRY_MS);
      failures.set(session, { until: performance.now() + wait, wait });
      spot.log(`no output client for session ${session}: ${String(error)}`);
    }
  };

  const settle = async (): Promise<void> => {
    for (const session of wanted) if (!closed && !clients.has(session)) await open(session);
    for (const [session, client] of [...clients]) {
      if (wanted.has(session)) continue;
      clients.delete(session);
      await client.end();
    }
  };

  return {
    sync: (sessions) => {
      wanted = sessions;
      const isSettled = sessions.size === clients.size && [...sessions].every((session) => clients.has(session));
      if (isSettled || closed) return run;
      run = run.then(settle);
      return run;
    },
    turnOff: (session, pane) => {
      void clients.get(session)?.request(`refresh-client -A "${paneId(pane)}:off"`);
    },
    close: async () => {
      closed = true;
      await run;
      const left = [...clients.values()];
      clients.clear();
      await Promise.all(left.map((client) => client.end()));
    },
  };
};
