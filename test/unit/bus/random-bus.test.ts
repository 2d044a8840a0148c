/**
 * The bus under random inputs: signals doubled, out of order and late, exits, restarts, jumps of the clock. What must
 * hold after each of them is written as checks; fast-check looks for a way to break one.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nextDeadline } from "../../../src/bus/deadlines.js";
import { decide } from "../../../src/bus/decide.js";
import { isOver } from "../../../src/bus/delivery.js";
import { callId, type DeliveryId, deliveryId } from "../../../src/bus/ids.js";
import { WAIT_MS } from "../../../src/bus/limits.js";
import type { Effect, Fact, Input, Observation } from "../../../src/bus/protocol.js";
import { mayType } from "../../../src/bus/reporter.js";
import { emptyState, evolve, fromJson, isDurable, type State, toJson } from "../../../src/bus/state.js";
import type { Terminal } from "../../../src/bus/terminal.js";
import { idOf, recordOf, type Seat, START } from "../../support/bus.js";

const SEATS: readonly Seat[] = [
  { name: "a" },
  { name: "b" },
  { name: "c", like: "listener" },
  { name: "d", like: "shell" },
];
const NAMES = SEATS.map((seat) => seat.name);

type Move =
  | { readonly kind: "input"; readonly of: (run: Run) => Input | null; readonly twice: boolean }
  | { readonly kind: "wait"; readonly ms: number; readonly rings: boolean }
  | { readonly kind: "restart"; readonly checkpoint: boolean };

type Run = {
  state: State;
  now: number;
  made: number;
  readonly facts: Fact[];
  checkpoint: unknown;
  /** What the typist was asked for and has not answered. */
  asked: {
    readonly kind: "paste" | "enter" | "probe";
    readonly terminal: Terminal["id"];
    readonly delivery: DeliveryId;
  }[];
  readonly settled: Map<string, number>;
  readonly opened: Map<string, number>;
  readonly ends: Map<DeliveryId, string>;
  readonly pasted: Set<DeliveryId>;
  /** Asked for a second Enter in this engine's life. */
  readonly again: Set<DeliveryId>;
  readonly log: string[];
};

/** Parts of a terminal that a restart may lose: the rest must be the same after a replay. */
const lasting = (state: State): unknown => ({
  terminals: [...state.terminals.values()].map((terminal) => {
    const { program, tools, endedTools, autoApproved, hold, held, stale, lastSignAt, doubtful, ...rest } = terminal;
    return rest;
  }),
  // Between paste and Enter the markers decide: the step from one to the other is not journaled.
  deliveries: [...state.deliveries.values()].map((one) =>
    one.state === "entering" ? { ...one, state: "pasting" } : one,
  ),
});

const freeze = <T>(value: T): T => {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  if (value instanceof Map) for (const one of value.values()) freeze(one);
  else for (const one of Object.values(value)) freeze(one);
  return Object.freeze(value);
};

const take = (run: Run, input: Input): void => {
  run.log.push(`${run.now - START} ${JSON.stringify(input)}`);
  const before = run.state;
  const size = [before.terminals.size, before.deliveries.size, before.waits.size];
  const decision = decide(freeze(before), freeze(input), run.now);
  expect(decide(before, input, run.now)).toEqual(decision);
  expect([before.terminals.size, before.deliveries.size, before.waits.size]).toEqual(size);
  run.facts.push(...decision.facts);
  for (const fact of decision.facts) if (fact.kind === "waitOpened") run.opened.set(fact.wait.call, run.now);
  run.state = evolve(before, decision.facts);
  for (const effect of decision.effects) perform(run, before, effect);
  check(run);
};

const perform = (run: Run, before: State, effect: Effect): void => {
  if (effect.kind === "settle") {
    expect(run.settled.has(effect.call), `${effect.call} settled twice`).toBe(false);
    run.settled.set(effect.call, run.now);
  }
  if (effect.kind === "enterAgain") {
    const terminal = run.state.terminals.get(effect.terminal)!;
    expect([terminal.exit, terminal.prompt, terminal.turn, terminal.typing, terminal.stale], "Enter again").toEqual([
      ...[null, null, null, null],
      false,
    ]);
    expect(terminal.unconfirmed).toBe(effect.delivery);
    expect(run.again.has(effect.delivery), `${effect.delivery}: a third Enter`).toBe(false);
    run.again.add(effect.delivery);
  }
  if (effect.kind !== "paste" && effect.kind !== "enter" && effect.kind !== "probe") return;
  const terminal = run.state.terminals.get(effect.terminal)!;
  const { delivery } = effect;
  if (effect.kind === "paste") {
    expect(terminal.exit, "pasted on an exited terminal").toBe(null);
    expect([terminal.prompt, terminal.stale, terminal.hold, terminal.line], "pasted where it may not be").toEqual([
      null,
      false,
      null,
      "free",
    ]);
    expect(terminal.typing).toBe(delivery);
    const last = [...run.pasted].filter((id) => run.state.deliveries.get(id)?.to === effect.terminal).at(-1);
    const order = [...run.state.deliveries.keys()];
    if (last !== undefined)
      expect(order.indexOf(delivery), "the queue's order").toBeGreaterThanOrEqual(order.indexOf(last));
    // Pasting before: the markers said in this step that nothing of it was typed.
    expect(["queued", "pasting"], "pasted twice").toContain(before.deliveries.get(delivery)?.state ?? "queued");
    run.pasted.delete(delivery);
    run.pasted.add(delivery);
  }
  expect(
    run.asked.filter((one) => one.terminal === effect.terminal),
    "two typings on one terminal",
  ).toEqual([]);
  run.asked.push({ kind: effect.kind, terminal: effect.terminal, delivery });
};

const check = (run: Run): void => {
  const { state, now } = run;
  const all = [...state.deliveries.values()];
  for (const delivery of all) {
    const ended = run.ends.get(delivery.id);
    if (ended !== undefined) expect(delivery.state, `${delivery.id} left its end`).toBe(ended);
    if (isOver(delivery)) run.ends.set(delivery.id, delivery.state);
    if (isOver(delivery)) expect(delivery.end).not.toBe(null);
  }
  for (const terminal of state.terminals.values()) {
    const mine = all.filter((delivery) => delivery.to === terminal.id);
    const underWay = mine.filter((delivery) => ["pasting", "entering"].includes(delivery.state));
    expect(underWay.length, "one at a time").toBeLessThanOrEqual(1);
    if (underWay.length === 1) expect(terminal.typing).toBe(underWay[0]!.id);
    const queued = mine.filter((delivery) => delivery.state === "queued").map((delivery) => delivery.id);
    expect(terminal.queue, "the queue is what is queued, in order").toEqual(queued);
    if (terminal.exit !== null) expect(mine.every(isOver), "nothing open after an exit").toBe(true);
    if (terminal.queue.length > 0) expect(mayType(terminal, now), "a stranded message").toBe(false);
    const open = [terminal.turn?.key, ...terminal.closing.map((closing) => closing.turn.key)];
    for (const delivery of mine) if (delivery.state === "confirmed") expect(open).toContain(delivery.turn);
  }
  for (const call of run.settled.keys()) expect(state.waits.has(callId(call)), "settled and open").toBe(false);
};

const restart = (run: Run, checkpoint: boolean): void => {
  if (checkpoint) {
    run.checkpoint = JSON.parse(JSON.stringify(toJson(run.state)));
    run.facts.length = 0;
  }
  const journaled = JSON.parse(JSON.stringify(run.facts.filter(isDurable))) as Fact[];
  const back = evolve(fromJson(run.checkpoint), journaled);
  expect(lasting(back), "replay equals live").toEqual(lasting(run.state));
  run.state = back;
  run.opened.clear();
  run.asked = [];
  run.again.clear();
  take(run, { kind: "tmuxReachable", reachable: false });
  take(run, { kind: "engineStarted" });
  for (const terminal of run.state.terminals.values()) {
    if (terminal.typing === null || terminal.exit !== null) continue;
    take(run, { kind: "markersRead", terminal: terminal.id, delivery: terminal.typing, typed: "pasted" });
  }
  take(run, { kind: "tmuxReachable", reachable: true });
};

const wait = (run: Run, ms: number, rings: boolean): void => {
  const until = run.now + ms;
  for (let rung = 0; rings; rung += 1) {
    const due = nextDeadline(run.state, run.now);
    if (due === null || due > until) break;
    run.now = Math.max(run.now, due);
    take(run, { kind: "alarm" });
    const again = nextDeadline(run.state, run.now);
    expect(again === null || again > run.now, "an alarm that clears nothing").toBe(true);
    for (const [call, at] of run.opened) {
      if (run.state.waits.has(callId(call))) expect(run.now).toBeLessThan(at + WAIT_MS);
    }
    if (rung > 500) throw new Error("alarms without end");
  }
  run.now = Math.max(run.now, until);
};

// What is drawn

const name = fc.constantFrom(...NAMES);
const agent = fc.constantFrom("a", "a", "b", "c");
const cliTurn = fc.constantFrom("t1", "t2", "t3", "t4", "t5");

/** Also the prompts of what was typed there, whenever it was. */
const promptOf = (run: Run, who: string, pick: number): string => {
  const typed = [...run.pasted].filter((id) => run.state.deliveries.get(id)?.to === idOf(who));
  return pick === 0 || typed.length === 0
    ? "a person's words"
    : run.state.deliveries.get(typed.at(-(1 + (pick % typed.length)))!)!.typed;
};

const observation: fc.Arbitrary<(run: Run, who: string) => Observation> = fc.oneof(
  fc.tuple(cliTurn, fc.nat(3), fc.boolean()).map(
    ([turn, pick, own]) =>
      (run: Run, who: string): Observation => ({
        kind: "turnStarted",
        cliTurn: turn,
        prompt: promptOf(run, who, pick),
        automatic: own && pick === 0,
      }),
  ),
  fc.option(cliTurn).map((turn) => (): Observation => ({ kind: "turnContinued", cliTurn: turn })),
  fc.tuple(fc.option(cliTurn), fc.constantFrom("answered", "failed", "cleared"), fc.nat(5)).map(
    ([turn, end, sub]) =>
      (): Observation => ({
        kind: "turnStopped",
        cliTurn: turn,
        end: end === "cleared" ? { kind: "cleared" } : { kind: end as "answered", text: "words" },
        subagentsRunning: sub === 0,
      }),
  ),
  fc.boolean().map((cleared) => (): Observation => ({ kind: "ready", cliSession: "s", cleared })),
  fc
    .constantFrom("idle", "working", "blocked", "done", "error", "cleared")
    .map((state) => (): Observation => ({ kind: "programStatus", state: state as "idle", about: null, text: "" })),
  fc.constant((): Observation => ({ kind: "programStatusLost" })),
  fc.constantFrom("t-1", "t-2").map((tool) => (): Observation => ({ kind: "toolStarted", tool, name: "Bash" })),
  fc.constantFrom("t-1", "t-2").map((tool) => (): Observation => ({ kind: "toolEnded", tool, autoApproved: true })),
  fc.constantFrom("hook", "osc", "registry", "screen").map(
    (source) => (): Observation => ({
      kind: "promptRaised",
      prompt: { about: "dialog", text: "?", source: source as "hook" },
    }),
  ),
  fc
    .constantFrom("hook", "osc", "registry", "screen")
    .map((source) => (): Observation => ({ kind: "promptClosed", source: source as "hook" })),
  fc
    .constantFrom("idle", "busy", "waiting", "gone")
    .map((state) => (): Observation => ({ kind: "registryStatus", state: state as "idle", text: "?", lastEnd: null })),
  fc.constant((): Observation => ({ kind: "resyncFailed" })),
);

const sends: fc.Arbitrary<(run: Run) => Input | null> = fc
  .tuple(name, name, fc.constantFrom("one", "two", "three"), fc.boolean(), fc.nat(9))
  .map(([from, to, text, waits, other]) => (run: Run): Input => {
    run.made += 1;
    const n = run.made;
    const caller =
      other === 0
        ? ({ kind: "person", as: null, project: null } as const)
        : ({ kind: "terminal", id: idOf(from) } as const);
    if (other === 1) return { kind: "broadcast", call: callId(`c${n}`), base: `d${n}`, caller, text };
    return {
      kind: "send",
      call: callId(`c${n}`),
      delivery: deliveryId(`d${n}`),
      caller,
      target: to,
      text,
      wait: waits,
      raw: false,
    };
  });

const typing: fc.Arbitrary<(run: Run) => Input | null> = fc
  .tuple(fc.nat(20), fc.nat(11))
  .map(([at, how]) => (run: Run): Input | null => {
    const one = run.asked[at % Math.max(1, run.asked.length)];
    if (one === undefined) return null;
    run.asked = run.asked.filter((other) => other !== one);
    const { terminal, delivery } = one;
    if (one.kind === "probe") {
      const isPasted = run.state.deliveries.get(delivery)!.state !== "pasting";
      const typed = how % 2 === 0 ? "pasted" : isPasted ? "entered" : "nothing";
      return { kind: "markersRead", terminal, delivery, typed };
    }
    if (how < 6) return { kind: one.kind === "paste" ? "pasted" : "entered", terminal, delivery };
    if (how === 6) return { kind: "typingUnknown", terminal, delivery };
    if (how === 7) return { kind: "typingFailed", terminal, delivery, why: "its program has ended" };
    if (how === 8) return { kind: "pasteStranded", terminal, delivery, why: "no echo", screen: "" };
    if (one.kind === "enter") return { kind: "entered", terminal, delivery };
    const why = ([null, "input is off", "the pane is in a mode"] as const)[how - 9] ?? "a person is typing";
    return { kind: "typingHeld", terminal, delivery, why };
  });

const others: fc.Arbitrary<(run: Run) => Input | null> = fc.oneof(
  agent.map((who) => (): Input => ({ kind: "outputSeen", terminal: idOf(who) })),
  fc.tuple(agent, fc.nat(2)).map(
    ([who, held]) =>
      (): Input => ({
        kind: "lineSeen",
        terminal: idOf(who),
        hold: held === 0 ? "a dialog is open" : null,
      }),
  ),
  fc.boolean().map((reachable) => (): Input => ({ kind: "tmuxReachable", reachable })),
  fc.constantFrom(true, false, null).map((pressed) => (run: Run): Input | null => {
    const delivery = [...run.again].at(-1);
    if (delivery === undefined) return null;
    return { kind: "enteredAgain", terminal: run.state.deliveries.get(delivery)!.to, delivery, pressed };
  }),
  fc.nat(30).map((n) => (run: Run): Input | null => {
    const delivery = [...run.state.deliveries.keys()].at(-1 - n);
    return delivery === undefined ? null : { kind: "cancelDelivery", delivery };
  }),
  fc.tuple(fc.nat(30), fc.boolean()).map(([n, onLine]) => (run: Run): Input | null => {
    const delivery = [...run.state.deliveries.keys()].at(-1 - n);
    return delivery === undefined ? null : { kind: "evidenceCaptured", delivery, screen: "", onLine };
  }),
  fc.nat(9).map((n) => (run: Run): Input | null => {
    const call = [...run.state.waits.keys()].at(n);
    return call === undefined ? null : { kind: "callerGone", call };
  }),
  fc.nat(30).map((n) => (run: Run): Input | null => {
    const delivery = [...run.state.deliveries.keys()].at(-1 - n);
    return delivery === undefined ? null : { kind: "responseWritten", delivery };
  }),
);

const exits: fc.Arbitrary<(run: Run) => Input | null> = agent.map((who) => (run: Run): Input => {
  run.asked = run.asked.filter((one) => one.terminal !== idOf(who));
  return { kind: "terminalExited", terminal: idOf(who), exit: { status: 1, signal: null, why: "it ended" } };
});

const observed: fc.Arbitrary<(run: Run) => Input | null> = fc.tuple(agent, observation).map(
  ([who, make]) =>
    (run: Run): Input => ({ kind: "observed", terminal: idOf(who), observation: make(run, who) }),
);

const input = (
  of: fc.Arbitrary<(run: Run) => Input | null>,
  twice: fc.Arbitrary<boolean> = fc.constant(false),
): fc.Arbitrary<Move> => fc.tuple(of, twice).map(([made, doubled]) => ({ kind: "input", of: made, twice: doubled }));

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 8, arbitrary: input(sends) },
  { weight: 16, arbitrary: input(typing) },
  {
    weight: 16,
    arbitrary: input(
      observed,
      fc.nat(4).map((n) => n === 0),
    ),
  },
  { weight: 6, arbitrary: input(others) },
  { weight: 1, arbitrary: input(exits, fc.boolean()) },
  {
    weight: 10,
    arbitrary: fc
      .tuple(fc.constantFrom(0, 1, 399, 400, 1_000, 1_500, 2_000, 5_000, 15_000, 31_000, 60_000, 130_000), fc.nat(5))
      .map(([ms, late]): Move => ({ kind: "wait", ms, rings: late !== 0 })),
  },
  { weight: 1, arbitrary: fc.boolean().map((checkpoint): Move => ({ kind: "restart", checkpoint })) },
);

const play = (moves: readonly Move[]): Run => {
  const run: Run = {
    state: emptyState,
    now: START,
    made: 0,
    facts: [],
    checkpoint: { terminals: [], deliveries: [] },
    asked: [],
    settled: new Map(),
    opened: new Map(),
    ends: new Map(),
    pasted: new Set(),
    again: new Set(),
    log: [],
  };
  for (const seat of SEATS) take(run, { kind: "terminalLaunched", terminal: recordOf(seat, run.now) });
  for (const who of ["a", "b"]) {
    take(run, { kind: "outputSeen", terminal: idOf(who) });
    take(run, {
      kind: "observed",
      terminal: idOf(who),
      observation: { kind: "ready", cliSession: "s", cleared: false },
    });
  }
  telling(run, () => {
    for (const one of moves) playOne(run, one);
  });
  return run;
};

const playOne = (run: Run, one: Move): void => {
  if (one.kind === "wait") wait(run, one.ms, one.rings);
  else if (one.kind === "restart") restart(run, one.checkpoint);
  else {
    const made = one.of(run);
    if (made !== null) take(run, made);
    if (made !== null && one.twice) take(run, made);
  }
};

/** A failure shows the inputs that led to it. */
const telling = (run: Run, work: () => void): void => {
  try {
    work();
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${run.log.join("\n")}`);
  }
};

const isAtRest = ({ state }: Run): boolean =>
  state.waits.size === 0 &&
  [...state.deliveries.values()].every((d) => d.state !== "queued" && d.state !== "confirmed");

/** What a CLI, a tmux and a person do when nobody disturbs them any more. */
const comesToRest = (run: Run): void => {
  take(run, { kind: "tmuxReachable", reachable: true });
  for (let round = 0; round < 60; round += 1) {
    if (round > 12 && isAtRest(run)) return;
    for (const who of NAMES) {
      const terminal = run.state.terminals.get(idOf(who))!;
      if (terminal.exit !== null) continue;
      if (terminal.hold !== null || terminal.line === "occupied")
        take(run, { kind: "lineSeen", terminal: terminal.id, hold: null });
      if (who === "d") continue;
      const see = (seen: Observation): void =>
        take(run, { kind: "observed", terminal: terminal.id, observation: seen });
      see({ kind: "programStatus", state: "idle", about: null, text: "" });
      for (const source of ["hook", "registry", "screen"] as const) see({ kind: "promptClosed", source });
      see({ kind: "registryStatus", state: "idle", text: "", lastEnd: null });
    }
    wait(run, 20_000, true);
    const open = run.asked.splice(0);
    for (const { kind, terminal, delivery } of open) {
      if (kind === "probe") take(run, { kind: "markersRead", terminal, delivery, typed: "entered" });
      else take(run, { kind: kind === "paste" ? "pasted" : "entered", terminal, delivery });
    }
  }
};

describe("the bus under random inputs", () => {
  test("keeps its promises after every step, and comes to rest", { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(fc.array(move, { minLength: 20, maxLength: 120 }), (moves) => {
        play(moves);
      }),
      { numRuns: Number(process.env.RUNS ?? 150), seed: Number(process.env.SEED ?? 20_261_130) },
    );
  });

  test("leaves no message and no call behind once terminals answer", { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(fc.array(move, { minLength: 20, maxLength: 60 }), (moves) => {
        const run = play(moves);
        telling(run, () => {
          comesToRest(run);
          expect(run.state.waits.size).toBe(0);
          const left = [...run.state.deliveries.values()].filter(
            (d) => d.state === "queued" || d.state === "confirmed",
          );
          expect(left.map((delivery) => `${delivery.id} ${delivery.state}`)).toEqual([]);
        });
      }),
      { numRuns: Number(process.env.RUNS ?? 40), seed: Number(process.env.SEED ?? 7) },
    );
  });
});
