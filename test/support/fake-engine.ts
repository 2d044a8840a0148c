/**
 * A scripted engine behind the two ports that the bridge and the screens know. Commands wait until the test answers them
 * (`answer`), unless a script does it at once; nothing here decides anything as the bus would.
 */
import type { Toast } from "../../src/bus/protocol.js";
import type { AgentView, Snapshot, TrailView } from "../../src/bus/views.js";
import type { Answers, CallerDirectory, Change, Command, EngineClient, Failure } from "../../src/engine/client.js";

export type AnyAnswer = Answers[keyof Answers] | Failure;

/** One command that arrived: what it was, and the way to settle it. */
export type Dispatched = {
  readonly command: Command;
  readonly signal: AbortSignal | undefined;
  answer(answer: AnyAnswer): void;
  reject(error: Error): void;
};

export type FakeEngine = {
  readonly client: EngineClient;
  readonly directory: CallerDirectory;
  readonly dispatched: readonly Dispatched[];
  readonly poked: readonly string[];
  readonly answered: readonly string[];
  /** What hooks are told, by terminal/file. */
  readonly answers: Map<string, unknown>;
  /** Answers commands of this kind at once from now on. */
  script(kind: Command["kind"], answer: (command: Command) => AnyAnswer): void;
  setAgents(agents: readonly AgentView[]): void;
  setTrail(trail: readonly TrailView[]): void;
  toast(text: string): void;
  endEngine(why: string): void;
  /** The terminal's token works no more. */
  exit(terminal: string): void;
  listeners(): number;
};

export const OWNER_TOKEN = "owner-token";
export const tokenOf = (terminal: string): string => `tool-${terminal}`;
export const secretOf = (terminal: string): string => `event-${terminal}`;

export const agent = (id: string, changes: Partial<AgentView> = {}): AgentView => ({
  id,
  name: id,
  kind: "claude",
  level: "full peer",
  fullLevel: "full peer",
  demoted: null,
  status: "idle",
  stale: false,
  taskTitle: null,
  currentTool: null,
  autoApproved: 0,
  project: "/work/project",
  cwd: "/work/project",
  preset: null,
  launchedAt: 0,
  prompt: null,
  held: null,
  queued: 0,
  exit: null,
  ...changes,
});

export const entry = (id: string, changes: Partial<TrailView> = {}): TrailView => ({
  id,
  from: "You",
  to: "docs-writer",
  toId: "term-2",
  project: "/work/project",
  tag: null,
  text: "hello",
  status: "Dispatched",
  acceptedAt: 0,
  typedAt: 0,
  endedAt: null,
  timer: { kind: "none" },
  label: "Reply:",
  response: null,
  notes: [],
  ...changes,
});

const firstSnapshot = (agents: readonly AgentView[]): Snapshot => ({
  revision: 1,
  now: 0,
  agents,
  trail: [],
  engine: {
    pid: 1,
    socket: "/tmp/tmux",
    tmuxSession: "quay",
    home: "/home/quay",
    mcpUrl: "http://127.0.0.1:0/mcp",
    stopped: null,
  },
  presets: [],
  runKinds: ["claude", "shell"],
});

export const createFakeEngine = (options: { readonly agents?: readonly AgentView[] } = {}): FakeEngine => {
  const dispatched: Dispatched[] = [];
  const poked: string[] = [];
  const answered: string[] = [];
  const answers = new Map<string, unknown>();
  const gone = new Set<string>();
  const listeners = new Set<(change: Change) => void>();
  const scripts = new Map<Command["kind"], (command: Command) => AnyAnswer>();
  let snapshot = firstSnapshot(options.agents ?? []);

  const tell = (change: Change): void => {
    for (const listener of [...listeners]) listener(change);
  };
  const change = (patch: Partial<Snapshot>): void => {
    snapshot = { ...snapshot, ...patch, revision: snapshot.revision + 1 };
    tell({ kind: "snapshot" });
  };
  const agentBy = (secret: string, form: (terminal: string) => string): AgentView | null =>
    snapshot.agents.find((a) => form(a.id) === secret && !gone.has(a.id)) ?? null;

  const dispatch: EngineClient["dispatch"] = (command, how = {}) =>
    new Promise((resolve, reject) => {
      // The test gives the answer that belongs to its command: the port's type ties the two, a list of commands cannot.
      const answer = (value: AnyAnswer): void => resolve(value as Parameters<typeof resolve>[0]);
      dispatched.push({ command, signal: how.signal, answer, reject });
      const script = scripts.get(command.kind);
      if (script !== undefined) answer(script(command));
    });

  return {
    client: {
      snapshot: () => snapshot,
      subscribe: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      dispatch,
      close: async () => undefined,
    },
    directory: {
      callerOf: (token) => {
        const caller = agentBy(token, tokenOf);
        return caller === null ? null : { id: caller.id, name: caller.name };
      },
      eventSourceOf: (secret) => {
        const source = agentBy(secret, secretOf);
        return source === null ? null : { id: source.id };
      },
      isOwner: (token) => token === OWNER_TOKEN,
      answered: (delivery) => void answered.push(delivery),
      poke: (terminal) => void poked.push(terminal),
      answerOf: async (terminal, file) => answers.get(`${terminal}/${file}`) ?? null,
    },
    dispatched,
    poked,
    answered,
    answers,
    script: (kind, answer) => void scripts.set(kind, answer),
    setAgents: (agents) => change({ agents }),
    setTrail: (trail) => change({ trail }),
    toast: (text) => tell({ kind: "toast", toast: { at: 0, text } satisfies Toast }),
    endEngine: (why) => tell({ kind: "gone", why }),
    exit: (terminal) => void gone.add(terminal),
    listeners: () => listeners.size,
  };
};
