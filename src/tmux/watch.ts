/**
 * Keeps the table of panes true: one listing soon after any notification, and one every second, since some ends give
 * no notice at all (facts/tmux.md section 5). Tells what changed; it types nothing and attaches nothing.
 */
import type { HostEvent } from "../engine/ports.js";
import { messageOf, QuayError } from "../lib/errors.js";
import type { Ask } from "./fence.js";
import { killLine, probeLine } from "./lines.js";
import type { PaneTable } from "./panes.js";
import { errorOf, paneRows } from "./replies.js";
import type { Tap } from "./tap.js";

export type WatchSpot = {
  readonly ask: Ask;
  readonly instance: string;
  readonly table: PaneTable;
  readonly tap: () => Tap;
  readonly isUp: () => boolean;
  readonly mainSession: () => string;
  readonly serverPid: () => number;
  readonly emit: (event: HostEvent) => void;
  /** Output of this pane is not wanted. */
  readonly turnOff: (session: string, pane: string) => void;
  /** After each listing that was not asked for by a caller. */
  readonly afterListing: () => void;
  readonly log: (line: string) => void;
};

export type Watch = {
  /** Lists now. Throws QuayError `tmux-unreachable` when there is no answer. */
  list(): Promise<void>;
  /** Lists soon: something may have changed. */
  listSoon(): void;
  /** A launch whose answer was lost: its pane is removed when it shows up. */
  abandon(terminal: string): void;
  /** From now on ends are told, and the panes are listed every second. */
  start(): void;
  stop(): void;
};

const POLL_MS = 1_000;
const DEBOUNCE_MS = 30;
/** After waking a server that lost the SIGCHLD of a program (facts/tmux.md 0.5). */
const STATUS_MS = 60;

export const createWatch = (spot: WatchSpot): Watch => {
  const { ask, instance, table } = spot;
  const abandoned = new Set<string>();
  let telling = false;
  let listing = false;
  let poll: NodeJS.Timeout | null = null;
  let soon: NodeJS.Timeout | null = null;

  const list = async (): Promise<void> => {
    const number = table.nextListing();
    const answer = await ask(probeLine(instance));
    if (answer.kind === "unknown") throw unreachable(answer.why);
    const error = errorOf(answer.blocks);
    if (error !== null) throw unreachable(`the list of panes failed: ${error}`);
    const rows = paneRows(answer.blocks, spot.mainSession());
    for (const row of rows) {
      if (abandoned.has(row.terminal)) void ask(killLine(row.pane, row.terminal, instance, false));
    }
    const { exits, unsettled } = table.take(
      number,
      rows.filter((row) => !abandoned.has(row.terminal)),
    );
    for (const { session, pane } of spot.tap().sort(number)) spot.turnOff(session, pane);
    if (unsettled) wakeServer();
    // Those that were dead before the start are in what the host's start returns.
    if (telling) for (const exit of exits) spot.emit(exit);
  };

  const wakeServer = (): void => {
    try {
      process.kill(spot.serverPid(), "SIGCHLD");
    } catch {}
    listAfter(STATUS_MS);
  };

  const listNow = async (): Promise<void> => {
    if (!spot.isUp() || listing) return;
    listing = true;
    try {
      await list();
      spot.afterListing();
    } catch (error) {
      spot.log(messageOf(error));
    } finally {
      listing = false;
    }
  };

  const listAfter = (ms: number): void => {
    soon ??= setTimeout(() => {
      soon = null;
      if (listing) listAfter(ms);
      else void listNow();
    }, ms);
  };

  return {
    list,
    listSoon: () => listAfter(DEBOUNCE_MS),
    abandon: (terminal) => {
      abandoned.add(terminal);
    },
    start: () => {
      telling = true;
      poll ??= setInterval(() => void listNow(), POLL_MS);
    },
    stop: () => {
      if (poll) clearInterval(poll);
      if (soon) clearTimeout(soon);
      poll = null;
      soon = null;
    },
  };
};

export const unreachable = (why: string): QuayError =>
  new QuayError("tmux-unreachable", `tmux cannot be asked: ${why}. Its terminals are kept; try again in a moment.`);
