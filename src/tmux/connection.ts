/**
 * The command client over its lives: attach, fence, and after a loss either the same server again (with a raised
 * epoch), or the news that the server is gone, that it does not answer, or that another engine has taken it over.
 * It knows no panes. Order of the steps: facts/typing.md section 3.
 */
import { isSafeId } from "../bus/ids.js";
import { messageOf, QuayError } from "../lib/errors.js";
import type { Attacher } from "./attach.js";
import type { Answer, ControlClient } from "./client.js";
import { endPredecessors, fencedOut, nextEpoch, raiseEpoch, sweepBuffers, termName } from "./fence.js";
import { epochOption } from "./lines.js";
import { cleanEnv } from "./run.js";
import { clientArgs, ensureServer, ensureSession, look, type ServerLife, type ServerSpot } from "./server.js";

export type ConnectionSpot = {
  readonly server: ServerSpot;
  readonly instance: string;
  readonly attacher: Attacher;
  readonly log: (line: string) => void;
  /** Fenced and clean: read the panes. A throw ends this attempt. */
  readonly onUp: () => Promise<void>;
  readonly onGone: () => void;
  readonly onFenced: (holder: string) => void;
  readonly onReachable: (reachable: boolean) => void;
  readonly onNotify: (name: string) => void;
};

export type Attachment = { readonly life: ServerLife; readonly session: string; readonly epoch: string };

export type Connection = {
  /** Throws QuayError; see ensureServer, and `fenced-out`. */
  open(): Promise<void>;
  /** `unknown` at once while there is no client. */
  ask(line: string): Promise<Answer>;
  /** Where we are; the last place while the connection is down. Throws before the first `open`. */
  place(): Attachment;
  isUp(): boolean;
  isGone(): boolean;
  client(): ControlClient | null;
  /** Ends the client and connects again; resolves once that stands, or the server is known to be gone. */
  refence(): Promise<void>;
  /** Something said that the epoch is not ours any more: find out. */
  doubt(): void;
  close(): Promise<void>;
};

const FIRST_WAIT_MS = 50;
const LAST_WAIT_MS = 2_000;
const ANSWER_MS = 5_000;

type Phase = "new" | "up" | "down" | "gone" | "fenced" | "stopped";

export const controlEnv = (instance: string): Readonly<Record<string, string | undefined>> => ({
  ...cleanEnv(process.env),
  TERM: termName(instance),
});

export const createConnection = (spot: ConnectionSpot): Connection => {
  const { instance, log } = spot;
  let phase: Phase = "new";
  let command: ControlClient | null = null;
  let place: Attachment | null = null;
  let holder = "";
  let reachable = true;
  let opening: Promise<void> | null = null;
  let recovering: Promise<void> | null = null;
  let wake: (() => void) | null = null;
  /** Epochs that we may have set: an answer can be lost. */
  const epochs = new Set<string>();
  const is = (...phases: readonly Phase[]): boolean => phases.includes(phase);

  const ask = (line: string): Promise<Answer> =>
    command?.request(line) ?? Promise.resolve({ kind: "unknown", why: `there is no tmux client (${phase})` });

  const tellReachable = (now: boolean): void => {
    if (now === reachable) return;
    reachable = now;
    spot.onReachable(now);
  };

  const watch = (client: ControlClient): void => {
    void client.ended.then(({ why, timedOut }) => {
      if (command !== client) return;
      command = null;
      if (!is("up")) return;
      log(`the tmux client ended: ${why}`);
      phase = "down";
      if (timedOut) tellReachable(false);
      void recover();
    });
  };

  const connect = async (life: ServerLife, old: string): Promise<void> => {
    if (old !== "" && !isSafeId(old)) throw spoiltEpoch(instance);
    const session = await ensureSession(spot.server);
    const client = await spot.attacher.attach(
      {
        tmux: spot.server.tmux,
        args: [
          ...clientArgs(spot.server.address),
          ...["-C", "attach-session", "-E", "-t", session, "-f", "ignore-size,no-output"],
        ],
        env: controlEnv(instance),
        timeoutMs: ANSWER_MS,
        onNotify: spot.onNotify,
      },
      () => (command ? [command] : []),
    );
    try {
      const next = nextEpoch(old);
      epochs.add(next);
      const fenced = await raiseEpoch(client.request, instance, old, next);
      if (fenced.kind === "lost") throw fencedOut(fenced.holder);
      if (fenced.kind === "unknown") throw new QuayError("tmux-unreachable", `tmux did not answer: ${fenced.why}.`);
      command = client;
      place = { life, session, epoch: next };
      watch(client);
      await endPredecessors(ask, instance, spot.attacher.mine(), log);
      await sweepBuffers(ask, instance);
      await spot.onUp();
      if (is("stopped")) throw stopped();
      if (command !== client) throw new QuayError("tmux-unreachable", "The tmux client ended while it was set up.");
      phase = "up";
      tellReachable(true);
    } catch (error) {
      if (command === client) command = null;
      await client.end();
      throw error;
    }
  };

  const openNow = async (): Promise<void> => {
    const server = await ensureServer(spot.server, instance);
    // The clients of a predecessor may be dying at this moment.
    if (!server.fresh) spot.attacher.sawEnd();
    await connect(server.life, server.epoch);
  };

  const isSameLife = (life: ServerLife): boolean =>
    place !== null && life.pid === place.life.pid && life.startedAt === place.life.startedAt;

  const beFenced = (by: string): void => {
    phase = "fenced";
    holder = by;
    spot.onFenced(by);
  };

  /** One attempt; true when there is nothing more to try. */
  const recoverOnce = async (): Promise<boolean> => {
    const seen = await look(spot.server, instance);
    if (!is("down")) return true;
    if (seen.kind === "hung") {
      tellReachable(false);
      return false;
    }
    if (seen.kind === "none" || !isSameLife(seen.life)) {
      phase = "gone";
      spot.onGone();
      return true;
    }
    if (seen.epoch !== "" && !epochs.has(seen.epoch)) {
      beFenced(seen.epoch);
      return true;
    }
    await connect(seen.life, seen.epoch);
    return true;
  };

  const recoverAll = async (): Promise<void> => {
    for (let wait = FIRST_WAIT_MS; is("down"); wait = Math.min(wait * 2, LAST_WAIT_MS)) {
      try {
        if (await recoverOnce()) return;
      } catch (error) {
        if (error instanceof QuayError && error.code === "fenced-out") {
          beFenced(String(error.facts.holder ?? ""));
          return;
        }
        log(`tmux is not back yet: ${messageOf(error)}`);
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, wait);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };

  const recover = (): Promise<void> => {
    recovering ??= recoverAll().finally(() => {
      recovering = null;
    });
    return recovering;
  };

  const drop = async (): Promise<void> => {
    const client = command;
    command = null;
    await client?.end();
  };

  return {
    open: () => {
      opening ??= openNow().finally(() => {
        opening = null;
      });
      return opening;
    },
    ask,
    place: () => {
      if (!place) throw new Error("the terminal host has not started");
      return place;
    },
    isUp: () => is("up"),
    isGone: () => is("gone"),
    client: () => command,
    refence: async () => {
      if (is("up")) {
        phase = "down";
        await drop();
      }
      if (is("down")) await recover();
      if (is("fenced")) throw fencedOut(holder);
      if (is("stopped", "new")) throw stopped();
    },
    doubt: () => {
      if (!is("up")) return;
      phase = "down";
      void drop().then(recover);
    },
    close: async () => {
      phase = "stopped";
      wake?.();
      await opening?.catch(() => {});
      await recovering;
      await drop();
    },
  };
};

const spoiltEpoch = (instance: string): QuayError =>
  new QuayError(
    "tmux-epoch",
    `Something has overwritten the option ${epochOption(instance)} of tmux. If no other quay engine runs, remove it with \`tmux set-option -su ${epochOption(instance)}\` and start again.`,
  );

const stopped = (): QuayError =>
  new QuayError("host-stopped", "The terminal host is not running. Start the engine again.");
