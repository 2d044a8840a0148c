/**
 * Typing into a pane: paste, Enter, and answers to a program's queries. Every step is one guarded line; what it
 * answers becomes a tagged reply, and no answer is `unknown`. It never retries and never waits.
 */
import type { DeliveryId, TerminalId } from "../bus/ids.js";
import type { EnterGate, EnterReply, PasteReply } from "../engine/ports.js";
import { echoPatterns } from "./echo-pattern.js";
import type { Ask } from "./fence.js";
import { answerLine, enterAgainLine, enterLine, type Gate, type Place, pasteLine } from "./lines.js";
import { parseTyping, type Reason, type TypingReply } from "./replies.js";

export type KeyboardSpot = {
  readonly ask: Ask;
  /** null: there is no such pane, as far as is known. */
  readonly place: (terminal: TerminalId) => Place | null;
  /** A guard said that the epoch is no longer ours. */
  readonly onStale: () => void;
  readonly keepsControlBytes: () => boolean;
  readonly log: (line: string) => void;
};

export type Keyboard = {
  paste(terminal: TerminalId, delivery: DeliveryId, text: string): Promise<PasteReply>;
  enter(terminal: TerminalId, delivery: DeliveryId, gate: EnterGate | null): Promise<EnterReply>;
  enterAgain(terminal: TerminalId, delivery: DeliveryId, gate: EnterGate): Promise<EnterReply>;
  answerQuery(terminal: TerminalId, bytes: Uint8Array): Promise<void>;
};

/** An answer to a query is a few bytes; more is a bug of the caller. */
const MAX_ANSWER = 1_024;

type Shared = "stale epoch" | "gone" | "input off";

const sharedReason = (reason: Reason): Shared | null => {
  if (reason === "STALE-EPOCH") return "stale epoch";
  if (reason === "MISSING" || reason === "OTHER-TERMINAL" || reason === "DEAD") return "gone";
  return reason === "INPUT-OFF" ? "input off" : null;
};

const pasteReply = (reply: TypingReply): PasteReply => {
  if (reply.kind === "pasted") return { kind: "pasted" };
  if (reply.kind === "exited") return { kind: "refused", reason: "gone" };
  if (reply.kind !== "refused") return { kind: "unknown" };
  const shared = sharedReason(reply.reason);
  if (shared) return { kind: "refused", reason: shared };
  if (reply.reason === "ALREADY") return { kind: "refused", reason: "already pasted" };
  return reply.reason === "MODE" ? { kind: "refused", reason: "mode" } : { kind: "unknown" };
};

const enterReply = (reply: TypingReply): EnterReply => {
  if (reply.kind === "entered") return { kind: "entered" };
  if (reply.kind === "exited") return { kind: "refused", reason: "gone" };
  if (reply.kind !== "refused") return { kind: "unknown" };
  const shared = sharedReason(reply.reason);
  if (shared) return { kind: "refused", reason: shared };
  if (reply.reason === "ALREADY") return { kind: "refused", reason: "already entered" };
  if (reply.reason === "NOT-PASTED") return { kind: "refused", reason: "not pasted" };
  if (reply.reason === "NOT-ENTERED") return { kind: "refused", reason: "not entered" };
  return reply.reason === "NO-ECHO" ? { kind: "refused", reason: "no echo" } : { kind: "unknown" };
};

const gateFor = (gate: EnterGate | null): Gate => ({
  patterns: gate?.echoTail == null ? null : echoPatterns(gate.echoTail),
  cursor: gate?.cursor ?? null,
});

export const createKeyboard = (spot: KeyboardSpot): Keyboard => {
  let answers = 0;

  const type = async (line: string, delivery: DeliveryId): Promise<TypingReply> => {
    const answer = await spot.ask(line);
    const reply: TypingReply = answer.kind === "unknown" ? answer : parseTyping(answer.blocks, delivery);
    if (reply.kind === "unknown") spot.log(`no clear answer to the typing of ${delivery}: ${reply.why}`);
    if (reply.kind === "refused" && reply.reason === "STALE-EPOCH") spot.onStale();
    return reply;
  };

  return {
    paste: async (terminal, delivery, text) => {
      const place = spot.place(terminal);
      if (!place) return { kind: "refused", reason: "gone" };
      return pasteReply(await type(pasteLine(place, delivery, text), delivery));
    },
    enter: async (terminal, delivery, gate) => {
      const place = spot.place(terminal);
      if (!place) return { kind: "refused", reason: "gone" };
      return enterReply(await type(enterLine(place, delivery, gateFor(gate)), delivery));
    },
    enterAgain: async (terminal, delivery, gate) => {
      const place = spot.place(terminal);
      if (!place) return { kind: "refused", reason: "gone" };
      return enterReply(await type(enterAgainLine(place, delivery, gateFor(gate)), delivery));
    },
    answerQuery: async (terminal, bytes) => {
      if (bytes.length === 0 || bytes.length > MAX_ANSWER) throw new RangeError(`an answer of ${bytes.length} bytes`);
      const place = spot.place(terminal);
      if (place) await spot.ask(answerLine(place, ++answers, bytes, { raw: spot.keepsControlBytes() }));
    },
  };
};
