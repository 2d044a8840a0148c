/**
 * Every sentence and table that the command line prints for people about agents, messages and seats. Pure: from views
 * to text. Sentences for models live in mcp/wording.ts; refusals in bus/refusal.ts.
 */
import { assertNever } from "../bus/ids.js";
import type { Outcome } from "../bus/protocol.js";
import { type Refusal, wordRefusal } from "../bus/refusal.js";
import { type Remedy, TESTED_PI } from "../bus/terminal.js";
import type { AgentView } from "../bus/views.js";
import type { SeatResult } from "../engine/client.js";
import type { Sink } from "./cli.js";
import { cellsOf, cutTo, inertLine, inertText, padTo } from "./screen.js";

export const jsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`;
export const jsonBlock = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Columns apart by two cells, each row cut to `columns` cells; null: uncut, for a pipe. */
export const table = (rows: readonly (readonly string[])[], columns: number | null): string => {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cellsOf(cell));
  }
  return rows
    .map((row) => {
      const line = row
        .map((cell, index) => padTo(cell, widths[index] ?? 0))
        .join("  ")
        .trimEnd();
      return `${columns === null ? line : cutTo(line, columns)}\n`;
    })
    .join("");
};

/** How wide a table may be there; null: as it is, for a pipe. */
export const columnsOf = (out: Pick<Sink, "isTerminal" | "columns">): number | null =>
  out.isTerminal ? out.columns : null;

const statusWord = (agent: AgentView): string => `${agent.status}${agent.stale ? " (stale)" : ""}`;

const what = (agent: AgentView): string => {
  if (agent.exit !== null) return agent.exit.why;
  if (agent.prompt !== null) return `${agent.prompt.about}: ${agent.prompt.text}`;
  return [agent.taskTitle, agent.currentTool === null ? null : `(${agent.currentTool})`]
    .filter((part) => part !== null)
    .join(" ");
};

/** The list of `quay ls`. */
export const wordAgents = (agents: readonly AgentView[], columns: number | null): string => {
  if (agents.length === 0) return "No terminals. Start one with: quay new KIND --name NAME, or quay up PRESET\n";
  const rows = agents.map((agent) => [
    inertLine(agent.name),
    agent.kind,
    agent.level,
    statusWord(agent),
    agent.queued === 0 ? "" : String(agent.queued),
    agent.id,
    inertLine(agent.project),
    inertLine(what(agent)),
  ]);
  return table([["NAME", "KIND", "LEVEL", "STATUS", "QUEUED", "ID", "PROJECT", "TASK"], ...rows], columns);
};

/** The lines of `quay status`. */
export const wordAgent = (agent: AgentView): string => {
  const lines: readonly (readonly [string, string | null])[] = [
    ["name", inertLine(agent.name)],
    ["id", agent.id],
    ["kind", agent.kind],
    ["level", agent.demoted === null ? agent.level : `${agent.level}: ${inertText(agent.demoted)}`],
    ["status", statusWord(agent)],
    ["waits for", agent.prompt === null ? null : inertLine(`${agent.prompt.about}: ${agent.prompt.text}`)],
    ["held", agent.held === null ? null : inertLine(agent.held)],
    ["task", agent.taskTitle === null ? null : inertLine(agent.taskTitle)],
    ["tool", agent.currentTool === null ? null : inertLine(agent.currentTool)],
    ["queued", agent.queued === 0 ? null : String(agent.queued)],
    ["auto-approved", agent.autoApproved === 0 ? null : String(agent.autoApproved)],
    ["preset", agent.preset === null ? null : inertLine(agent.preset)],
    ["project", inertLine(agent.project)],
    ["folder", inertLine(agent.cwd)],
    ["ended", agent.exit === null ? null : inertLine(agent.exit.why)],
  ];
  return table(
    lines.flatMap(([label, value]) => (value === null ? [] : [[label, value]])),
    null,
  );
};

const seatLine = (seat: SeatResult): string => {
  const name = `${inertLine(seat.name)} (${inertLine(seat.kind)})`;
  switch (seat.result) {
    case "started":
      return `${name}: started as ${seat.id ?? "?"}\n`;
    case "already running":
      return `${name}: already running as ${seat.id ?? "?"}\n`;
    case "failed":
      return `${name}: failed: ${inertText(seat.why ?? "no reason was given")}\n`;
    default:
      return assertNever(seat.result);
  }
};

export const wordSeats = (seats: readonly SeatResult[]): string =>
  seats.length === 0 ? "The preset has no seats.\n" : seats.map(seatLine).join("");

/** A refusal in a person's words: the tools that its sentence names are verbs here. */
export const wordRefusalForPeople = (refusal: Refusal): string => {
  if (refusal.kind === "leadingCommandSign")
    return `The message starts with '${refusal.sign}', which the agent's CLI takes as a command. Put a word before it, or pass --raw if a command is what you mean.`;
  return inertText(wordRefusal(refusal).replaceAll("quay_list_agents", "quay ls"));
};

/** What went silent. */
const silenced = (remedy: Remedy): string => {
  switch (remedy) {
    case "relaunch with its server":
      return "its server cannot be reached any more";
    case "compare the PiG version":
    case "compare the Pi version":
      return "its extension does not report any more";
    case "file mailbox":
    case "relaunch with the bridge":
      return "its event bridge does not report any more";
    default:
      return assertNever(remedy);
  }
};

const advice = (remedy: Remedy, to: string, cause: string | undefined): string => {
  switch (remedy) {
    case "file mailbox":
      return "Ask it to write its answer to a file, ending with a line you agree on.";
    case "relaunch with the bridge":
      return `${cause === undefined ? "" : `Its hooks are switched off by ${inertLine(cause)}: take that back first. `}Run: quay relaunch ${shellWord(to)}`;
    case "relaunch with its server":
      return `Run: quay relaunch ${shellWord(to)}`;
    case "compare the PiG version":
      return `Quay's extension was tested on Pi ${TESTED_PI}. Compare that with the number behind the + of: pig --version`;
    case "compare the Pi version":
      return `Quay's extension was tested on Pi ${TESTED_PI}. Compare: pi --version`;
    default:
      return assertNever(remedy);
  }
};

const shellWord = (text: string): string =>
  /^[A-Za-z0-9_./-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

const names = (list: readonly string[]): string => list.map(inertLine).join(", ");
const peers = (count: number): string => `${count} ${count === 1 ? "peer" : "peers"}`;

const ended = (how: Extract<Outcome, { kind: "endedWithoutAnswer" }>["how"], detail: string): string => {
  const tail = detail === "" ? "" : `: ${inertText(detail)}`;
  switch (how) {
    case "interrupted":
      return "its turn was interrupted, so there is no answer.";
    case "cleared":
      return "its conversation was cleared, so there is no answer.";
    case "joined":
      return "the message joined a turn that was already running, so it has no answer of its own.";
    case "failed":
      return `its turn failed${tail}`;
    case "lost":
      return `Quay lost sight of the turn${tail === "" ? "." : tail}`;
    default:
      return assertNever(how);
  }
};

/** What a call came to. `ok` picks the stream and the exit code; `body` is the peer's own text. */
export type Worded = { readonly ok: boolean; readonly line: string; readonly body: string | null };

const good = (line: string): Worded => ({ ok: true, line, body: null });
const bad = (line: string): Worded => ({ ok: false, line, body: null });

/** `waited`: the person asked for the reply, so an outcome without one is a failure. */
export const wordOutcome = (outcome: Outcome, waited: boolean): Worded => {
  const undone = waited ? bad : good;
  switch (outcome.kind) {
    case "reply":
      return { ok: true, line: `Reply from ${inertLine(outcome.to)}:`, body: outcome.text };
    case "dispatched":
      return good(`Typed into ${inertLine(outcome.to)}.`);
    case "queued":
      return good(
        `Queued for ${inertLine(outcome.to)} (${inertLine(outcome.why)}). It is typed as soon as it can be; see quay trail.`,
      );
    case "stillWorking":
      return undone(
        `${inertLine(outcome.to)} got the message and is still working. Its answer will be in quay trail; see quay status ${shellWord(outcome.to)}`,
      );
    case "stillQueued":
      return undone(
        outcome.circle.length === 0
          ? `The message to ${inertLine(outcome.to)} is still queued behind its current turn and is typed when that turn ends. Follow it with: quay trail --follow`
          : `The message to ${inertLine(outcome.to)} is queued; waiting for it would close a circle of waits (${names(outcome.circle)}). Follow it with: quay trail --follow`,
      );
    case "endedWithoutAnswer":
      return undone(`${inertLine(outcome.to)} got the message, but ${ended(outcome.how, outcome.detail)}`);
    case "cannotReply":
      return undone(
        `The message is ${outcome.queued ? "queued for" : "typed into"} ${inertLine(outcome.to)}, which cannot reply through Quay. ${advice(outcome.remedy, outcome.to, outcome.cause)}`,
      );
    case "reporterLost":
      return undone(
        `${inertLine(outcome.to)} got the message, but ${silenced(outcome.remedy)}, so Quay cannot see the answer. ${advice(outcome.remedy, outcome.to, outcome.cause)}`,
      );
    case "targetExited":
      return bad(
        `${inertLine(outcome.to)} exited before it answered. Start it again with: quay relaunch ${shellWord(outcome.to)}`,
      );
    case "deliveryFailed":
      return bad(`The message could not be typed into ${inertLine(outcome.to)}: ${inertText(outcome.why)}`);
    case "abandoned":
      return bad("The engine restarted, so this wait ended. The message itself goes on; see quay trail.");
    case "broadcast":
      return wordBroadcast(outcome);
    case "refused":
      return bad(wordRefusalForPeople(outcome.refusal));
    default:
      return assertNever(outcome);
  }
};

const wordBroadcast = (outcome: Extract<Outcome, { kind: "broadcast" }>): Worded => {
  const { reached, holding, failed } = outcome;
  if (reached.length + holding.length + failed.length === 0)
    return bad("Nobody got the notice: no other peer runs in this project. See quay ls, or pass --project DIR.");
  const parts = [
    reached.length === 0 ? null : `Sent to ${peers(reached.length)}: ${names(reached)}.`,
    holding.length === 0 ? null : `Held until their turn ends: ${names(holding)}.`,
    failed.length === 0 ? null : `Could not be typed into: ${names(failed)}.`,
  ];
  const line = parts.filter((part) => part !== null).join(" ");
  return failed.length === 0 ? good(line) : bad(line);
};

/** What is left in tmux when an engine or a screen has ended. */
export const wordGoingOn = (agents: number): string => {
  if (agents === 0) return "No agent is running.";
  return agents === 1 ? "1 agent goes on in tmux." : `${agents} agents go on in tmux.`;
};
