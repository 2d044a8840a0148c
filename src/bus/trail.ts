/**
 * The trail and the agent list as readers see them: status, timer, label and notes of each entry.
 * Source: "Mission Control" of the product text; DECISIONS A5, A7.
 */
import { type Approval, approvalView } from "./approvals.js";
import type { Delivery, Sender } from "./delivery.js";
import { assertNever } from "./ids.js";
import type { Millis } from "./protocol.js";
import { heldReason, isUnheard, levelOf, remedyOf, statusOf } from "./reporter.js";
import type { State } from "./state.js";
import { TESTED_PI, type Terminal } from "./terminal.js";
import type { AgentView, TrailStatus, TrailView } from "./views.js";

export const senderLabel = (sender: Sender): string => {
  if (sender.kind === "person") return "You";
  if (sender.kind === "mailbox") return "Mailbox";
  return sender.viaPerson ? `${sender.name} via You` : sender.name;
};

const trailStatus = (delivery: Delivery): TrailStatus => {
  switch (delivery.state) {
    case "queued":
    case "pasting":
    case "entering":
      return "Queued";
    case "dispatched":
    case "unconfirmed":
    case "confirmed":
      return "Dispatched";
    case "completed":
      return "Completed";
    case "failed":
      return "Failed";
    default:
      return assertNever(delivery.state);
  }
};

const timerOf = (delivery: Delivery, status: TrailStatus): TrailView["timer"] => {
  if (status === "Dispatched" && !delivery.blind && delivery.typedAt !== null) {
    return { kind: "counting", since: delivery.typedAt };
  }
  if (status === "Completed" && delivery.endedAt !== null) {
    const from = delivery.turnStartedAt ?? delivery.typedAt;
    if (from !== null) return { kind: "took", ms: Math.max(0, delivery.endedAt - from) };
  }
  return { kind: "none" };
};

const endNote = (delivery: Delivery): readonly string[] => {
  const end = delivery.end;
  if (end === null) return [];
  switch (end.kind) {
    case "answered":
      return end.cutAt === undefined ? [] : [`cut off at ${end.cutAt} characters: it reports no more of an answer`];
    case "turn failed":
      return [`turn failed: ${end.text}`];
    case "interrupted":
      return ["interrupted before it answered"];
    case "cleared":
      return ["its session was cleared"];
    case "lost":
      return ["its turn's end was not reported"];
    case "joined":
      return ["joined a turn already running"];
    case "exited":
    case "not typed":
    case "not submitted":
      return [end.why];
    case "cancelled":
      return ["cancelled before it was typed"];
    default:
      return assertNever(end);
  }
};

export const NO_REPLY_NOTE = "No reply within 60s";

export const trailView = (delivery: Delivery, held: string | null): TrailView => {
  const status = trailStatus(delivery);
  // person:labels. A person's message is answered on the trail, however late.
  const isWaitedOn = !delivery.waitRanOut || delivery.from.kind !== "terminal" || delivery.from.viaPerson;
  const isReply = delivery.form === "message" && delivery.wantsReply && isWaitedOn;
  const notes = [...delivery.notes, ...(delivery.waitRanOut ? [NO_REPLY_NOTE] : []), ...endNote(delivery)];
  return {
    id: delivery.id,
    from: senderLabel(delivery.from),
    to: delivery.toName,
    toId: delivery.to,
    project: delivery.project,
    tag: delivery.form === "message" ? null : delivery.from.kind === "mailbox" ? "Mailbox" : "Broadcast",
    text: delivery.text,
    status,
    acceptedAt: delivery.acceptedAt,
    typedAt: delivery.typedAt,
    endedAt: delivery.endedAt,
    timer: timerOf(delivery, status),
    label: isReply ? "Reply:" : "Answer:",
    response: delivery.end?.kind === "answered" ? delivery.end.text : null,
    notes: status === "Queued" && held !== null ? [...notes, `held: ${held}`] : notes,
  };
};

const whyDemoted = (terminal: Terminal): string => {
  const remedy = remedyOf(terminal);
  switch (remedy) {
    case "relaunch with the bridge": {
      const by = terminal.switchedOffBy;
      const first = by === null ? "" : `, since ${by} switches hooks off: take that back first`;
      return `its event bridge is not reporting${first}; \`quay relaunch ${terminal.name}\` starts it again with the bridge`;
    }
    case "relaunch with its server":
      return `its server cannot be reached; \`quay relaunch ${terminal.name}\` starts it again with one`;
    case "compare the PiG version":
      return `its PiG extension is not reporting; it was tested on Pi ${TESTED_PI}, compare \`pig --version\``;
    case "compare the Pi version":
      return `its Pi extension is not reporting; it was tested on Pi ${TESTED_PI}, compare \`pi --version\``;
    case "file mailbox":
      return terminal.traits.turns === "osc" ? "it reports no status" : "its extension is not reporting";
    default:
      return assertNever(remedy);
  }
};

export const agentView = (terminal: Terminal, now: Millis): AgentView => {
  const isDemoted = terminal.exit === null && isUnheard(terminal, now);
  return {
    id: terminal.id,
    name: terminal.name,
    kind: terminal.kind,
    level: levelOf(terminal, now),
    fullLevel: terminal.traits.level,
    demoted: isDemoted ? whyDemoted(terminal) : null,
    status: statusOf(terminal, now),
    stale: terminal.stale,
    taskTitle: terminal.taskTitle,
    currentTool: terminal.tools.at(-1)?.name ?? null,
    autoApproved: terminal.autoApproved,
    project: terminal.project,
    cwd: terminal.cwd,
    preset: terminal.preset,
    launchedAt: terminal.launchedAt,
    prompt: terminal.prompt && {
      about: terminal.prompt.about,
      text: terminal.prompt.text,
      since: terminal.prompt.since,
    },
    held: heldReason(terminal),
    queued: terminal.queue.length,
    exit: terminal.exit && { at: terminal.exit.at, why: terminal.exit.why },
  };
};

/** Every terminal, in the order of launch; peers and others. */
export const agentViews = (state: State, now: Millis): readonly AgentView[] =>
  [...state.terminals.values()].map((terminal) => agentView(terminal, now));

/** Messages and approvals, the newest first; both are kept in the order of their time. */
const newestFirst = (state: State): readonly (Delivery | Approval)[] => {
  const messages = [...state.deliveries.values()];
  const approvals = [...state.approvals.values()];
  const merged: (Delivery | Approval)[] = [];
  while (approvals.length > 0) {
    const [message, approval] = [messages.at(-1), approvals.at(-1)!];
    if (message !== undefined && message.acceptedAt > approval.at) merged.push(messages.pop()!);
    else merged.push(approvals.pop()!);
  }
  return [...merged, ...messages.reverse()];
};

/** Newest first, at most `limit`, those older than `before` when it is given. */
export const trailViews = (state: State, limit: number, before: string | null = null): readonly TrailView[] => {
  const newest = newestFirst(state);
  const start = before === null ? 0 : newest.findIndex((entry) => entry.id === before) + 1;
  return newest.slice(start, start + limit).map((entry) => {
    if ("rule" in entry) return approvalView(entry);
    const terminal = state.terminals.get(entry.to);
    return trailView(entry, terminal === undefined ? null : heldReason(terminal));
  });
};
