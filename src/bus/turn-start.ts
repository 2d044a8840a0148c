/**
 * A prompt signal: whose turn begins, and which delivery the prompt is. The order of signals and doubles must not matter.
 * Source: "Turns" and the authority table of docs/architecture.md.
 */
import type { DeliveryId } from "./ids.js";
import type { Observation } from "./protocol.js";
import { changeTerminal, deliveryOf, type Step, terminalOf } from "./step.js";
import type { Terminal } from "./terminal.js";
import { titleOf } from "./text.js";
import type { ClosingTurn, Turn, TurnCause } from "./turn.js";
import { changeTurn, closedAs, closeForgotten, confirm, endOrAmend, isOpenAs, openTurn } from "./turns.js";

type Started = Extract<Observation, { kind: "turnStarted" }>;

/** The delivery that this prompt is: entered or being entered, not yet confirmed, and the prompt starts with it. */
const matchPrompt = (step: Step, terminal: Terminal, { prompt, at }: Started): DeliveryId | null => {
  const candidates = [terminal.typing, terminal.unconfirmed, ...lateOnes(step, terminal)];
  for (const id of candidates) {
    const delivery = id === null ? undefined : deliveryOf(step, id);
    if (delivery === undefined || !["entering", "dispatched", "unconfirmed"].includes(delivery.state)) continue;
    // What is told of late may be an earlier turn with the same words.
    if (at !== undefined && at < delivery.acceptedAt) continue;
    if (prompt.trim().startsWith(delivery.typed.trim())) return delivery.id;
  }
  return null;
};

/** Typed without a sign of a turn, or while the bridge was not heard: evidence may still come. */
const lateOnes = (step: Step, terminal: Terminal): readonly DeliveryId[] =>
  [...step.draft.deliveries.values()]
    .filter((d) => d.to === terminal.id && (d.state === "unconfirmed" || (d.state === "dispatched" && d.blind)))
    .map((d) => d.id);

/** The turn was over before it was known to be this delivery's. */
const claimClosed = (step: Step, id: Terminal["id"], over: ClosingTurn, delivery: DeliveryId): void => {
  const turn: Turn = { ...over.turn, cause: "delivery", deliveries: [...over.turn.deliveries, delivery] };
  const closing = terminalOf(step, id)!.closing.map((other) => (other === over ? { ...over, turn } : other));
  changeTerminal(step, id, { closing });
  confirm(step, delivery, turn);
  endOrAmend(step, delivery, over.end);
};

/** The turn was open before it was known to be this delivery's. */
const claimOpen = (
  step: Step,
  id: Terminal["id"],
  turn: Turn,
  delivery: DeliveryId,
  cliTurns: readonly string[] = turn.cliTurns,
): void => {
  confirm(step, delivery, turn);
  const { hops } = deliveryOf(step, delivery)!;
  const deliveries = [...turn.deliveries, delivery];
  changeTurn(step, terminalOf(step, id)!, { cliTurns, cause: "delivery", deliveries, hops, interruptAt: null });
};

/** Typed in the instant in which a person's own prompt was submitted: the CLI took it into the running turn. */
const joinOpen = (step: Step, id: Terminal["id"], turn: Turn, delivery: DeliveryId): void => {
  confirm(step, delivery, turn);
  changeTurn(step, terminalOf(step, id)!, { joined: [...turn.joined, delivery] });
};

/**
 * Submitted under a turn whose answer is told already: the CLI is still about its end (a Stop hook of the person's that
 * takes long), keeps the message, and gives it a turn of its own that nothing announces.
 */
const startBehind = (step: Step, id: Terminal["id"], over: ClosingTurn, delivery: DeliveryId): void => {
  const { turn, closing } = terminalOf(step, id)!;
  const { acceptedAt } = deliveryOf(step, delivery)!;
  if (turn !== null)
    return turn.cause === "unknown" ? claimOpen(step, id, turn, delivery) : joinOpen(step, id, turn, delivery);
  const own = closing
    .slice(0, closing.indexOf(over))
    .findLast((later) => later.turn.cause === "unknown" && later.turn.startedAt >= acceptedAt);
  if (own !== undefined) return claimClosed(step, id, own, delivery);
  openTurn(step, terminalOf(step, id)!, { cliTurn: null, cause: "delivery", deliveries: [delivery] });
};

/** A prompt under the id of a turn that is over. */
const startClosed = (
  step: Step,
  id: Terminal["id"],
  seen: Started,
  over: ClosingTurn,
  delivery: DeliveryId | null,
): void => {
  const terminal = terminalOf(step, id)!;
  if (over === terminal.closing[0] && terminal.turn === null && !seen.automatic) {
    changeTerminal(step, id, { taskTitle: titleOf(seen.prompt) ?? terminal.taskTitle });
  }
  if (delivery === null) return;
  // Nobody knows yet what that turn was about: its Stop came first, the signals crossed on their way.
  if (over.turn.cause === "unknown") claimClosed(step, id, over, delivery);
  else startBehind(step, id, over, delivery);
};

export const startTurn = (step: Step, id: Terminal["id"], seen: Started): void => {
  const terminal = terminalOf(step, id)!;
  const delivery = seen.automatic ? null : matchPrompt(step, terminal, seen);
  const isOpen = isOpenAs(terminal, seen.cliTurn);
  const over = isOpen ? undefined : closedAs(terminal, seen.cliTurn);
  const isKnown = isOpen || over !== undefined;
  // A hook that ran twice begins nothing; the same words again are somebody's only where a delivery waits for them.
  if (seen.again && (delivery === null || !isKnown)) return;
  if (over !== undefined) return startClosed(step, id, seen, over, delivery);
  if (!seen.automatic) changeTerminal(step, id, { taskTitle: titleOf(seen.prompt) ?? terminal.taskTitle });
  const turn = terminalOf(step, id)!.turn;
  if (turn === null) {
    const cause: TurnCause = delivery !== null ? "delivery" : seen.automatic ? "cli" : "person";
    openTurn(step, terminalOf(step, id)!, {
      cliTurn: seen.cliTurn,
      cause,
      deliveries: delivery === null ? [] : [delivery],
    });
    return;
  }
  if (turn.cliTurns.includes(seen.cliTurn) && turn.cause !== "unknown") {
    if (delivery !== null && !turn.deliveries.includes(delivery)) joinOpen(step, id, turn, delivery);
    return;
  }
  if (turn.cliTurns.length === 0 || turn.cliTurns.includes(seen.cliTurn)) {
    // Opened by a signal that came before this one: now its cause is known.
    const cliTurns = [seen.cliTurn];
    if (delivery !== null) return claimOpen(step, id, turn, delivery, cliTurns);
    const own: TurnCause = seen.automatic ? "cli" : "person";
    const cause = turn.deliveries.length > 0 ? turn.cause : own;
    return changeTurn(step, terminalOf(step, id)!, { cliTurns, cause, interruptAt: null });
  }
  if (turn.heldBySubagents && seen.automatic) {
    changeTurn(step, terminalOf(step, id)!, { cliTurns: [...turn.cliTurns, seen.cliTurn], heldBySubagents: false });
    return;
  }
  closeForgotten(step, terminalOf(step, id)!);
  startTurn(step, id, seen);
};
