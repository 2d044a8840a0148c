/**
 * An end that only OSC told of. For a CLI with a bridge OSC may make Quay more careful, never sure: a `cat` of a hostile
 * file can forge it. Where the CLI keeps a registry it is asked first; where it keeps none, OSC has to do.
 * Source: "Turns" and the authority table of docs/architecture.md (interrupt: OSC idle, registry).
 */
import { isOver } from "./delivery.js";
import { ask, changeDelivery, changeTerminal, type Step, terminalOf } from "./step.js";
import type { Terminal } from "./terminal.js";
import type { TurnEnd } from "./turn.js";
import { closeTurn } from "./turns.js";

/** The bridge contradicts what the CLI does: it is not believed any more, and what it did not end is lost. */
export const loseReporter = (step: Step, terminal: Terminal): void => {
  changeTerminal(step, terminal.id, { reporter: "lost" });
  closeTurn(step, terminal.id, { kind: "lost" });
  // trail:blind-has-no-timer. What was typed there is open, and its end cannot be seen any more.
  for (const delivery of [...step.draft.deliveries.values()]) {
    if (delivery.to === terminal.id && delivery.typedAt !== null && !isOver(delivery) && !delivery.blind) {
      changeDelivery(step, delivery.id, { blind: true });
    }
  }
};

/** A `done` that the bridge never told of is its contradiction; an interrupt or an error is an end. */
const believe = (step: Step, terminal: Terminal, end: TurnEnd): void =>
  end.kind === "lost" ? loseReporter(step, terminal) : closeTurn(step, terminal.id, end);

/** The time for a hook of this turn is over: ends it, or asks the registry whether it is over. */
export const doubtTurn = (step: Step, terminal: Terminal, end: TurnEnd): void => {
  if (terminal.traits.registry !== true) return believe(step, terminal, end);
  const turn = { ...terminal.turn!, interruptAt: null, contradictionAt: null, doubt: end };
  changeTerminal(step, terminal.id, { turn });
  ask(step, { kind: "resync", terminal: terminal.id });
};

/** What the registry says of a turn in doubt; `nothing`: it cannot be read. True when there was a doubt to settle. */
export const settleDoubt = (step: Step, id: Terminal["id"], said: "over" | "goes on" | "nothing"): boolean => {
  const terminal = terminalOf(step, id)!;
  const doubt = terminal.turn?.doubt ?? null;
  if (doubt === null) return false;
  changeTerminal(step, id, { turn: { ...terminal.turn!, doubt: null } });
  if (said !== "goes on") {
    believe(step, terminalOf(step, id)!, doubt);
    return true;
  }
  // Somebody else wrote that record: what OSC says of this terminal is unknown until it speaks again.
  changeTerminal(step, id, { program: { state: "unknown", since: step.now, covered: true } });
  return true;
};
