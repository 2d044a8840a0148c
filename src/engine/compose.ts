/**
 * Builds and connects everything: the only place that knows every edge. Start order: lock, fence, markers and what
 * hooks left, resync, then the bridge opens and queues move. Stop goes the other way; agents go on.
 */

import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { adapterOf, levelChoices, runKinds } from "../adapters/registry.js";
import type { TerminalId } from "../bus/ids.js";
import { mayStillType } from "../bus/reporter.js";
import { freePort } from "../feeds/free-port.js";
import { createSpool } from "../feeds/spool.js";
import { systemClock } from "../lib/clock.js";
import { endGroup } from "../lib/end-group.js";
import { messageOf } from "../lib/errors.js";
import { randomIds } from "../lib/ids.js";
import { openLog } from "../lib/log.js";
import { statePaths } from "../lib/paths.js";
import { privateFolder } from "../lib/private-files.js";
import { projectOf } from "../lib/project.js";
import { openMailbox } from "../mailbox/edge/mailbox.js";
import { takeLock } from "../store/lock.js";
import { createPresetShelf } from "../store/presets.js";
import { createServerDoors } from "../store/server-doors.js";
import { settingsReader } from "../store/settings.js";
import { openStore } from "../store/store.js";
import { createTmuxHost } from "../tmux/host.js";
import { createCalls } from "./calls.js";
import type { Endpoint, EngineClient } from "./client.js";
import { openBridge } from "./compose-bridge.js";
import { createIntake } from "./compose-intake.js";
import { createEffects } from "./effects.js";
import { createEngine, type Engine } from "./engine.js";
import { afterStart } from "./first-text.js";
import { createLocalClient, type LocalClient } from "./local-client.js";
import { createMailArrivals } from "./mail-arrivals.js";
import type { TerminalHost, Vault } from "./ports.js";
import { watchQueues } from "./queue-watch.js";
import { recover } from "./recovery.js";
import { watchRegistries } from "./registry-watch.js";
import { screenCommand } from "./screen-command.js";
import { createSeats } from "./seats.js";
import { chooseServer } from "./server-choice.js";
import { watchStartUps } from "./start-up-watch.js";
import { loadState } from "./stored.js";
import { createTypist } from "./typist.js";

type Env = NodeJS.ProcessEnv;

export type EngineOptions = {
  readonly env: Env;
  /** Name of the tmux server to use (`tmux -L`); null: Quay's own, or the user's when inside tmux. */
  readonly socket: string | null;
  /** The value of $TMUX, when the person is inside tmux. */
  readonly insideTmux: string | null;
  /** Stands between the engine and its terminals: a trial that stops the engine in the middle of a step. */
  readonly wrapHost?: (host: TerminalHost) => TerminalHost;
};

export type RunningEngine = {
  readonly client: EngineClient;
  readonly endpoint: Endpoint;
  readonly ownerToken: string;
  /** Resolves when the engine has ended, with the reason. */
  readonly closed: Promise<string>;
  stop(): Promise<void>;
};

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Made once per state folder: it names our tmux clients and options. */
const instanceOf = (vault: Vault, make: () => string): string => {
  const known = vault.get("instance");
  if (known !== null) return known;
  const instance = make();
  vault.set("instance", instance);
  return instance;
};

/**
 * Starts the engine of this state folder. Throws QuayError: `engine-running` (names the holder), `tmux-missing`,
 * `tmux-too-old`, `fenced-out`, `port-taken`, `file-invalid`.
 */
export const startEngine = async (options: EngineOptions): Promise<RunningEngine> => {
  const paths = statePaths(options.env);
  privateFolder(paths.home);
  const undo: (() => Promise<void> | void)[] = [];
  const unwind = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        log.warn({ error: messageOf(error) }, "a part could not be stopped");
      }
    }
  };
  const log = openLog(paths.log, (options.env.QUAY_LOG_LEVEL as "info" | undefined) ?? "info");
  try {
    const lock = takeLock(paths.lock);
    undo.push(() => lock.release());
    const store = openStore(paths);
    undo.push(() => store.close());
    const running = await assemble(options, { paths, store, log, undo, unwind });
    return running;
  } catch (error) {
    await unwind();
    throw error;
  }
};

type Base = {
  readonly paths: ReturnType<typeof statePaths>;
  readonly store: ReturnType<typeof openStore>;
  readonly log: ReturnType<typeof openLog>;
  readonly undo: (() => Promise<void> | void)[];
  readonly unwind: () => Promise<void>;
};

const assemble = async (options: EngineOptions, base: Base): Promise<RunningEngine> => {
  const { paths, store, log, undo, unwind } = base;
  const { vault, journal } = store;
  const ids = randomIds();
  const settings = settingsReader(paths, runKinds, levelChoices);
  settings();
  const stored = await journal.load();
  const state = loadState(stored);
  const choice = chooseServer(options, vault, state, paths.tmuxSocket);
  vault.set("tmuxServer", JSON.stringify(choice));

  const wait = (ms: number): Promise<void> => pause(ms);
  const note = (what: string, facts: Readonly<Record<string, unknown>>): void =>
    log.warn({ scope: "engine", ...facts }, what);
  const wrapHost = options.wrapHost ?? ((plain: TerminalHost) => plain);
  const tmuxHost = createTmuxHost({
    server: choice,
    tmuxSession: "quay",
    instance: instanceOf(vault, () =>
      ids
        .secret()
        .toLowerCase()
        .replace(/[^a-z0-9]/g, "")
        .slice(0, 8),
    ),
    launchFolder: paths.runtime,
    missionControl: screenCommand(options.env, process.execPath, here("../cli/main.js")),
    log: (line) => log.debug({ scope: "tmux" }, line),
  });
  const host = wrapHost(tmuxHost);
  undo.push(() => host.stop());

  let engine: Engine;
  let client: LocalClient | null = null;
  const calls = createCalls(() => engine);
  const adapterFor = (terminal: TerminalId) => {
    const record = engine.state().terminals.get(terminal);
    return record === undefined ? null : adapterOf(record.kind);
  };
  const spool = createSpool(paths.spool);
  undo.push(() => spool.close());
  const looking = createTypist({
    host,
    adapterFor: (terminal) => adapterFor(terminal)!,
    mayStillType: (terminal) => {
      const known = engine.state().terminals.get(terminal);
      return known !== undefined && mayStillType(known, engine.now());
    },
    pause: wait,
    quietMs: (terminal) => intake.quietMs(terminal),
    nextOutput: (terminal, ms) => intake.nextOutput(terminal, ms),
    now: () => engine.now(),
  });
  const typist = afterStart(looking, (terminal) => intake.takesText(terminal));
  const effects = createEffects({
    engine: () => engine,
    host,
    typist,
    calls,
    pause: wait,
    adapterFor,
    resync: (terminal) => intake.resync(terminal),
    toast: (toast) => {
      client?.toast(toast);
      void host.displayMessage(toast.text).catch(() => {});
    },
    note,
  });
  engine = createEngine({
    clock: systemClock(),
    journal,
    state,
    journaled: stored.facts.length,
    perform: effects.perform,
    foresee: effects.foresee,
    catchUp: () => intake.drain(),
    onChange: () => client?.changed(),
    log: { bug: (what, facts) => log.error({ scope: "bus", ...facts }, what) },
  });
  const doors = createServerDoors(paths.servers);
  const intake = createIntake({
    engine,
    host,
    vault,
    spool,
    doors,
    adapterFor,
    settings,
    env: options.env,
    pause: wait,
    note,
  });
  undo.push(() => intake.stop());

  const panes = await host.start();
  await recover({ engine, host, vault, panes, adapterFor, ...intake });
  spool.on(intake.drainNow);
  const startUps = watchStartUps({ engine, host, adapterFor, pause: wait });
  undo.push(() => startUps.stop());
  const registries = watchRegistries({ ...intake, engine, pause: wait });
  undo.push(() => registries.stop());
  const queues = watchQueues({ engine, typist, pause: wait });
  undo.push(() => queues.stop());

  let bridgeUrl = "";
  const presets = createPresetShelf({ builtIn: here("../../presets"), user: paths.presets, kinds: runKinds });
  undo.push(() => presets.close());
  const seats = createSeats({
    engine,
    host,
    vault,
    spool,
    ids,
    settings,
    adapterOf,
    runKinds,
    projectOf,
    bridgeUrl: () => bridgeUrl,
    assetsDir: here("../adapters/assets"),
    env: options.env,
    endGroup: (pid) => endGroup(pid, wait),
    listen: intake.listen,
    close: intake.close,
    doors,
    freePort,
  });
  let ended: (why: string) => void = () => {};
  const closed = new Promise<string>((resolve) => {
    ended = resolve;
  });
  let stopping: Promise<void> | null = null;
  const stop = (): Promise<void> => {
    stopping ??= (async () => {
      effects.stop();
      calls.abandon();
      await engine.stop().catch((error: unknown) => note("the last checkpoint failed", { error: messageOf(error) }));
      client?.gone("the engine has stopped");
      await unwind();
      ended("stopped");
    })();
    return stopping;
  };
  const mailbox = openMailbox(paths.mailbox, () => engine.now());
  undo.push(() => mailbox.close());
  mailbox.onMail(createMailArrivals({ engine, ids, settings, toast: (toast) => client?.toast(toast) }));
  client = createLocalClient({
    engine,
    mailbox: mailbox.desk,
    calls,
    seats,
    presets,
    runKinds,
    host,
    vault,
    ids,
    home: paths.home,
    bridgeUrl: () => bridgeUrl,
    projectOf,
    stop,
  });

  const opened = await openBridge({
    client,
    mailbox,
    engine,
    vault,
    paths,
    log,
    settings,
    socket: host.server().socket,
    poke: intake.drainNow,
    answer: intake.answer,
  });
  undo.push(opened.stop);
  bridgeUrl = opened.endpoint.url;
  client.changed();
  return { client, endpoint: opened.endpoint, ownerToken: opened.ownerToken, closed, stop };
};
