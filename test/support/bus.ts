/**
 * A made-up world around the pure bus: terminals with their traits, a clock that only a test winds, and steps in the
 * words of the product text. It plays the typist and the CLIs by hand and carries out nothing.
 */
import { nextDeadline } from "../../src/bus/deadlines.js";
import { decide } from "../../src/bus/decide.js";
import type { Delivery } from "../../src/bus/delivery.js";
import { callId, deliveryId, type TerminalId, terminalId } from "../../src/bus/ids.js";
import type { Caller, Effect, Fact, Input, Observation, Outcome } from "../../src/bus/protocol.js";
import { emptyState, evolve, fromJson, isDurable, type State } from "../../src/bus/state.js";
import type { Prompt, Terminal, TerminalRecord, Traits } from "../../src/bus/terminal.js";
import { agentView, trailViews } from "../../src/bus/trail.js";
import type { TurnEnd } from "../../src/bus/turn.js";
import type { AgentView, TrailView } from "../../src/bus/views.js";

export const START = 1_800_000_000_000;

export const LIKE = {
  claude: {
    level: "full peer",
    typing: "between turns",
    turns: "bridge",
    reporter: { graceMs: 30_000, remedy: "relaunch with the bridge" },
  },
  /** As Claude Code is: with a registry that OSC is held against. */
  witnessed: {
    level: "full peer",
    typing: "between turns",
    turns: "bridge",
    reporter: { graceMs: 30_000, remedy: "relaunch with the bridge" },
    registry: true,
  },
  /** As OpenCode is: a server of its own tells of its turns. */
  served: {
    level: "full peer",
    typing: "between turns",
    turns: "bridge",
    reporter: { graceMs: 30_000, remedy: "relaunch with its server" },
  },
  /** As Codex is: its bridge tells of ends only, and its record says what OSC is held against. */
  endsOnly: {
    level: "full peer",
    typing: "between turns",
    turns: "bridge",
    reporter: { graceMs: 30_000, remedy: "file mailbox", tells: "ends" },
    registry: true,
  },
  pig: {
    level: "full peer",
    typing: "between turns",
    turns: "bridge",
    reporter: { graceMs: 30_000, remedy: "compare the PiG version" },
  },
  responder: {
    level: "responder",
    typing: "between turns",
    turns: "osc",
    reporter: { graceMs: 30_000, remedy: "file mailbox" },
  },
  listener: { level: "listener", typing: "at once", turns: "none", reporter: null },
  shell: { level: "not a peer", typing: "never", turns: "none", reporter: null },
} as const satisfies Readonly<Record<string, Traits>>;

export type Seat = { readonly name: string; readonly like?: keyof typeof LIKE; readonly project?: string };

export const idOf = (name: string): TerminalId => terminalId(`term-${name}`);

export const recordOf = ({ name, like = "claude", project = "/work/app" }: Seat, at: number): TerminalRecord => ({
  id: idOf(name),
  name,
  kind: like === "shell" ? "shell" : "claude",
  project,
  cwd: project,
  traits: LIKE[like],
  launchedAt: at,
  succeeds: null,
  relaunch: { args: [], env: {} },
  preset: null,
});

/** One call of a sender: what it came to is asked of it later. */
export type Sent = {
  readonly call: string;
  readonly delivery: string;
  /** Undefined while the call is open. */
  readonly outcome: () => Outcome | undefined;
};

type SendOptions = { readonly wait?: boolean; readonly raw?: boolean };

export type World = {
  state(): State;
  now(): number;
  /** All facts and effects so far, in order. */
  readonly facts: readonly Fact[];
  readonly effects: readonly Effect[];
  readonly settled: ReadonlyMap<string, readonly Outcome[]>;
  take(input: Input): void;
  /** Winds the clock and rings every alarm on the way. */
  after(ms: number): void;
  /** Winds the clock and rings none: the engine was late. */
  passes(ms: number): void;
  /** The engine is killed and started again: only durable facts are left, through JSON. */
  restarts(): void;

  launches(...seats: readonly (Seat | string)[]): void;
  /** Its first output. */
  prints(name: string): void;
  /** It printed and its bridge spoke: its prompt is up. */
  idle(...names: readonly string[]): void;
  exits(name: string): void;
  send(from: string, to: string, text: string, options?: SendOptions): Sent;
  /** The person speaks: as You, or in the name of an agent. */
  say(to: string, text: string, options?: SendOptions & { readonly as?: string; readonly project?: string }): Sent;
  broadcast(from: string | null, text: string, project?: string): Sent;
  /** The typist is through with the paste and the Enter that are asked for on this terminal. */
  typed(name: string): void;
  pastes(name: string): readonly string[];

  sees(name: string, observation: Observation): void;
  /** A prompt signal; that of what was typed last when no prompt is given. */
  turnStarts(name: string, turn: string, prompt?: string, automatic?: boolean): void;
  stops(name: string, turn: string | null, end?: string | TurnEnd, subagentsRunning?: boolean): void;
  /** From the prompt signal of what was typed last to the settled end with this answer. */
  answers(name: string, turn: string, text: string): void;
  osc(name: string, state: Extract<Observation, { kind: "programStatus" }>["state"], text?: string): void;
  asks(name: string, text: string, source?: Prompt["source"]): void;

  terminal(name: string): Terminal;
  agent(name: string): AgentView;
  delivery(sent: Sent | string): Delivery;
  entry(sent: Sent | string): TrailView;
  trail(): readonly TrailView[];
  toasts(): readonly string[];
};

/** A world with these terminals, each printed nothing yet. */
export const given = (...seats: readonly (Seat | string)[]): World => {
  let [state, now, made] = [emptyState, START, 0];
  const facts: Fact[] = [];
  const effects: Effect[] = [];
  const settled = new Map<string, Outcome[]>();

  const take = (input: Input): void => {
    const decision = decide(state, input, now);
    state = evolve(state, decision.facts);
    facts.push(...decision.facts);
    effects.push(...decision.effects);
    for (const effect of decision.effects) {
      if (effect.kind === "settle") settled.set(effect.call, [...(settled.get(effect.call) ?? []), effect.outcome]);
    }
  };
  const after = (ms: number): void => {
    const until = now + ms;
    for (;;) {
      const due = nextDeadline(state, now);
      if (due === null || due > until) break;
      now = Math.max(now, due);
      take({ kind: "alarm" });
      const again = nextDeadline(state, now);
      if (again !== null && again <= now) throw new Error("the alarm rings again and again: a deadline is not cleared");
    }
    now = until;
  };
  const sees = (name: string, observation: Observation): void =>
    take({ kind: "observed", terminal: idOf(name), observation });
  const terminal = (name: string): Terminal => {
    const found = state.terminals.get(idOf(name));
    if (found === undefined) throw new Error(`no terminal ${name}`);
    return found;
  };
  const delivery = (sent: Sent | string): Delivery => {
    const id = deliveryId(typeof sent === "string" ? sent : sent.delivery);
    const found = state.deliveries.get(id);
    if (found === undefined) throw new Error(`no delivery ${id}`);
    return found;
  };
  const trail = (): readonly TrailView[] => trailViews(state, 1_000);
  const launches = (...all: readonly (Seat | string)[]): void => {
    for (const seat of all) {
      take({ kind: "terminalLaunched", terminal: recordOf(typeof seat === "string" ? { name: seat } : seat, now) });
    }
  };
  const number = (): number => {
    made += 1;
    return made;
  };
  const sent = (call: string, id: string): Sent => ({ call, delivery: id, outcome: () => settled.get(call)?.[0] });
  const speak = (caller: Caller, to: string, text: string, { wait = false, raw = false }: SendOptions): Sent => {
    const n = number();
    const [call, id] = [callId(`c${n}`), deliveryId(`d${n}`)];
    take({ kind: "send", call, delivery: id, caller, target: to, text, wait, raw });
    return sent(call, id);
  };
  const pastes = (name: string): readonly string[] =>
    effects.flatMap((effect) => (effect.kind === "paste" && effect.terminal === idOf(name) ? [effect.text] : []));
  const turnStarts = (name: string, cliTurn: string, prompt = pastes(name).at(-1) ?? "", automatic = false): void =>
    sees(name, { kind: "turnStarted", cliTurn, prompt, automatic });
  const stops = (name: string, cliTurn: string | null, end: string | TurnEnd = "", subagentsRunning = false): void => {
    const said: TurnEnd = typeof end === "string" ? { kind: "answered", text: end } : end;
    sees(name, { kind: "turnStopped", cliTurn, end: said, subagentsRunning });
  };

  launches(...seats);
  return {
    state: () => state,
    now: () => now,
    facts,
    effects,
    settled,
    take,
    after,
    passes: (ms) => {
      now += ms;
    },
    restarts: () => {
      const durable = JSON.parse(JSON.stringify(facts.filter(isDurable))) as readonly Fact[];
      state = evolve(fromJson({ terminals: [], deliveries: [] }), durable);
      take({ kind: "tmuxReachable", reachable: false });
      take({ kind: "engineStarted" });
    },
    launches,
    prints: (name) => take({ kind: "outputSeen", terminal: idOf(name) }),
    idle: (...names) => {
      for (const name of names) {
        take({ kind: "outputSeen", terminal: idOf(name) });
        sees(name, { kind: "ready", cliSession: `session-${name}`, cleared: false });
      }
    },
    exits: (name) =>
      take({
        kind: "terminalExited",
        terminal: idOf(name),
        exit: { status: 0, signal: null, why: "its program ended with status 0" },
      }),
    send: (from, to, text, options = {}) => speak({ kind: "terminal", id: idOf(from) }, to, text, options),
    say: (to, text, { as, project, ...options } = {}) =>
      speak({ kind: "person", as: as === undefined ? null : idOf(as), project: project ?? null }, to, text, options),
    broadcast: (from, text, project = "/work/app") => {
      const n = number();
      const caller: Caller =
        from === null ? { kind: "person", as: null, project } : { kind: "terminal", id: idOf(from) };
      take({ kind: "broadcast", call: callId(`c${n}`), base: `d${n}`, caller, text });
      return sent(`c${n}`, `d${n}`);
    },
    typed: (name) => {
      const id = terminal(name).typing;
      if (id === null) throw new Error(`nothing is being typed on ${name}`);
      take({ kind: "pasted", terminal: idOf(name), delivery: id });
      take({ kind: "entered", terminal: idOf(name), delivery: id });
    },
    pastes,
    sees,
    turnStarts,
    stops,
    answers: (name, turn, text) => {
      turnStarts(name, turn);
      stops(name, turn, text);
      after(400);
    },
    osc: (name, said, text = "") => sees(name, { kind: "programStatus", state: said, about: null, text }),
    asks: (name, text, source = "hook") =>
      sees(name, { kind: "promptRaised", prompt: { about: "permission", text, source } }),
    terminal,
    agent: (name) => agentView(terminal(name), now),
    delivery,
    entry: (one) => {
      const id = delivery(one).id;
      return trail().find((view) => view.id === id)!;
    },
    trail,
    toasts: () => effects.flatMap((effect) => (effect.kind === "toast" ? [effect.toast.text] : [])),
  };
};
