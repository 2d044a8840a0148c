/** The command line without the outside world: memory for its streams, doors that a test opens, a scripted engine. */
import type { AgentView, Snapshot, TrailView } from "../../src/bus/views.js";
import type { Cli, Doors, ExitCode } from "../../src/cli/cli.js";
import { runProgram } from "../../src/cli/program.js";
import type { Answer, Change, Command, Endpoint, EngineClient } from "../../src/engine/client.js";
import { agent, entry } from "./fake-engine.js";

export const agentView = (given: Partial<AgentView> = {}): AgentView =>
  agent("term-a1", { name: "reviewer", project: "/work/parser", cwd: "/work/parser", ...given });

export const trailView = (given: Partial<TrailView> = {}): TrailView =>
  entry("d-1", { to: "reviewer", toId: "term-a1", text: "Review the diff.", label: "Answer:", ...given });

export const snapshotOf = (given: Partial<Snapshot> = {}): Snapshot => ({
  revision: 1,
  now: 2_000,
  agents: [],
  trail: [],
  engine: {
    pid: 4242,
    socket: "quay",
    tmuxSession: "quay",
    home: "/home/u/.quay",
    mcpUrl: "http://127.0.0.1:4000/mcp",
    stopped: null,
  },
  presets: [],
  runKinds: ["claude", "shell"],
  ...given,
});

export type Deferred<T> = { readonly promise: Promise<T>; readonly resolve: (value: T) => void };

/** A promise that the test resolves. */
export const deferred = <T>(): Deferred<T> => {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
};

export type FakeEngine = EngineClient & {
  readonly commands: Command[];
  show(snapshot: Snapshot): void;
  tell(change: Change): void;
  isClosed(): boolean;
};

/** An engine that answers by a table: kind of command → its answer. */
export const fakeEngine = (
  first: Snapshot,
  answers: { readonly [K in Command["kind"]]?: Answer<K> } = {},
): FakeEngine => {
  let snapshot = first;
  let closed = false;
  const listeners = new Set<(change: Change) => void>();
  const commands: Command[] = [];
  const tell = (change: Change): void => {
    for (const listener of [...listeners]) listener(change);
  };
  return {
    commands,
    tell,
    isClosed: () => closed,
    show: (next) => {
      snapshot = next;
      tell({ kind: "snapshot" });
    },
    snapshot: () => snapshot,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispatch: async <C extends Command>(command: C) => {
      commands.push(command);
      const answer: unknown = answers[command.kind];
      if (answer === undefined) throw new Error(`the test has no answer for ${command.kind}`);
      return answer as Answer<C["kind"]>;
    },
    close: async () => {
      closed = true;
    },
  };
};

export const endpoint: Endpoint = {
  url: "http://127.0.0.1:4000",
  port: 4000,
  pid: 4242,
  socket: "quay",
  home: "/home/u/.quay",
};

const shut = (door: string) => (): never => {
  throw new Error(`the test did not open the door ${door}`);
};

/** Doors that are shut but for those given. Without `engine`, no engine answers. */
export const doorsWith = (engine: EngineClient | null, given: Partial<Doors> = {}): Doors => ({
  startEngine: shut("startEngine"),
  connect: async () => engine ?? shut("connect")(),
  readStore: async () => null,
  readEndpoint: async () => (engine === null ? null : { endpoint, token: "owner" }),
  spawnServe: shut("spawnServe"),
  missionControl: shut("missionControl"),
  liveTrail: shut("liveTrail"),
  run: shut("run"),
  feed: shut("feed"),
  projectOf: async (folder) => folder,
  readPresets: async () => [],
  readPlace: async () => ({ kind: "read", settings: { adapters: {} }, port: null }),
  openMailbox: shut("openMailbox"),
  openSettings: shut("openSettings"),
  probe: shut("probe"),
  privateTmux: shut("privateTmux"),
  isAlive: () => true,
  removeTmuxServer: async () => {},
  ...given,
});

export type Outside = {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly outIsTerminal?: boolean;
  readonly inputIsTerminal?: boolean;
  readonly input?: string;
  readonly answer?: string;
  readonly closed?: AbortSignal;
  readonly now?: () => number;
};

export type Ran = {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
  readonly questions: readonly string[];
};

export type Running = {
  readonly ended: Promise<Ran>;
  out(): string;
  err(): string;
  signal(name: "SIGINT" | "SIGTERM" | "SIGHUP"): void;
};

/** Starts the command line with these words and returns while it runs. */
export const start = (args: readonly string[], doors: Doors, outside: Outside = {}): Running => {
  let out = "";
  let err = "";
  const questions: string[] = [];
  const signalListeners = new Set<Parameters<Cli["onSignal"]>[0]>();
  const closed = outside.closed ?? new AbortController().signal;
  const writeOut = (text: string): void => {
    out += text;
  };
  const writeErr = (text: string): void => {
    err += text;
  };
  const code = runProgram(args, {
    version: "1.2.3",
    columns: 100,
    write: writeOut,
    writeError: writeErr,
    makeCli: (flags) => ({
      env: { ...(outside.env ?? {}), ...(flags.home === null ? {} : { QUAY_HOME: flags.home }) },
      cwd: outside.cwd ?? "/",
      socket: flags.socket,
      out: { write: writeOut, isTerminal: outside.outIsTerminal === true, columns: 100, closed },
      err: { write: writeErr, isTerminal: false, columns: 100, closed },
      inputIsTerminal: outside.inputIsTerminal === true,
      readInput: async () => outside.input ?? "",
      ask: async (question) => {
        questions.push(question);
        return outside.answer ?? "";
      },
      onSignal: (listener) => {
        signalListeners.add(listener);
        return () => signalListeners.delete(listener);
      },
      doors,
      now: outside.now ?? Date.now,
    }),
  });
  return {
    ended: code.then((ended) => ({ code: ended, out, err, questions })),
    out: () => out,
    err: () => err,
    signal: (name) => {
      for (const listener of [...signalListeners]) listener(name);
    },
  };
};

export const run = (args: readonly string[], doors: Doors, outside: Outside = {}): Promise<Ran> =>
  start(args, doors, outside).ended;
