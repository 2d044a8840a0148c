/**
 * The serial loop: decide, commit, evolve, tell the readers, carry out the effects. Inputs that wait together commit
 * together. It knows no edge: effects go to `perform`, and what comes of them returns as inputs.
 */
import { nextDeadline } from "../bus/deadlines.js";
import { decideOn } from "../bus/decide.js";
import type { Effect, Fact, Input, Millis } from "../bus/protocol.js";
import { closeDraft, evolve, isDurable, openDraft, type State, toJson } from "../bus/state.js";
import { messageOf } from "../lib/errors.js";
import type { Clock, Journal } from "./ports.js";

export type EngineLog = {
  readonly bug: (what: string, facts: Readonly<Record<string, unknown>>) => void;
};

export type EngineParts = {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly state: State;
  /** Facts already in the journal since its checkpoint. */
  readonly journaled: number;
  /** Carries out one effect; resolves when it is done. Must not throw: a result is an input. */
  readonly perform: (effect: Effect) => Promise<void>;
  /** Told of an effect while its facts are being committed: it may look ahead, and change nothing. Must not throw. */
  readonly foresee?: (effect: Effect) => void;
  /** Takes what was told while this process stood still; before an alarm that rings much later than it was set for. */
  readonly catchUp?: () => Promise<void>;
  readonly onChange: () => void;
  readonly log: EngineLog;
};

export type Engine = {
  state(): State;
  revision(): number;
  now(): Millis;
  /** Resolves when the facts of this input are durable and its effects were started. Rejects once the engine is broken. */
  submit(input: Input): Promise<void>;
  /** Resolves when no input waits and no effect is under way. */
  settled(): Promise<void>;
  /** Takes no more inputs, finishes the ones taken, writes a checkpoint. */
  stop(): Promise<void>;
  /** Why the engine types nothing any more: a bug or a journal that cannot be written. Null while it is well. */
  broken(): string | null;
};

const CHECKPOINT_EVERY = 10_000;
/** An alarm that is so late, in ms, says that this process was stopped: a busy machine delays none so long. */
const STOOD_STILL_MS = 1_000;

type Waiting = { readonly input: Input; readonly done: () => void; readonly failed: (error: Error) => void };

export const createEngine = (parts: EngineParts): Engine => {
  let state = parts.state;
  let revision = 1;
  let waiting: Waiting[] = [];
  let running: Promise<void> | null = null;
  let underWay = 0;
  let sinceCheckpoint = parts.journaled;
  let broken: string | null = null;
  let stopped = false;
  let idle: (() => void)[] = [];

  const tellIdle = (): void => {
    if (running !== null || waiting.length > 0 || underWay > 0) return;
    const listeners = idle;
    idle = [];
    for (const listener of listeners) listener();
  };

  /** What hooks left while this process stood still is older than the alarm, and may be what it was to miss. */
  const ring = async (at: Millis): Promise<void> => {
    if (parts.clock.now() - at >= STOOD_STILL_MS) await parts.catchUp?.().catch(() => {});
    await submit({ kind: "alarm" }).catch(() => {});
  };

  const setAlarm = (): void => {
    const at = stopped || broken !== null ? null : nextDeadline(state, parts.clock.now());
    // Inputs already waiting are taken before an overdue alarm: it only joins their queue.
    parts.clock.alarm(at, () => void ring(at ?? parts.clock.now()));
  };

  const breakDown = (why: string, facts: Readonly<Record<string, unknown>>): void => {
    broken = why;
    parts.log.bug(why, facts);
    parts.onChange();
  };

  const start = (effect: Effect): void => {
    underWay += 1;
    const finish = (): void => {
      underWay -= 1;
      tellIdle();
    };
    parts.perform(effect).then(finish, (error: unknown) => {
      breakDown(`carrying out ${effect.kind} failed: ${messageOf(error)}`, { effect: effect.kind });
      finish();
    });
  };

  /** Returns how many inputs of the batch were taken: all, unless the rules failed on one. */
  const runBatch = async (batch: readonly Waiting[]): Promise<number> => {
    const draft = openDraft(state);
    let taken = 0;
    const facts: Fact[] = [];
    const effects: Effect[] = [];
    for (const { input } of batch) {
      try {
        const decision = decideOn(draft, input, parts.clock.now());
        facts.push(...decision.facts);
        effects.push(...decision.effects);
        taken += 1;
      } catch (error) {
        // A throw in the rules is a bug. What was decided before it still counts; nothing is typed after it.
        breakDown(`the bus failed on ${input.kind}: ${messageOf(error)}`, {
          input: input.kind,
          stack: error instanceof Error ? (error.stack ?? "") : "",
        });
        break;
      }
    }
    const durable = facts.filter(isDurable);
    if (durable.length > 0) {
      for (const effect of effects) parts.foresee?.(effect);
      await parts.journal.append(durable);
      sinceCheckpoint += durable.length;
    }
    // What a step that failed left half done is in the draft alone.
    state = taken === batch.length ? closeDraft(draft) : evolve(state, facts);
    // An alarm changes what is computed from the clock (the end of a grace), facts or not.
    if (facts.length > 0 || batch.some(({ input }) => input.kind === "alarm")) {
      revision += 1;
      parts.onChange();
    }
    for (const effect of effects) start(effect);
    if (sinceCheckpoint >= CHECKPOINT_EVERY) {
      sinceCheckpoint = 0;
      await parts.journal.checkpoint(toJson(state));
    }
    return taken;
  };

  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      if (broken !== null) {
        // What came while the last batch failed is not run on a value that the journal does not hold.
        for (const { failed } of batch) failed(new Error(broken));
        continue;
      }
      try {
        const taken = await runBatch(batch);
        for (const { done } of batch.slice(0, taken)) done();
        for (const { failed } of batch.slice(taken)) failed(new Error(broken ?? "the engine is broken"));
      } catch (error) {
        breakDown(`the journal cannot be written: ${messageOf(error)}`, {});
        for (const { failed } of batch) failed(new Error(broken ?? "the engine is broken"));
      }
    }
    running = null;
    setAlarm();
    tellIdle();
  };

  const submit = (input: Input): Promise<void> =>
    new Promise((done, failed) => {
      if (broken !== null || stopped) {
        failed(new Error(broken ?? "the engine has stopped"));
        return;
      }
      waiting.push({ input, done, failed });
      // A microtask later, so that inputs of one tick share a commit.
      running ??= Promise.resolve().then(run);
    });

  return {
    state: () => state,
    revision: () => revision,
    now: () => parts.clock.now(),
    submit,
    settled: () =>
      new Promise((resolve) => {
        idle.push(resolve);
        tellIdle();
      }),
    stop: async () => {
      stopped = true;
      parts.clock.alarm(null, () => {});
      if (running !== null) await running;
      if (broken === null) await parts.journal.checkpoint(toJson(state));
    },
    broken: () => broken,
  };
};
