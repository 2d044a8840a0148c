/**
 * The engine with all of its own parts on made-up edges: a tmux in memory, a disk in memory, a clock that only the test
 * winds. A rig can be killed and another one started on the same world, as a restart does.
 */
import type { Adapter, LineRules, Screen, ServerDoor } from "../../src/adapters/adapter.js";
import { custom, shell } from "../../src/adapters/shell.js";
import type { Delivery } from "../../src/bus/delivery.js";
import { callId, deliveryId, type TerminalId, terminalId } from "../../src/bus/ids.js";
import type { Observation } from "../../src/bus/protocol.js";
import { mayStillType } from "../../src/bus/reporter.js";
import type { Traits } from "../../src/bus/terminal.js";
import { trailViews } from "../../src/bus/trail.js";
import type { TrailView } from "../../src/bus/views.js";
import { createCalls } from "../../src/engine/calls.js";
import type { Answer, SeatRequest } from "../../src/engine/client.js";
import { createIntake } from "../../src/engine/compose-intake.js";
import { createDirectory } from "../../src/engine/directory.js";
import { createEffects } from "../../src/engine/effects.js";
import { createEngine, type Engine } from "../../src/engine/engine.js";
import { createLocalClient, type LocalClient } from "../../src/engine/local-client.js";
import type { Clock, Journal, ServerDoors, Settings, Spool, SpooledEvent, Vault } from "../../src/engine/ports.js";
import { recover } from "../../src/engine/recovery.js";
import { createSeats, type Seats } from "../../src/engine/seats.js";
import { watchStartUps } from "../../src/engine/start-up-watch.js";
import { loadState } from "../../src/engine/stored.js";
import { createTypist } from "../../src/engine/typist.js";
import { LIKE, START } from "./bus.js";
import { createMemoryHost, createMemoryWorld, type MemoryHost, type MemoryWorld } from "./memory-host.js";
import { emptyDisk, type MemoryDisk, memoryJournal } from "./memory-journal.js";

/** Lets promises that are under way come to rest. */
export const rest = async (): Promise<void> => {
  for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

export type ManualClock = Clock & {
  pause(ms: number): Promise<void>;
  /** Winds on; what is due on the way happens in order. */
  advance(ms: number): Promise<void>;
  alarmAt(): number | null;
  /** Time passes in which nothing runs, as in a process that is stopped. */
  standStill(ms: number): void;
};

export const manualClock = (): ManualClock => {
  let now = START;
  let alarm: { readonly at: number; readonly ring: () => void } | null = null;
  let pauses: { readonly at: number; readonly done: () => void }[] = [];
  const next = (): { readonly at: number; readonly run: () => void } | null => {
    const pausing = [...pauses].sort((a, b) => a.at - b.at)[0];
    const ringing = alarm;
    if (ringing !== null && (pausing === undefined || ringing.at <= pausing.at)) {
      const ring = (): void => {
        alarm = null;
        ringing.ring();
      };
      return { at: ringing.at, run: ring };
    }
    if (pausing === undefined) return null;
    const wake = (): void => {
      pauses = pauses.filter((one) => one !== pausing);
      pausing.done();
    };
    return { at: pausing.at, run: wake };
  };
  return {
    now: () => now,
    alarm: (at, ring) => {
      alarm = at === null ? null : { at, ring };
    },
    alarmAt: () => alarm?.at ?? null,
    standStill: (ms) => {
      now += ms;
    },
    pause: (ms) => new Promise((done) => pauses.push({ at: now + ms, done })),
    advance: async (ms) => {
      const until = now + ms;
      await rest();
      for (let steps = 0; ; steps += 1) {
        const due = next();
        if (due === null || due.at > until) break;
        if (steps > 20_000) throw new Error("time does not go on: something is due again and again");
        now = Math.max(now, due.at);
        due.run();
        await rest();
      }
      now = until;
    },
  };
};

/** The screen of a made-up CLI is its line: a draft, or `dialog: …`, or `mess` that nobody understands. */
const lineOf = ({ ansi }: Screen): string => ansi;
export const line: LineRules = {
  line: (screen) => (lineOf(screen) === "" ? "empty" : lineOf(screen) === "mess" ? "unknown" : "occupied"),
  echo: (screen, text) => (lineOf(screen) === text ? "ours" : lineOf(screen).includes(text) ? "mixed" : "none"),
  dialog: (screen) => (lineOf(screen).startsWith("dialog: ") ? lineOf(screen).slice(8) : null),
  gate: (text) => text,
  brokenBehind: (screen, text) => lineOf(screen) === `${text}\n`,
  settleMs: 10,
  echoMs: 100,
};

const madeUp = (kind: "claude" | "codex" | "demo" | "opencode", traits: Traits, rules: LineRules | null): Adapter => ({
  ...shell,
  kind,
  traits,
  line: rules,
  launch: (input) => ({
    argv: [input.command ?? kind, ...input.args],
    env: {
      ...input.env,
      QUAY_TOKEN: input.wiring.token,
      QUAY_EVENTS_SECRET: input.wiring.eventSecret,
      ...(input.settings?.length ? { SETTINGS: input.settings.join("|") } : {}),
    },
    unsetEnv: [],
    secrets: ["QUAY_TOKEN", "QUAY_EVENTS_SECRET"],
  }),
  interpret: (memory, signal) => ({
    memory,
    observations: signal.kind === "hook" ? [signal.payload as unknown as Observation] : [],
  }),
});

/** claude: a full peer with a line. codex: one whose bridge tells of ends only. demo: a listener without a line. */
/** A CLI that runs a server, which nobody here listens to. */
const served: Adapter = {
  ...madeUp("opencode", LIKE.served, line),
  server: { health: "/health", events: "/events", heeds: () => true, reads: () => ({}) },
};

const ADAPTERS: Readonly<Record<string, Adapter>> = {
  opencode: {
    ...served,
    launch: (input) => ({
      ...served.launch(input),
      door: input.server === undefined ? null : { ...input.server, user: "me", cliSession: input.resume },
    }),
  },
  claude: { ...madeUp("claude", LIKE.claude, line), permission: { asked: () => null, yes: {} } },
  codex: { ...madeUp("codex", LIKE.endsOnly, line), settings: (env, args) => [...args, env.SETTINGS_FILE ?? ""] },
  demo: madeUp("demo", LIKE.listener, null),
  shell,
  custom,
};

const memoryVault = (): Vault => {
  const secrets = new Map<TerminalId, { readonly tool: string; readonly event: string }>();
  const places = new Map<TerminalId, { readonly serverPid: number; readonly serverStartedAt: number }>();
  const values = new Map<string, string>();
  return {
    putSecrets: (terminal, hashes) => void secrets.set(terminal, hashes),
    secrets: () => [...secrets].map(([terminal, hashes]) => ({ terminal, ...hashes })),
    dropSecrets: (terminal) => void secrets.delete(terminal),
    putPlace: (terminal, place) => void places.set(terminal, place),
    places: () => [...places].map(([terminal, place]) => ({ terminal, ...place })),
    dropPlace: (terminal) => void places.delete(terminal),
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    drop: (key) => void values.delete(key),
  };
};

export type MemorySpool = Spool & { readonly events: SpooledEvent[]; readonly folders: Set<TerminalId> };

const memorySpool = (): MemorySpool => {
  const events: SpooledEvent[] = [];
  const folders = new Set<TerminalId>();
  return {
    events,
    folders,
    on: () => {},
    drain: async () => [...events],
    taken: async (taken) => {
      for (const event of taken) events.splice(events.indexOf(event), 1);
    },
    prepare: (terminal) => {
      folders.add(terminal);
      return `/spool/${terminal}`;
    },
    drop: async (terminal) => void folders.delete(terminal),
    close: async () => {},
  };
};

export type MemoryDoors = ServerDoors & { readonly open: Map<TerminalId, ServerDoor> };

const memoryDoors = (): MemoryDoors => {
  const open = new Map<TerminalId, ServerDoor>();
  return {
    open,
    put: (terminal, door) => void open.set(terminal, door),
    get: (terminal) => open.get(terminal) ?? null,
    drop: (terminal) => void open.delete(terminal),
  };
};

/** What outlives an engine. */
export type Ground = {
  readonly clock: ManualClock;
  readonly world: MemoryWorld;
  readonly disk: MemoryDisk;
  readonly vault: Vault;
  readonly spool: MemorySpool;
  readonly doors: MemoryDoors;
  made: number;
};

export const newGround = (): Ground => ({
  clock: manualClock(),
  world: createMemoryWorld(),
  disk: emptyDisk(),
  vault: memoryVault(),
  spool: memorySpool(),
  doors: memoryDoors(),
  made: 0,
});

export type Rig = {
  readonly ground: Ground;
  readonly engine: Engine;
  readonly host: MemoryHost;
  readonly client: LocalClient;
  readonly seats: Seats;
  readonly directory: ReturnType<typeof createDirectory>;
  readonly notes: string[];
  readonly bugs: string[];
  readonly toasts: string[];
  /** Pids whose process groups were ended. */
  readonly endedGroups: readonly number[];
  /** Starts a terminal of this kind; its prompt is up unless it is told to stay silent. */
  launch(name: string, kind?: string, options?: { readonly silent?: boolean }): Promise<TerminalId>;
  /** The program leaves an event for the engine: written only, or drained too. */
  leaves(name: string, observation: Observation): void;
  sees(name: string, observation: Observation): Promise<void>;
  send(from: string | null, to: string, text: string, wait?: boolean, signal?: AbortSignal): Promise<Answer<"send">>;
  advance(ms: number): Promise<void>;
  idOf(name: string): TerminalId;
  /** What was typed there: `paste <text>` and `enter`. */
  typed(name: string): readonly string[];
  trail(): readonly TrailView[];
  deliveries(): readonly Delivery[];
  /** kill -9: nothing of this engine runs on. */
  kill(): Promise<void>;
};

export type RigOptions = {
  readonly ground?: Ground;
  /** Wraps the journal, for one that fails or waits. */
  readonly journal?: (journal: Journal) => Journal;
  readonly settings?: Settings;
  /** Seats of the one preset there is. */
  readonly preset?: readonly SeatRequest[];
  /** Called before recovery begins. */
  readonly beforeRecovery?: (host: MemoryHost, engine: Engine) => void;
};

export const startRig = async (options: RigOptions = {}): Promise<Rig> => {
  const ground = options.ground ?? newGround();
  const { clock, vault, spool, doors, world } = ground;
  const plain = memoryJournal(ground.disk);
  const journal = options.journal?.(plain) ?? plain;
  const stored = await plain.load();
  const host = createMemoryHost({ world });
  const [notes, bugs, toasts]: [string[], string[], string[]] = [[], [], []];
  const endedGroups: number[] = [];
  const name = (): string => {
    ground.made += 1;
    return String(ground.made);
  };
  const ids = {
    terminal: () => terminalId(`term-${name()}`),
    delivery: () => deliveryId(`d${name()}`),
    call: () => callId(`c${name()}`),
    secret: () => `secret-${name()}`,
  };
  let engine: Engine;
  let client: LocalClient | null = null;
  let isDead = false;
  const never = new Promise<never>(() => {});
  const pause = async (ms: number): Promise<void> => {
    await clock.pause(ms);
    if (isDead) await never;
  };
  const calls = createCalls(() => engine);
  const adapterFor = (terminal: TerminalId): Adapter | null =>
    ADAPTERS[engine.state().terminals.get(terminal)?.kind ?? ""] ?? null;
  const effects = createEffects({
    engine: () => engine,
    host,
    typist: createTypist({
      host,
      adapterFor: (terminal) => adapterFor(terminal)!,
      mayStillType: (terminal) => mayStillType(engine.state().terminals.get(terminal)!, clock.now()),
      pause,
      quietMs: () => null,
      nextOutput: (_terminal, ms) => pause(ms),
      now: () => clock.now(),
    }),
    calls,
    pause,
    adapterFor,
    resync: (terminal) => intake.resync(terminal),
    toast: (toast) => void toasts.push(toast.text),
    note: (what) => void notes.push(what),
  });
  engine = createEngine({
    clock: { now: clock.now, alarm: (at, ring) => (isDead ? undefined : clock.alarm(at, ring)) },
    journal,
    state: loadState(stored),
    journaled: stored.facts.length,
    perform: (effect) => (isDead ? never : effects.perform(effect)),
    foresee: (effect) => (isDead ? undefined : effects.foresee(effect)),
    catchUp: () => intake.drain(),
    onChange: () => client?.changed(),
    log: { bug: (what) => void bugs.push(what) },
  });
  const settings = (): Settings => options.settings ?? { adapters: {}, port: null, mailbox: { notify: false } };
  const intake = createIntake({
    engine,
    host,
    vault,
    spool,
    doors,
    adapterFor,
    settings,
    env: {},
    pause,
    note: (what) => void notes.push(what),
  });
  const panes = await host.start();
  options.beforeRecovery?.(host, engine);
  await recover({
    engine,
    host,
    vault,
    panes,
    adapterFor,
    drain: intake.drain,
    resync: intake.resync,
    listen: intake.listen,
    close: intake.close,
  });
  const startUps = watchStartUps({ engine, host, adapterFor, pause });
  const seats = createSeats({
    engine,
    endGroup: async (pid) => void endedGroups.push(pid),
    host,
    vault,
    spool,
    ids,
    settings,
    adapterOf: (kind) => ADAPTERS[kind] ?? null,
    runKinds: Object.keys(ADAPTERS),
    projectOf: async (cwd) => cwd,
    bridgeUrl: () => "http://127.0.0.1:1",
    assetsDir: "/assets",
    env: {},
    listen: intake.listen,
    close: intake.close,
    doors,
    freePort: async () => 4100,
  });
  client = createLocalClient({
    engine,
    calls,
    seats,
    runKinds: Object.keys(ADAPTERS),
    presets: {
      list: () => [],
      seats: () => options.preset ?? [],
      watchProject: () => {},
      on: () => {},
      close: async () => {},
    },
    host,
    vault,
    ids,
    mailbox: () => Promise.reject(new Error("no mailbox in this test")),
    home: "/home",
    bridgeUrl: () => "http://127.0.0.1:1",
    projectOf: async (cwd) => cwd,
    stop: async () => {},
  });
  const directory = createDirectory({
    engine,
    vault,
    ownerToken: "owner",
    poke: intake.drainNow,
    answer: intake.answer,
  });

  const idOf = (wanted: string): TerminalId => {
    const found = [...engine.state().terminals.values()].findLast((terminal) => terminal.name === wanted);
    if (found === undefined) throw new Error(`no terminal ${wanted}`);
    return found.id;
  };
  const leaves = (who: string, observation: Observation): void => {
    const terminal = idOf(who);
    const { plan, pane } = host.pane(terminal);
    spool.events.push({
      file: `${ground.made++}`,
      terminal,
      secret: plan.env.QUAY_EVENTS_SECRET ?? "",
      pane,
      cliPid: null,
      event: observation.kind,
      payload: observation as unknown as Readonly<Record<string, unknown>>,
      writtenAt: clock.now(),
    });
  };
  const sees = async (who: string, observation: Observation): Promise<void> => {
    leaves(who, observation);
    await intake.drain();
  };
  /** A CLI takes what is entered off its line. */
  host.whenTyped((typed) => {
    if (typed.kind === "enter") host.pane(typed.terminal).text = "";
  });

  return {
    ground,
    engine,
    host,
    client,
    seats,
    directory,
    notes,
    bugs,
    toasts,
    endedGroups,
    launch: async (who, kind = "claude", { silent = false } = {}) => {
      const seat: SeatRequest = { name: who, kind, cwd: "/work/app", args: [], env: {}, prompt: null, preset: null };
      const result = await seats.launch(seat);
      if (result.id === null) throw new Error(result.why ?? "not started");
      host.output(terminalId(result.id), "hello");
      if (kind === "claude" && !silent) await sees(who, { kind: "ready", cliSession: `s-${who}`, cleared: false });
      await rest();
      return terminalId(result.id);
    },
    leaves,
    sees,
    send: (from, to, text, wait = false, signal) => {
      const caller =
        from === null
          ? ({ kind: "person", as: null, project: null } as const)
          : ({ kind: "terminal", id: idOf(from) } as const);
      return client.dispatch({ kind: "send", caller, target: to, text, wait, raw: false }, signal ? { signal } : {});
    },
    advance: clock.advance,
    idOf,
    typed: (who) =>
      world.typed
        .filter((typed) => typed.terminal === idOf(who))
        .map((typed) => (typed.kind === "paste" ? `paste ${typed.text}` : typed.kind)),
    trail: () => trailViews(engine.state(), 100),
    deliveries: () => [...engine.state().deliveries.values()],
    kill: async () => {
      isDead = true;
      startUps.stop();
      effects.stop();
      clock.alarm(null, () => {});
      await host.stop();
    },
  };
};
