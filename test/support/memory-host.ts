/**
 * The in-memory twin of the tmux host, for tests of the engine: a world of panes, and hooks to script it. It passes
 * the contract suite of the real one. Two hosts on one world are two engines on one server.
 */
import type { Screen } from "../../src/adapters/adapter.js";
import type { DeliveryId, TerminalId } from "../../src/bus/ids.js";
import type {
  EnterGate,
  EnterReply,
  HostEvent,
  PaneLaunch,
  PaneSeen,
  PasteReply,
  TerminalHost,
} from "../../src/engine/ports.js";
import { QuayError } from "../../src/lib/errors.js";

export type Typed = {
  readonly kind: "paste" | "enter" | "answer";
  readonly terminal: TerminalId;
  readonly delivery: DeliveryId | null;
  readonly text: string;
};

export type MemoryPane = {
  readonly plan: PaneLaunch;
  readonly pane: string;
  readonly pid: number;
  dead: boolean;
  status: number | null;
  signal: number | null;
  pasted: DeliveryId | null;
  entered: DeliveryId | null;
  enteredTwice: boolean;
  inMode: boolean;
  inputOff: boolean;
  /** What stands on the screen when none was set; a paste is added to it while `echoes`. */
  text: string;
  echoes: boolean;
  screen: Screen | null;
  /** Somebody is at its keyboard. */
  person: boolean;
};

export type MemoryWorld = {
  readonly panes: Map<TerminalId, MemoryPane>;
  /** Everything that was typed into any pane, in order. */
  readonly typed: Typed[];
  /** Folders and programs that a launch does not find. */
  readonly missingFolders: Set<string>;
  readonly missingPrograms: Set<string>;
  /** Programs, by name, that end at once with this status. */
  readonly endsAtOnce: Map<string, number>;
  epoch: number;
  /** Panes made so far: ids are never used again. */
  made: number;
  serverPid: number;
  alive: boolean;
  readonly hosts: Set<MemoryHost>;
};

export type MemoryHost = TerminalHost & {
  readonly world: MemoryWorld;
  readonly typed: readonly Typed[];
  pane(terminal: TerminalId): MemoryPane;
  /** A plain text gets its cursor behind its last character. */
  setScreen(terminal: TerminalId, screen: Screen | string | null): void;
  /** Answers of the next pastes and Enters there, first in first out; nothing is typed by them. */
  nextPaste(terminal: TerminalId, ...replies: readonly PasteReply[]): void;
  nextEnter(terminal: TerminalId, ...replies: readonly EnterReply[]): void;
  /** The next launch throws this. */
  failLaunch(error: Error): void;
  /** The program of this terminal ends. */
  exit(terminal: TerminalId, status: number | null, signal?: number | null): void;
  /** The program prints. */
  output(terminal: TerminalId, bytes: Uint8Array | string): void;
  /** Any event, as if tmux had caused it. */
  emit(event: HostEvent): void;
  /** tmux stops answering, or answers again: while it does not, everything typed is unknown. */
  setReachable(reachable: boolean): void;
  /** The tmux server dies with all panes; a launch starts another one. */
  dieServer(): void;
  /** Called after each thing typed, to let a scripted program react. */
  whenTyped(listener: (typed: Typed) => void): void;
};

export const createMemoryWorld = (): MemoryWorld => ({
  panes: new Map(),
  typed: [],
  missingFolders: new Set(),
  missingPrograms: new Set(),
  endsAtOnce: new Map(),
  epoch: 0,
  made: 0,
  serverPid: 4_000,
  alive: true,
  hosts: new Set(),
});

export const plainScreen = (text: string): Screen => {
  const lines = text.split("\n");
  const cursor = { x: lines.at(-1)!.length, y: lines.length - 1, visible: true };
  return { ansi: text, cursor, cols: 120, rows: 40 };
};

const whyOf = (status: number | null, signal: number | null): string =>
  signal === null ? `its program ended with status ${status}` : `its program was ended by signal ${signal}`;

const seenOf = (terminal: TerminalId, pane: MemoryPane): PaneSeen => ({
  terminal,
  pid: pane.pid,
  dead: pane.dead,
  status: pane.status,
  signal: pane.signal,
  pastedMarker: pane.pasted,
  enteredMarker: pane.entered,
  enteredTwice: pane.enteredTwice,
});

const isOpen = (pane: MemoryPane, gate: EnterGate | null): boolean => {
  const { ansi, cursor } = pane.screen ?? plainScreen(pane.text);
  const at = gate?.cursor ?? cursor;
  return ansi.includes(gate?.echoTail?.trimEnd().slice(-12) ?? "") && at.x === cursor.x && at.y === cursor.y;
};

export const createMemoryHost = (options: { readonly world?: MemoryWorld } = {}): MemoryHost => {
  const world = options.world ?? createMemoryWorld();
  const listeners: ((event: HostEvent) => void)[] = [];
  const typists: ((typed: Typed) => void)[] = [];
  const pastes = new Map<TerminalId, PasteReply[]>();
  const enters = new Map<TerminalId, EnterReply[]>();
  let epoch = 0;
  let reachable = true;
  let running = false;
  let fencedOut = false;
  let launchFault: Error | null = null;

  const emit = (event: HostEvent): void => {
    for (const listener of listeners) listener(event);
  };
  /** What happens in the world is seen by every engine that is attached. */
  const tell = (event: HostEvent): void => {
    for (const host of world.hosts) host.emit(event);
  };

  const seen = (): readonly PaneSeen[] => [...world.panes].map(([terminal, pane]) => seenOf(terminal, pane));
  const raiseEpoch = (): void => {
    epoch = ++world.epoch;
  };
  const beFencedOut = (): void => {
    if (fencedOut) return;
    fencedOut = true;
    emit({ kind: "fencedOut", holder: String(world.epoch) });
  };
  const unreachable = (): QuayError =>
    new QuayError("tmux-unreachable", "tmux cannot be asked. Try again in a moment.");
  const note = (typed: Typed): void => {
    world.typed.push(typed);
    for (const typist of typists) typist(typed);
  };

  const pane = (terminal: TerminalId): MemoryPane => {
    const found = world.panes.get(terminal);
    if (!found) throw new Error(`the memory host has no terminal ${terminal}`);
    return found;
  };

  type Refused = { readonly kind: "refused"; readonly reason: "stale epoch" | "gone" | "input off" };
  const guard = (terminal: TerminalId): Refused | { readonly kind: "unknown" } | null => {
    const found = world.panes.get(terminal);
    if (!found) return { kind: "refused", reason: "gone" };
    if (!reachable || !running || fencedOut) return { kind: "unknown" };
    if (epoch !== world.epoch) {
      beFencedOut();
      return { kind: "refused", reason: "stale epoch" };
    }
    if (found.dead) return { kind: "refused", reason: "gone" };
    return found.inputOff ? { kind: "refused", reason: "input off" } : null;
  };

  const exit = (terminal: TerminalId, status: number | null, signal: number | null = null): void => {
    const found = pane(terminal);
    if (found.dead) return;
    Object.assign(found, { dead: true, status, signal });
    tell({ kind: "exited", terminal, status, signal, why: whyOf(status, signal) });
  };

  const remove = (terminal: TerminalId): void => {
    const found = world.panes.get(terminal);
    if (!found) return;
    world.panes.delete(terminal);
    if (!found.dead) tell({ kind: "exited", terminal, status: null, signal: null, why: "Quay ended it" });
  };

  const shift = <T>(queues: Map<TerminalId, T[]>, terminal: TerminalId): T | null =>
    queues.get(terminal)?.shift() ?? null;
  const push = <T>(queues: Map<TerminalId, T[]>, terminal: TerminalId, replies: readonly T[]): void => {
    queues.set(terminal, [...(queues.get(terminal) ?? []), ...replies]);
  };

  const host: MemoryHost = {
    world,
    typed: world.typed,
    pane,
    emit,
    exit,
    setScreen: (terminal, screen) => {
      pane(terminal).screen = typeof screen === "string" ? plainScreen(screen) : screen;
    },
    nextPaste: (terminal, ...replies) => push(pastes, terminal, replies),
    nextEnter: (terminal, ...replies) => push(enters, terminal, replies),
    failLaunch: (error) => {
      launchFault = error;
    },
    output: (terminal, bytes) =>
      tell({
        kind: "output",
        terminal,
        bytes: typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes,
      }),
    setReachable: (now) => {
      if (now === reachable) return;
      reachable = now;
      if (now) raiseEpoch();
      emit({ kind: "reachable", reachable: now });
    },
    dieServer: () => {
      const living = [...world.panes].filter(([, found]) => !found.dead).map(([terminal]) => terminal);
      world.panes.clear();
      world.alive = false;
      for (const terminal of living) {
        tell({ kind: "exited", terminal, status: null, signal: null, why: "its tmux server ended" });
      }
    },
    whenTyped: (listener) => {
      typists.push(listener);
    },

    start: async () => {
      raiseEpoch();
      running = true;
      world.hosts.add(host);
      return seen();
    },
    server: () => ({
      pid: world.serverPid,
      startedAt: 1_000 + world.serverPid,
      socket: "/memory/tmux",
      tmuxSession: "quay",
      version: "3.3a",
    }),
    on: (listener) => {
      listeners.push(listener);
    },
    launch: async (plan) => {
      if (launchFault) {
        const fault = launchFault;
        launchFault = null;
        throw fault;
      }
      if (!reachable || !running) throw unreachable();
      const program = plan.argv[0] ?? "";
      if (world.missingFolders.has(plan.cwd)) throw new QuayError("no-folder", `There is no folder ${plan.cwd}.`);
      if (world.missingPrograms.has(program)) throw new QuayError("no-program", `There is no program ${program}.`);
      if (!world.alive) {
        world.alive = true;
        world.serverPid++;
      }
      const number = ++world.made;
      const pid = 10_000 + number;
      world.panes.set(plan.terminal, {
        ...{
          plan,
          pid,
          pane: `%${number}`,
          dead: false,
          status: null,
          signal: null,
          pasted: null,
          entered: null,
          enteredTwice: false,
        },
        ...{ inMode: false, inputOff: false, text: "", echoes: true, screen: null, person: false },
      });
      const status = world.endsAtOnce.get(program);
      if (status !== undefined) queueMicrotask(() => exit(plan.terminal, status));
      return { pid };
    },
    panes: async () => {
      if (!reachable) throw unreachable();
      return seen();
    },
    pidOf: (terminal) => {
      const found = world.panes.get(terminal);
      return found && !found.dead ? found.pid : null;
    },
    paneOf: (terminal) => world.panes.get(terminal)?.pane ?? null,
    personAt: async (terminal) => world.panes.get(terminal)?.person ?? false,
    screen: async (terminal) => {
      const found = world.panes.get(terminal);
      if (!found || !reachable) return null;
      return found.screen ?? plainScreen(found.text);
    },
    paste: async (terminal, delivery, text) => {
      if (text === "") throw new RangeError("an empty text cannot be pasted");
      const scripted = shift(pastes, terminal);
      if (scripted) return scripted;
      const no = guard(terminal);
      if (no) return no;
      const found = pane(terminal);
      if (found.pasted === delivery) return { kind: "refused", reason: "already pasted" };
      if (found.inMode) return { kind: "refused", reason: "mode" };
      found.pasted = delivery;
      if (found.echoes) found.text += text;
      note({ kind: "paste", terminal, delivery, text });
      return { kind: "pasted" };
    },
    enter: async (terminal, delivery, gate) => {
      const scripted = shift(enters, terminal);
      if (scripted) return scripted;
      const no = guard(terminal);
      if (no) return no;
      const found = pane(terminal);
      if (found.entered === delivery) return { kind: "refused", reason: "already entered" };
      if (found.pasted !== delivery) return { kind: "refused", reason: "not pasted" };
      if (!isOpen(found, gate)) return { kind: "refused", reason: "no echo" };
      Object.assign(found, { entered: delivery, enteredTwice: false });
      note({ kind: "enter", terminal, delivery, text: "\r" });
      return { kind: "entered" };
    },
    enterAgain: async (terminal, delivery, gate) => {
      const no = guard(terminal);
      if (no) return no;
      const found = pane(terminal);
      if (found.entered === delivery && found.enteredTwice) return { kind: "refused", reason: "already entered" };
      if (found.pasted !== delivery) return { kind: "refused", reason: "not pasted" };
      if (found.entered !== delivery) return { kind: "refused", reason: "not entered" };
      if (!isOpen(found, gate)) return { kind: "refused", reason: "no echo" };
      found.enteredTwice = true;
      note({ kind: "enter", terminal, delivery, text: "\r" });
      return { kind: "entered" };
    },
    fence: async () => {
      if (epoch !== world.epoch || fencedOut) {
        beFencedOut();
        throw new QuayError("fenced-out", "Another quay engine has taken over the terminals.");
      }
      raiseEpoch();
      return seen();
    },
    answerQuery: async (terminal, bytes) => {
      if (guard(terminal) || pane(terminal).inMode) return;
      note({ kind: "answer", terminal, delivery: null, text: Buffer.from(bytes).toString("latin1") });
    },
    kill: async (terminal) => {
      if (!reachable) throw unreachable();
      remove(terminal);
    },
    bury: async (terminal) => {
      if (!reachable) throw unreachable();
      if (world.panes.get(terminal)?.dead) remove(terminal);
    },
    attachCommand: (terminal, inside) => ({
      argv: ["tmux", inside === null ? "attach-session" : "switch-client", "-t", terminal],
      unsetEnv: inside === null ? ["TMUX", "TMUX_PANE"] : [],
    }),
    displayMessage: async () => {},
    stop: async () => {
      running = false;
      world.hosts.delete(host);
    },
  };
  return host;
};
