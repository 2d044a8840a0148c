/**
 * Taking a message in: who sends it, whom it is for, what is typed, and what the sender waits for.
 * Source: "How a Message Is Delivered", quay_send_message; DECISIONS A1, A3, A4, A6-A8.
 */
import type { Delivery, Sender } from "./delivery.js";
import type { DeliveryId } from "./ids.js";
import { MAX_BODY_BYTES, MAX_HOPS, SAME_CALL_MS, WAIT_MS } from "./limits.js";
import type { Caller, Input, Outcome } from "./protocol.js";
import type { Refusal } from "./refusal.js";
import { canReply, isBlind, remedyOf } from "./reporter.js";
import { ask, record, type Step, stateOf, terminalOf } from "./step.js";
import { matchTarget } from "./target.js";
import type { Terminal } from "./terminal.js";
import { type Cleaned, cleanBody, commandSign, isBlank, NOTICE_HEADER, peerHeader, utf8Bytes } from "./text.js";
import { circleOf, openWait, settle } from "./wait.js";

type Send = Extract<Input, { kind: "send" }>;

export const refuse = (step: Step, call: Send["call"], refusal: Refusal): void =>
  ask(step, { kind: "settle", call, outcome: { kind: "refused", refusal }, deliveries: [] });

/** The terminal that speaks: the calling one, or the one in whose name a person does. Null: You. */
const speakerOf = (step: Step, caller: Caller): { readonly ok: boolean; readonly terminal: Terminal | null } => {
  const id = caller.kind === "terminal" ? caller.id : caller.as;
  if (id === null) return { ok: true, terminal: null };
  const terminal = terminalOf(step, id);
  return terminal === undefined || terminal.exit !== null ? { ok: false, terminal: null } : { ok: true, terminal };
};

type Speaker = Exclude<Sender, { readonly kind: "mailbox" }>;
const senderOf = (speaker: Terminal | null, caller: Caller): Speaker =>
  speaker === null
    ? { kind: "person" }
    : { kind: "terminal", id: speaker.id, name: speaker.name, viaPerson: caller.kind === "person" };

/** Where names are matched first and notices stay: the speaker's project, or the one the person is in. */
const projectOf = (speaker: Terminal | null, caller: Caller): string | null =>
  (caller.kind === "person" ? caller.project : null) ?? speaker?.project ?? null;

/** Hand-offs since a person's prompt, for a message sent now from this terminal (DECISIONS A6). */
export const hopsOf = (speaker: Terminal | null, caller: Caller): number => {
  if (speaker === null || caller.kind === "person") return 0;
  const turn = speaker.turn;
  if (turn === null || turn.cause === "unknown") return speaker.lastHops === null ? 0 : speaker.lastHops + 1;
  return turn.cause === "person" ? 0 : turn.hops + 1;
};

const checkBody = (field: "message" | "text", body: string): Refusal | Cleaned => {
  const bytes = utf8Bytes(body);
  if (bytes > MAX_BODY_BYTES) return { kind: "textTooLong", field, bytes, limit: MAX_BODY_BYTES };
  const cleaned = cleanBody(body);
  return isBlank(cleaned.text) ? { kind: "emptyText", field } : cleaned;
};

const isRefusal = (checked: Refusal | Cleaned): checked is Refusal => "kind" in checked;

type Draftable = Pick<Delivery, "id" | "form" | "broadcast" | "from" | "text" | "typed" | "hops" | "wantsReply">;

/** Makes the message durable, queued on its terminal. */
export const enqueue = (
  step: Step,
  target: Terminal,
  draft: Draftable,
  removed: boolean,
  notes: readonly string[],
): void => {
  const delivery: Delivery = {
    ...draft,
    to: target.id,
    toName: target.name,
    project: target.project,
    waitRanOut: false,
    responded: false,
    blind: isBlind(target, step.now),
    state: "queued",
    acceptedAt: step.now,
    typedAt: null,
    evidenceBy: null,
    endedAt: null,
    end: null,
    turn: null,
    turnStartedAt: null,
    notes: removed ? [...notes, "characters that a terminal would obey or hide were taken out"] : notes,
    evidence: null,
    tries: 0,
    secondEnter: "none",
  };
  record(step, { kind: "deliveryAccepted", at: step.now, delivery });
  step.touched.add(target.id);
};

/** A caller that gave up and calls again with the same words means the same message (DECISIONS A4). */
const sameCall = (step: Step, input: Send, target: Terminal, text: string): Delivery | null => {
  if (input.caller.kind !== "terminal") return null;
  const caller = input.caller.id;
  for (const delivery of step.draft.deliveries.values()) {
    if (delivery.to !== target.id || delivery.text !== text || delivery.form !== "message") continue;
    if (delivery.from.kind !== "terminal" || delivery.from.id !== caller || delivery.from.viaPerson) continue;
    const unanswered = !delivery.responded && step.now - delivery.acceptedAt <= SAME_CALL_MS;
    if (delivery.state === "queued" || unanswered) return delivery;
  }
  return null;
};

const openCall = (step: Step, input: Send, speaker: Terminal | null, target: Terminal, delivery: DeliveryId): void => {
  const replies = canReply(target, step.now);
  const wait = {
    call: input.call,
    caller: input.caller,
    mode: input.wait && replies ? ("reply" as const) : ("receipt" as const),
    deliveries: [delivery],
    deadline: step.now + WAIT_MS,
    remedy: input.wait && !replies ? remedyOf(target) : null,
  };
  const circle =
    wait.mode === "reply" && speaker !== null && input.caller.kind === "terminal"
      ? circleOf(stateOf(step), speaker, target)
      : [];
  openWait(step, wait);
  // wait:circle. None of the turns in it could end, so this one does not begin.
  if (circle.length > 0) settle(step, wait, { kind: "stillQueued", to: target.name, circle } satisfies Outcome);
};

export const acceptSend = (step: Step, input: Send): void => {
  if (step.draft.stopped !== null) return refuse(step, input.call, { kind: "fencedOut", holder: step.draft.stopped });
  const speaker = speakerOf(step, input.caller);
  if (!speaker.ok) return refuse(step, input.call, { kind: "callerExited" });
  const checked = checkBody("message", input.text);
  if (isRefusal(checked)) return refuse(step, input.call, checked);
  const project = projectOf(speaker.terminal, input.caller);
  const match = matchTarget(stateOf(step), input.target, project, step.now);
  if (!match.ok) return refuse(step, input.call, match.refusal);
  const target = match.terminal;
  if (target.exit !== null)
    return refuse(step, input.call, { kind: "terminalExited", target: target.id, name: target.name });
  if (target.id === speaker.terminal?.id) return refuse(step, input.call, { kind: "self", name: target.name });
  if (target.traits.level === "not a peer") {
    return refuse(step, input.call, { kind: "notAPeer", name: target.name, runKind: target.kind });
  }
  const sign = speaker.terminal === null && !input.raw ? commandSign(checked.text) : null;
  if (sign !== null) return refuse(step, input.call, { kind: "leadingCommandSign", sign });
  const hops = hopsOf(speaker.terminal, input.caller);
  if (hops >= MAX_HOPS) return refuse(step, input.call, { kind: "tooManyHops", limit: MAX_HOPS });

  const again = sameCall(step, input, target, checked.text);
  if (again !== null) return openCall(step, input, speaker.terminal, target, again.id);
  const from = senderOf(speaker.terminal, input.caller);
  const header = from.kind === "person" ? "" : peerHeader(from.name);
  const draft = {
    id: input.delivery,
    form: "message" as const,
    broadcast: null,
    from,
    text: checked.text,
    typed: header + checked.text,
    hops,
    wantsReply: input.wait,
  };
  enqueue(step, target, draft, checked.removed, []);
  openCall(step, input, speaker.terminal, target, input.delivery);
};

export const acceptBroadcast = (step: Step, input: Extract<Input, { kind: "broadcast" }>): void => {
  if (step.draft.stopped !== null) return refuse(step, input.call, { kind: "fencedOut", holder: step.draft.stopped });
  const speaker = speakerOf(step, input.caller);
  if (!speaker.ok) return refuse(step, input.call, { kind: "callerExited" });
  const checked = checkBody("text", input.text);
  if (isRefusal(checked)) return refuse(step, input.call, checked);
  const hops = hopsOf(speaker.terminal, input.caller);
  if (hops >= MAX_HOPS) return refuse(step, input.call, { kind: "tooManyHops", limit: MAX_HOPS });
  const project = projectOf(speaker.terminal, input.caller);
  const targets = [...step.draft.terminals.values()].filter(
    (t) => t.exit === null && t.traits.level !== "not a peer" && t.project === project && t.id !== speaker.terminal?.id,
  );
  const from = senderOf(speaker.terminal, input.caller);
  const deliveries = targets.map((target, index) => {
    const id = `${input.base}-${index + 1}` as DeliveryId;
    const draft = {
      id,
      form: "notice" as const,
      broadcast: input.base,
      from,
      text: checked.text,
      typed: NOTICE_HEADER + checked.text,
      hops,
      wantsReply: false,
    };
    enqueue(step, target, draft, checked.removed, []);
    return id;
  });
  const deadline = step.now + WAIT_MS;
  openWait(step, { call: input.call, caller: input.caller, mode: "notices", deliveries, deadline, remedy: null });
  if (deliveries.length === 0) return;
  // toast:one-per-broadcast (DECISIONS A14).
  const name = from.kind === "person" ? "You" : from.name;
  ask(step, { kind: "toast", toast: { at: step.now, text: `Swarm Broadcast from ${name}` } });
};
