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
import type { ClosingTurn, Turn, TurnCause, TurnEnd } from "./turn.js";

type Stopped = Extract<Observation, { kind: "turnStopped" }>;

const endOf = (end: TurnEnd): DeliveryEnd => (end.kind === "failed" ? { kind: "turn failed", text: end.text } : end);

export const confirm = (step: Step, id: DeliveryId, turn: Turn): void => {
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

export const changeTurn = (step: Step, terminal: Terminal, patch: Partial<Turn>): void =>
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
export const endOrAmend = (step: Step, id: DeliveryId, end: TurnEnd): void => {
  const delivery = deliveryOf(step, id);
  if (delivery === undefined) return;
  if (!isOver(delivery)) endDelivery(step, id, endOf(end));
  else if (delivery.state === "completed" && end.kind === "answered") {
    changeDelivery(step, id, { end: endOf(end), endedAt: step.now });
  }
};

/** A new turn begins though the old one was never said to be over: it ends as its proposed end, else as interrupted. */
export const closeForgotten = (step: Step, terminal: Terminal): void =>
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

export const isOpenAs = (terminal: Terminal, cliTurn: string): boolean =>
  terminal.turn?.cliTurns.includes(cliTurn) ?? false;

export const closedAs = (terminal: Terminal, cliTurn: string): ClosingTurn | undefined =>
  terminal.closing.find((closing) => closing.turn.cliTurns.includes(cliTurn));

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
