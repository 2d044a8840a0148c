/** An EngineClient that shows what a test gives it and answers as the test says. */

import type { AgentView, Snapshot, TrailView } from "../../src/bus/views.js";
import type { Answer, Change, Command, EngineClient } from "../../src/engine/client.js";

export const START = 1_800_000_000_000;

export const agentView = (patch: Partial<AgentView> & { readonly name: string }): AgentView => ({
  id: `term-${patch.name.replace(/[^a-z0-9]/gi, "") || "x"}`,
  kind: "claude",
  level: "full peer",
  fullLevel: "full peer",
  demoted: null,
  status: "idle",
  stale: false,
  taskTitle: null,
  currentTool: null,
  autoApproved: 0,
  project: "/work/shop",
  cwd: "/work/shop",
  preset: null,
  launchedAt: START,
  prompt: null,
  held: null,
  queued: 0,
  exit: null,
  ...patch,
});

export const trailView = (patch: Partial<TrailView> & { readonly id: string }): TrailView => ({
  from: "test-architect",
  to: "feature-impl",
  toId: "term-featureimpl",
  project: "/work/shop",
  tag: null,
  text: "Make them pass",
  status: "Dispatched",
  acceptedAt: START,
  typedAt: START,
  endedAt: null,
  timer: { kind: "none" },
  label: "Reply:",
  response: null,
  notes: [],
  ...patch,
});

export const snapshotOf = (agents: readonly AgentView[], trail: readonly TrailView[] = []): Snapshot => ({
  revision: 1,
  now: START,
  agents,
  trail,
  engine: {
    pid: 4321,
    socket: "quay",
    tmuxSession: "quay",
    home: "/home/q",
    mcpUrl: "http://127.0.0.1:1/mcp",
    stopped: null,
  },
  presets: [],
  runKinds: ["claude", "shell"],
});

export type FakeClient = EngineClient & {
  readonly commands: Command[];
  readonly signals: (AbortSignal | undefined)[];
  /** What the next commands are answered with; a promise stays open until the test settles it. */
  answer: (command: Command) => unknown;
  readonly show: (snapshot: Snapshot) => void;
  readonly emit: (change: Change) => void;
  readonly reads: () => number;
  readonly listeners: () => number;
};

export const fakeClient = (first: Snapshot): FakeClient => {
  let snapshot = first;
  let reads = 0;
  const listeners = new Set<(change: Change) => void>();
  const emit = (change: Change): void => {
    for (const listener of listeners) listener(change);
  };
  const client: FakeClient = {
    commands: [],
    signals: [],
    answer: () => ({ ok: false, code: "unexpected", message: "the test expected no command" }),
    snapshot: () => {
      reads += 1;
      return snapshot;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispatch: async <C extends Command>(command: C, options: { readonly signal?: AbortSignal } = {}) => {
      client.commands.push(command);
      client.signals.push(options.signal);
      return (await client.answer(command)) as Answer<C["kind"]>;
    },
    close: async () => {},
    show: (next) => {
      snapshot = { ...next, revision: snapshot.revision + 1 };
      emit({ kind: "snapshot" });
    },
    emit,
    reads: () => reads,
    listeners: () => listeners.size,
  };
  return client;
};
