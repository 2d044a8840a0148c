/**
 * Turns as the bridge tells of them: begun, going on, stopped. The order of signals and doubles must not matter.
 * Source: "Turns" and the authority table of docs/architecture.md.
 */
import type { DeliveryEnd } from "./delivery.js";
import { isOver } from "./delivery.js";
import type { DeliveryId } from "./ids.js";
import { JOINED_MS, REMEMBER_TURNS, STOP_SETTLES_MS } from "./limits.js";
import type { Observation } from "./protocol.js";
import { changeDelivery, changeTerminal, deliveryOf, endDelivery, type Step, terminalOf } from "./step.js";
import type { Terminal } from "./terminal.js";
import { titleOf } from "./text.js";
import type { ClosingTurn, Turn, TurnCause, TurnEnd } from "./turn.js";

type Started = Extract<Observation, { kind: "turnStarted" }>;
type Stopped = Extract<Observation, { kind: "turnStopped" }>;

const endOf = (end: TurnEnd): DeliveryEnd => (end.kind === "failed" ? { kind: "turn failed", text: end.text } : end);

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

const confirm = (step: Step, id: DeliveryId, turn: Turn): void => {
  const { key, startedAt } = turn;
  changeDelivery(step, id, {
    state: "confirmed",
    turn: key,
    turnStartedAt: startedAt,
    evidenceBy: null,
    blind: false,
  });
  const delivery = deliveryOf(step, id)!;
  const terminal = terminalOf(step, delivery.to)!;
  if (terminal.unconfirmed === id) changeTerminal(step, terminal.id, { unconfirmed: null });
};

/** Opens a turn; a working episode of OSC belongs to it from now on. */
export const openTurn = (
  step: Step,
  terminal: Terminal,
  opened: {
    readonly cliTurn: string | null;
    readonly cause: TurnCause;
    readonly deliveries: readonly DeliveryId[];
    readonly startedAt?: number;
  },
): Turn => {
  const first = opened.deliveries[0];
  const hops = first === undefined ? 0 : (deliveryOf(step, first)?.hops ?? 0);
  const inherited = opened.cause === "cli" ? (terminal.lastHops ?? 0) : 0;
  const startedAt = opened.startedAt ?? step.now;
  const turn: Turn = {
    key: opened.cliTurn ?? `at-${startedAt}`,
    cliTurns: opened.cliTurn === null ? [] : [opened.cliTurn],
    cause: opened.cause,
    deliveries: opened.deliveries,
    joined: [],
    hops: first === undefined ? inherited : hops,
    startedAt,
    heldBySubagents: false,
    candidate: null,
    interruptAt: null,
    contradictionAt: null,
    doubt: null,
  };
  const program = terminal.program.state === "working" ? { ...terminal.program, covered: true } : terminal.program;
  // hops:person-resets. Also for what is sent between this turn and the next.
  const lastHops = opened.cause === "person" ? null : terminal.lastHops;
  changeTerminal(step, terminal.id, { turn, program, doubtful: false, lastHops });
  for (const id of opened.deliveries) confirm(step, id, turn);
  return turn;
};

const changeTurn = (step: Step, terminal: Terminal, patch: Partial<Turn>): void =>
  changeTerminal(step, terminal.id, { turn: { ...terminal.turn!, ...patch } });

/** Closes the open turn: its deliveries get its end, those that joined it stay provisional for a while. */
export const closeTurn = (step: Step, id: Terminal["id"], end: TurnEnd): void => {
  const terminal = terminalOf(step, id);
  const turn = terminal?.turn ?? null;
  if (terminal === undefined || turn === null) return;
  const closed: ClosingTurn = { turn, end, endedAt: step.now };
  const closing = [closed, ...terminal.closing].slice(0, REMEMBER_TURNS);
  for (const forgotten of terminal.closing.slice(REMEMBER_TURNS - 1)) endJoined(step, forgotten);
  changeTerminal(step, id, {
    turn: null,
    closing,
    tools: [],
    prompt: terminal.prompt?.source === "osc" ? terminal.prompt : null,
  });
  for (const delivery of turn.deliveries) endOrAmend(step, delivery, end);
};

/** A later Stop of the same turn amends what the trail already says. */
const endOrAmend = (step: Step, id: DeliveryId, end: TurnEnd): void => {
  const delivery = deliveryOf(step, id);
  if (delivery === undefined) return;
  if (!isOver(delivery)) endDelivery(step, id, endOf(end));
  else if (delivery.state === "completed" && end.kind === "answered") {
    changeDelivery(step, id, { end: endOf(end), endedAt: step.now });
  }
};

/** A new turn begins though the old one was never said to be over: it ends as its proposed end, else as interrupted. */
const closeForgotten = (step: Step, terminal: Terminal): void =>
  closeTurn(step, terminal.id, terminal.turn!.candidate?.end ?? { kind: "interrupted" });

const isHeldBy = (step: Step, { turn }: ClosingTurn, id: DeliveryId): boolean => {
  const delivery = deliveryOf(step, id);
  return delivery?.state === "confirmed" && delivery.turn === turn.key;
};

/** Deliveries that joined a turn that ended just now and may yet get a turn of their own. */
export const provisionalOf = (step: Step, terminal: Terminal): readonly DeliveryId[] =>
  terminal.closing
    .filter((closing) => step.now <= closing.endedAt + JOINED_MS)
    .flatMap((closing) => closing.turn.joined.filter((id) => isHeldBy(step, closing, id)));

/** No turn of their own came: they were part of the one they joined. */
export const endJoined = (step: Step, closing: ClosingTurn): void => {
  for (const id of closing.turn.joined) if (isHeldBy(step, closing, id)) endDelivery(step, id, { kind: "joined" });
};

const isOpenAs = (terminal: Terminal, cliTurn: string): boolean => terminal.turn?.cliTurns.includes(cliTurn) ?? false;

const closedAs = (terminal: Terminal, cliTurn: string): ClosingTurn | undefined =>
  terminal.closing.find((closing) => closing.turn.cliTurns.includes(cliTurn));

/** The turn was over before it was known to be this delivery's. */
const claimClosed = (step: Step, id: Terminal["id"], over: ClosingTurn, delivery: DeliveryId): void => {
  const turn: Turn = { ...over.turn, cause: "delivery", deliveries: [...over.turn.deliveries, delivery] };
  const closing = terminalOf(step, id)!.closing.map((other) => (other === over ? { ...over, turn } : other));
  changeTerminal(step, id, { closing });
  confirm(step, delivery, turn);
  endOrAmend(step, delivery, over.end);
};

/** The turn was open before it was known to be this delivery's. */
const claimOpen = (step: Step, id: Terminal["id"], turn: Turn, delivery: DeliveryId): void => {
  confirm(step, delivery, turn);
  const { hops } = deliveryOf(step, delivery)!;
  const deliveries = [...turn.deliveries, delivery];
  changeTurn(step, terminalOf(step, id)!, { cause: "delivery", deliveries, hops, interruptAt: null });
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
  const over = isOpenAs(terminal, seen.cliTurn) ? undefined : closedAs(terminal, seen.cliTurn);
  if (seen.again && (delivery === null || (over === undefined && !isOpenAs(terminal, seen.cliTurn)))) return;
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
    const own: TurnCause = seen.automatic ? "cli" : "person";
    const cause = turn.deliveries.length > 0 ? turn.cause : own;
    changeTurn(step, terminalOf(step, id)!, { cliTurns: [seen.cliTurn], cause, interruptAt: null });
    if (delivery !== null) claimOpen(step, id, terminalOf(step, id)!.turn!, delivery);
    return;
  }
  if (turn.heldBySubagents && seen.automatic) {
    changeTurn(step, terminalOf(step, id)!, { cliTurns: [...turn.cliTurns, seen.cliTurn], heldBySubagents: false });
    return;
  }
  closeForgotten(step, terminalOf(step, id)!);
  startTurn(step, id, seen);
};

const isResting = ({ program }: Terminal, over: ClosingTurn): boolean =>
  ["idle", "done", "error"].includes(program.state) && program.since >= over.turn.startedAt;

/** Signs that a turn goes on withdraw a proposed end, and reopen a turn that was over too soon. */
export const continueTurn = (step: Step, id: Terminal["id"], cliTurn: string | null): void => {
  const terminal = terminalOf(step, id)!;
  const turn = terminal.turn;
  if (turn !== null && (cliTurn === null || turn.cliTurns.includes(cliTurn) || turn.cliTurns.length === 0)) {
    const cliTurns = cliTurn === null || turn.cliTurns.includes(cliTurn) ? turn.cliTurns : [cliTurn];
    const isSettled = turn.candidate === null && turn.interruptAt === null && turn.doubt === null;
    if (isSettled && cliTurns === turn.cliTurns) return;
    changeTurn(step, terminal, { candidate: null, interruptAt: null, contradictionAt: null, doubt: null, cliTurns });
    return;
  }
  if (cliTurn === null) return;
  const over = closedAs(terminal, cliTurn);
  // A straggler of a turn after which the CLI said that it rests.
  if (turn === null && over !== undefined && isResting(terminal, over)) return;
  if (turn === null && over !== undefined) {
    const closing = terminal.closing.filter((other) => other !== over);
    const again = { ...over.turn, candidate: null, interruptAt: null, contradictionAt: null, doubt: null };
    changeTerminal(step, id, { turn: again, closing });
    return;
  }
  if (over !== undefined) return;
  // A turn that nobody announced: what was queued inside the CLI during the last one, or a shell command of a person.
  if (turn !== null) closeForgotten(step, terminal);
  const moved = provisionalOf(step, terminalOf(step, id)!);
  const cause: TurnCause = moved.length > 0 ? "delivery" : "unknown";
  openTurn(step, terminalOf(step, id)!, { cliTurn, cause, deliveries: moved });
};

export const stopTurn = (step: Step, id: Terminal["id"], seen: Stopped): void => {
  let terminal = terminalOf(step, id)!;
  const over = seen.cliTurn === null ? undefined : closedAs(terminal, seen.cliTurn);
  if (over !== undefined) {
    const closing = terminal.closing.map((other) => (other === over ? { ...over, end: seen.end } : other));
    changeTerminal(step, id, { closing });
    for (const delivery of over.turn.deliveries) endOrAmend(step, delivery, seen.end);
    // The CLI went on with a turn that seemed over: what is open under its id ends now too.
    if (!isOpenAs(terminal, seen.cliTurn!)) return;
  }
  const turn = terminal.turn;
  const isOther =
    turn !== null && seen.cliTurn !== null && turn.cliTurns.length > 0 && !turn.cliTurns.includes(seen.cliTurn);
  if (turn === null || isOther) {
    if (seen.cliTurn === null) return;
    continueTurn(step, id, seen.cliTurn);
    terminal = terminalOf(step, id)!;
  }
  if (seen.subagentsRunning) {
    changeTurn(step, terminalOf(step, id)!, {
      heldBySubagents: true,
      candidate: null,
      interruptAt: null,
      contradictionAt: null,
      doubt: null,
    });
    return;
  }
  const cliTurns =
    seen.cliTurn === null || terminal.turn!.cliTurns.length > 0 ? terminal.turn!.cliTurns : [seen.cliTurn];
  changeTurn(step, terminalOf(step, id)!, {
    cliTurns,
    candidate: { end: seen.end, at: step.now + STOP_SETTLES_MS },
    interruptAt: null,
    contradictionAt: null,
    doubt: null,
    heldBySubagents: false,
  });
  const isQuiet =
    ["idle", "done", "error"].includes(terminal.program.state) && terminal.program.since >= terminal.turn!.startedAt;
  // /clear ends a turn at once; so does a CLI that already says it is done.
  if (isQuiet || seen.end.kind === "cleared") closeTurn(step, id, seen.end);
};
