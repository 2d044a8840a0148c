/**
 * `quay`: Mission Control. Over /api when an engine runs; else the engine runs in this process beside its screen. Leaving
 * the screen never ends the agents, and never the engine: a detached one takes over, since a process cannot let go of
 * its terminal. A lost terminal makes this process the headless engine.
 */
import { setTimeout as delay } from "node:timers/promises";
import { QuayError } from "../../lib/errors.js";
import { type Cli, EXIT, type ExitCode, type StartedEngine } from "../cli.js";
import { type Reached, reach } from "../connect.js";
import { startDetached } from "../ensure-engine.js";
import { refused } from "../errors-to-exit.js";
import { refuseInside } from "../inside.js";
import { wordGoingOn } from "../output.js";
import { livePeers, screenOptions } from "../screen.js";
import { steadyClient } from "../steady-client.js";

/** A screen elsewhere that is left hands its engine's work on in about 2 s; an engine away for longer is gone. */
const GONE_AFTER_MS = 5_000;

export const missionControl = async (cli: Cli): Promise<ExitCode> => {
  refuseInside(cli.env, "Mission Control");
  if (!cli.out.isTerminal || !cli.inputIsTerminal)
    throw refused(
      "Mission Control needs a terminal. Without one: quay serve runs the engine, quay ls and quay trail print what it knows.",
    );
  const running = await reach(cli);
  if (running !== null) return await showRemote(cli, running);
  try {
    const engine = await cli.doors.startEngine({
      env: cli.env,
      socket: cli.socket,
      insideTmux: cli.env.TMUX ?? null,
    });
    return await showHere(cli, engine);
  } catch (error) {
    const rival = error instanceof QuayError && error.code === "engine-running" ? await reach(cli) : null;
    if (rival === null) throw error;
    return await showRemote(cli, rival);
  }
};

const showRemote = async (cli: Cli, reached: Reached): Promise<ExitCode> => {
  const over = new AbortController();
  const client = steadyClient(reached.client, null, {
    connect: async () => (await reach(cli))?.client ?? null,
    goneAfterMs: GONE_AFTER_MS,
    pause: async (ms) => {
      await delay(ms, undefined, { signal: over.signal }).catch(() => {});
    },
  });
  try {
    const end = await cli.doors.missionControl(client, screenOptions(cli, over.signal));
    if (end === "gone") cli.out.write("Agents go on. Start the engine again with: quay\n");
    if (end === "left") cli.out.write("Left the screen; the engine goes on. Come back with: quay. End it: quay stop\n");
    return EXIT.ok;
  } finally {
    over.abort();
    await client.close();
  }
};

const showHere = async (cli: Cli, engine: StartedEngine): Promise<ExitCode> => {
  const over = new AbortController();
  let isTerminated = false;
  let closedWhy: string | null = null;
  let isHeadless = false;
  // The screen hears these signals too and leaves; here they must not end the process with its engine.
  const unlisten = cli.onSignal((signal) => {
    isTerminated ||= signal === "SIGTERM";
    if (isHeadless && signal !== "SIGHUP") void engine.stop();
  });
  const closed = engine.closed.then((why) => {
    closedWhy = why;
    over.abort();
  });
  const end = await cli.doors.missionControl(engine.client, screenOptions(cli, over.signal));
  if (end === "gone") await closed;
  if (closedWhy !== null) {
    unlisten();
    cli.out.write(`The engine has ended: ${closedWhy}. Agents go on; start it again with: quay\n`);
    return EXIT.ok;
  }
  isHeadless = end === "lost";
  if (!isHeadless || isTerminated) await engine.stop();
  await closed;
  unlisten();
  if (!isHeadless && !isTerminated) await handOver(cli);
  return EXIT.ok;
};

/** A process cannot let go of its terminal, so another one goes on with the engine's work. */
const handOver = async (cli: Cli): Promise<void> => {
  cli.err.write("quay: the engine moves out of this terminal\n");
  const successor = await startDetached(cli, () => {});
  const live = livePeers(successor.client.snapshot().agents).length;
  await successor.client.close();
  cli.out.write(
    `The engine runs without a screen. ${wordGoingOn(live)} Come back with: quay. End the engine: quay stop\n`,
  );
};
