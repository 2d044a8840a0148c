/**
 * What the screen says, in words: every sentence for people about agents, entries and outcomes is made here, from the
 * engine's views. Pure, and free of Ink, so that the command line prints the same lines.
 */
import { assertNever } from "../bus/ids.js";
import type { Outcome } from "../bus/protocol.js";
import { wordRefusal } from "../bus/refusal.js";
import { type Remedy, TESTED_PI } from "../bus/terminal.js";
import type { AgentView, TrailStatus, TrailView } from "../bus/views.js";
import type { Answer, SeatResult } from "../engine/client.js";
import type { MessageView } from "../mailbox/rules/views.js";
import type { Style } from "./line.js";
import { clean } from "./text.js";
import type { Deed, Notice } from "./ui.js";

const two = (value: number): string => String(value).padStart(2, "0");

/** A running count in ms: 0:07, 12:30, 1:02:03. */
export const wordCount = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
};

/** A finished time in ms: 0.4s, 42s, 3m05s, 1h02m. */
export const wordTook = (ms: number): string => {
  const tenths = Math.max(0, Math.round(ms / 100)) / 10;
  if (tenths < 10) return `${tenths.toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${two(seconds % 60)}s`;
  return `${Math.floor(seconds / 3600)}h${two(Math.floor(seconds / 60) % 60)}m`;
};

/** trail:timer-counts-from-delivery, trail:completed-shows-turn-time; empty when the entry shows no timer. */
export const wordTimer = (timer: TrailView["timer"], now: number): string => {
  switch (timer.kind) {
    case "none":
      return "";
    case "counting":
      return wordCount(now - timer.since);
    case "took":
      return wordTook(timer.ms);
    default:
      return assertNever(timer);
  }
};

/** Time of day in the person's own zone. */
export const wordClock = (at: number): string => {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
};

export const statusStyle = (status: TrailStatus): Style => {
  switch (status) {
    case "Queued":
      return "note";
    case "Dispatched":
      return "busy";
    case "Completed":
      return "good";
    case "Failed":
      return "bad";
    default:
      return assertNever(status);
  }
};

export const agentStyle = (agent: AgentView): Style => {
  switch (agent.status) {
    case "waiting":
      return "alarm";
    case "working":
      return "busy";
    case "idle":
      return "good";
    case "starting":
      return "note";
    case "unknown":
      return "plain";
    case "exited":
      return "faint";
    default:
      return assertNever(agent.status);
  }
};

/** mission-control:listener-tag; full peers carry no tag. */
export const tagOf = (agent: AgentView): string | null => {
  switch (agent.level) {
    case "responder":
      return "Responder";
    case "listener":
      return "Listener";
    case "not a peer":
      return "not a peer";
    case "full peer":
      return null;
    default:
      return assertNever(agent.level);
  }
};

const urgency = (agent: AgentView): number => (agent.exit !== null ? 2 : agent.status === "waiting" ? 0 : 1);

/** Those that wait on a person first, exited ones last, otherwise as the engine lists them. */
export const orderAgents = (agents: readonly AgentView[]): readonly AgentView[] =>
  [...agents].sort((a, b) => urgency(a) - urgency(b));

/** Who can be written to: live peers. */
export const recipients = (agents: readonly AgentView[]): readonly AgentView[] =>
  agents.filter((agent) => agent.exit === null && agent.status !== "exited" && agent.level !== "not a peer");

export const wordProject = (project: string): string =>
  project
    .split(/[/\\]/)
    .filter((part) => part !== "")
    .at(-1) ?? project;

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** How far its addressee has marked a message of the mailbox. */
export const wordMark = ({ readAt, ackAt }: Pick<MessageView, "readAt" | "ackAt">): string =>
  ackAt !== null ? "ack" : readAt !== null ? "read" : "unread";

const names = (list: readonly string[]): string => list.join(", ");

const wordRemedy = (remedy: Remedy, to: string, aim: string): string => {
  switch (remedy) {
    case "file mailbox":
      return "; ask it to write to a file";
    case "relaunch with the bridge":
    case "relaunch with its server":
      return `: run \`quay relaunch ${to}\` ${aim}`;
    case "compare the PiG version":
      return `; Quay's extension was tested on Pi ${TESTED_PI}: compare \`pig --version\``;
    case "compare the Pi version":
      return `; Quay's extension was tested on Pi ${TESTED_PI}: compare \`pi --version\``;
    default:
      return assertNever(remedy);
  }
};

/** What became of a send or a notice, in a sentence or two; `isGood` false when the person has to look at it. */
export const wordOutcome = (outcome: Outcome): { readonly text: string; readonly isGood: boolean } => {
  const good = (text: string) => ({ text, isGood: true });
  const bad = (text: string) => ({ text, isGood: false });
  switch (outcome.kind) {
    case "reply":
      return good(`${outcome.to} replied. The trail has the answer.`);
    case "dispatched":
      return good(`Sent to ${outcome.to}.`);
    case "queued":
      return good(`Queued for ${outcome.to}: ${outcome.why}.`);
    case "stillWorking":
      return good(`${outcome.to} is still working on it; its answer will fill in the trail.`);
    case "stillQueued":
      return outcome.circle.length > 0
        ? bad(`Queued for ${outcome.to}: ${outcome.circle.join(" → ")} wait on each other.`)
        : good(`Still queued for ${outcome.to}; it is typed when the current turn ends.`);
    case "endedWithoutAnswer":
      return bad(
        `${outcome.to} gave no answer: ${outcome.how === "failed" ? "the turn failed" : outcome.how}${outcome.detail === "" ? "" : ` (${outcome.detail})`}.`,
      );
    case "cannotReply":
      return good(
        `${outcome.queued ? "Queued for" : "Sent to"} ${outcome.to}, which cannot reply${wordRemedy(outcome.remedy, outcome.to, "to hear it")}.`,
      );
    case "reporterLost":
      return bad(`${outcome.to} stopped reporting${wordRemedy(outcome.remedy, outcome.to, "to hear it again")}.`);
    case "targetExited":
      return bad(`${outcome.to} exited before it answered.`);
    case "deliveryFailed":
      return bad(`Could not be typed into ${outcome.to}: ${outcome.why}.`);
    case "abandoned":
      return bad("The engine was restarted; the trail shows what became of the message.");
    case "broadcast": {
      const parts = [
        outcome.reached.length > 0
          ? `Notice sent to ${counted(outcome.reached.length, "peer")}: ${names(outcome.reached)}.`
          : "",
        outcome.holding.length > 0 ? `After the current turn: ${names(outcome.holding)}.` : "",
        outcome.failed.length > 0 ? `Could not be typed into: ${names(outcome.failed)}.` : "",
      ].filter((part) => part !== "");
      return parts.length === 0
        ? bad("No other peer is running in the project; nobody got the notice.")
        : { text: parts.join(" "), isGood: outcome.failed.length === 0 };
    }
    case "refused":
      return bad(wordRefusal(outcome.refusal));
    default:
      return assertNever(outcome);
  }
};

const tagged = (entry: TrailView): string => (entry.tag === null ? "" : ` [${entry.tag}]`);

/** One entry as plain lines without colours or controls, for pipes and logs: the entry, its response, its notes. */
export const trailLines = (entry: TrailView, now: number): readonly string[] => {
  const timer = wordTimer(entry.timer, now);
  const head = `${wordClock(entry.acceptedAt)} ${entry.status}${timer === "" ? "" : ` ${timer}`} ${clean(entry.from)} → ${clean(entry.to)}${tagged(entry)}: ${clean(entry.text)}`;
  return [
    head,
    ...(entry.response === null ? [] : [`  ${entry.label} ${clean(entry.response)}`]),
    ...entry.notes.map((note) => `  (${clean(note)})`),
  ];
};

/** The same entry as one line. */
export const trailLine = (entry: TrailView, now: number): string =>
  trailLines(entry, now)
    .map((part) => part.trim())
    .join("  ");

const wordSeat = (seat: SeatResult): string =>
  `${seat.name}: ${seat.result}${seat.why === null ? "" : ` (${seat.why})`}`;

/** What became of a deed: an answer of the engine to kill, relaunch, forget, cancel, typeNow, up or launch. */
export const wordDone = (deed: Deed, answer: Answer<Deed["kind"]>): Notice => {
  const good = (text: string): Notice => ({ text, isGood: true });
  if (!answer.ok) return { text: answer.message, isGood: false };
  if ("ended" in answer) return good(`Ended ${names(answer.ended)}.`);
  if ("forgotten" in answer) return good("Dropped from the list.");
  if ("held" in answer) return good("The line is looked at anew; the message is typed when it is free.");
  if ("seat" in answer)
    return good(deed.kind === "relaunch" ? `Started ${answer.seat.name} again.` : `Started ${answer.seat.name}.`);
  if (!("seats" in answer)) return good("Cancelled.");
  const isGood = answer.seats.every((seat) => seat.result !== "failed");
  return { text: answer.seats.map(wordSeat).join("; "), isGood };
};
