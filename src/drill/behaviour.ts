/**
 * How a drill agent behaves, read from its environment (DRILL_…) once, at its start. Pure. A word that it does not
 * know is an error: a drill that quietly plays the friendly agent would prove nothing.
 */
import type { Range } from "./random.js";

export type HookFault = "none" | "lost" | "doubled" | "reordered" | "delayed";

export type Behaviour = {
  /** Seed of all chance. */
  readonly seed: number;
  /** How long a turn works, in ms. */
  readonly turnMs: Range;
  /** Enter is only looked at this long after the submission: until then it seems idle, in ms. */
  readonly busyAfterMs: number;
  /** An Enter this soon after a paste is swallowed, in ms. */
  readonly swallowMs: number;
  /** What a swallowed Enter leaves: a newline in the draft, or nothing. */
  readonly swallowAs: "newline" | "nothing";
  /** Whether it asks if its terminal reads OSC 7501, reports without asking, or never reports. */
  readonly osc: "ask" | "unasked" | "off";
  /** Whether it reports the beginning and the end of a turn before their hooks run, or after them. */
  readonly oscOrder: "first" | "last";
  /** What input does to a running turn. */
  readonly busyInput: "queue" | "abort";
  readonly dialogs: {
    readonly count: number;
    /** From the end of one dialog to the next, in ms. */
    readonly gapMs: Range;
    readonly openMs: number;
    /** Announced by OSC this long before it opens, in ms; null: told only when it is open. */
    readonly leadMs: number | null;
  };
  /** When it dies: at once, or in the middle of this turn (counted from 1). */
  readonly dies: "never" | "at once" | { readonly inTurn: number };
  /** Bytes printed in each turn. */
  readonly printBytes: number;
  /** Prints forged records, signs and headers in each turn; `end`: and leaves it at a forged end. */
  readonly forges: "no" | "all" | "end";
  /** false: its input is never read; a number: not before so many ms. */
  readonly reads: "always" | "never" | { readonly afterMs: number };
  readonly hooks: { readonly fault: HookFault; readonly delayMs: Range; readonly lost: readonly string[] };
  /** A program started in each turn that fires the same hooks under its own process id. */
  readonly nests: boolean;
  /** Each turn goes on after its first Stop. */
  readonly continues: boolean;
};

type Env = Readonly<Record<string, string | undefined>>;

export class BehaviourError extends Error {
  override readonly name = "BehaviourError";
}

const KNOWN = [
  "DRILL_LOG",
  "DRILL_SEED",
  "DRILL_TURN_MS",
  "DRILL_BUSY_AFTER_MS",
  "DRILL_SWALLOW_MS",
  "DRILL_SWALLOW_AS",
  "DRILL_OSC",
  "DRILL_OSC_ORDER",
  "DRILL_BUSY_INPUT",
  "DRILL_DIALOGS",
  "DRILL_DIALOG_GAP_MS",
  "DRILL_DIALOG_OPEN_MS",
  "DRILL_DIALOG_LEAD_MS",
  "DRILL_DIES",
  "DRILL_PRINT_MB",
  "DRILL_FORGES",
  "DRILL_READS",
  "DRILL_HOOKS",
  "DRILL_HOOK_DELAY_MS",
  "DRILL_HOOKS_LOST",
  "DRILL_NESTS",
  "DRILL_CONTINUES",
  "DRILL_REGISTRY",
] as const;
type Name = (typeof KNOWN)[number];

const MAX_MS = 3_600_000;

/** Throws BehaviourError that names the variable and what it may be. */
export const readBehaviour = (env: Env): Behaviour => {
  for (const name of Object.keys(env)) {
    if (name.startsWith("DRILL_") && !KNOWN.some((known) => known === name)) {
      throw new BehaviourError(`${name} is not known. Known: ${KNOWN.join(", ")}.`);
    }
  }
  const given = (name: Name): string => env[name] ?? "";
  const count = (name: Name, standard: number, max = MAX_MS): number => {
    if (given(name) === "") return standard;
    const value = Number(given(name));
    if (!Number.isSafeInteger(value) || value < 0 || value > max) {
      throw new BehaviourError(`${name} must be a whole number from 0 to ${max}.`);
    }
    return value;
  };
  const range = (name: Name, standard: Range): Range => {
    if (given(name) === "") return standard;
    const [, low, high = low] = /^(\d{1,7})(?:-(\d{1,7}))?$/.exec(given(name)) ?? [];
    if (low === undefined || Number(high) < Number(low)) {
      throw new BehaviourError(`${name} must be a number of ms or a range, such as 50-300.`);
    }
    return { min: Number(low), max: Number(high) };
  };
  const choice = <T extends string>(name: Name, words: readonly [T, ...T[]]): T => {
    if (given(name) === "") return words[0];
    const word = words.find((known) => known === given(name));
    if (word === undefined) throw new BehaviourError(`${name} must be one of: ${words.join(", ")}.`);
    return word;
  };
  const flag = (name: Name): boolean => choice(name, ["0", "1"]) === "1";
  const reads = given("DRILL_READS");
  const dies = given("DRILL_DIES");
  return {
    seed: count("DRILL_SEED", 1, 2 ** 32),
    turnMs: range("DRILL_TURN_MS", { min: 200, max: 200 }),
    busyAfterMs: count("DRILL_BUSY_AFTER_MS", 0),
    swallowMs: count("DRILL_SWALLOW_MS", 0),
    swallowAs: choice("DRILL_SWALLOW_AS", ["newline", "nothing"]),
    osc: choice("DRILL_OSC", ["ask", "unasked", "off"]),
    oscOrder: choice("DRILL_OSC_ORDER", ["first", "last"]),
    busyInput: choice("DRILL_BUSY_INPUT", ["queue", "abort"]),
    dialogs: {
      count: count("DRILL_DIALOGS", 0),
      gapMs: range("DRILL_DIALOG_GAP_MS", { min: 100, max: 600 }),
      openMs: count("DRILL_DIALOG_OPEN_MS", 200),
      leadMs: given("DRILL_DIALOG_LEAD_MS") === "" ? null : count("DRILL_DIALOG_LEAD_MS", 0),
    },
    dies: dies === "now" ? "at once" : dies === "" ? "never" : { inTurn: count("DRILL_DIES", 0) },
    printBytes: count("DRILL_PRINT_MB", 0, 1_000) * 1_048_576,
    forges: choice("DRILL_FORGES", ["no", "all", "end"]),
    reads: reads === "" ? "always" : reads === "never" ? "never" : { afterMs: count("DRILL_READS", 0) },
    hooks: {
      fault: choice("DRILL_HOOKS", ["none", "lost", "doubled", "reordered", "delayed"]),
      delayMs: range("DRILL_HOOK_DELAY_MS", { min: 0, max: 500 }),
      lost: given("DRILL_HOOKS_LOST").split(",").filter(Boolean),
    },
    nests: flag("DRILL_NESTS"),
    continues: flag("DRILL_CONTINUES"),
  };
};
