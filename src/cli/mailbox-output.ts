/** What `quay mailbox` prints for people. Pure: from views to text in which nothing that an agent wrote moves the cursor. */
import type { DeskAnswers, ThreadRow } from "../mailbox/rules/desk.js";
import type { MarkResult, MessageView } from "../mailbox/rules/views.js";
import { table } from "./output.js";
import { inertLine, inertText, wordMark } from "./screen.js";

const ago = (at: string, now: number): string => {
  const seconds = Math.max(0, Math.round((now - Date.parse(at)) / 1_000));
  if (seconds < 60) return `${seconds}s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m ago`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)}h ago` : `${Math.floor(seconds / 86_400)}d ago`;
};

const titleOf = (subject: string | null, content = ""): string =>
  inertLine(subject ?? content.trimStart().split("\n", 1)[0] ?? "");

const count = (number: number): string => (number === 0 ? "" : String(number));

export const wordMailboxAgents = (
  { agents }: DeskAnswers["agents"],
  threads: readonly ThreadRow[],
  now: number,
  columns: number | null,
): string => {
  if (agents.length === 0) {
    return "No agent has registered yet. Each calls agent_register; see quay mailbox connect --help for clients outside Quay.\n";
  }
  const rows = agents.map((agent) => [
    agent.name,
    agent.active ? "active" : ago(agent.lastActiveAt, now),
    count(agent.unreadCount),
    count(agent.sessionCount),
    inertLine(agent.kind ?? ""),
    agent.terminal ?? "",
    agent.agentId,
    inertLine(agent.description ?? ""),
  ]);
  const head = ["AGENT", "SEEN", "UNREAD", "SESSIONS", "KIND", "TERMINAL", "ID", "DESCRIPTION"];
  const recent = threads.map((thread) => [
    thread.between.join(" > "),
    String(thread.messageCount),
    count(thread.unreadCount),
    ago(thread.lastAt, now),
    thread.threadId,
    titleOf(thread.subject),
  ]);
  const below =
    recent.length === 0
      ? ""
      : `\n${table([["THREAD", "MESSAGES", "UNREAD", "LAST", "ID", "SUBJECT"], ...recent], columns)}`;
  return table([head, ...rows], columns) + below;
};

export const wordMail = (mail: DeskAnswers["mail"], now: number, columns: number | null): string => {
  if (mail.messages.length === 0) return "No messages.\n";
  const rows = mail.messages.map((message) => [
    message.from.name,
    wordMark(message),
    ago(message.sentAt, now),
    message.messageId,
    titleOf(message.subject, message.content),
  ]);
  const sum = `${mail.total} ${mail.total === 1 ? "message" : "messages"}, ${mail.unread} unread.\n`;
  return table([["FROM", "STATE", "SENT", "ID", "SUBJECT"], ...rows], columns) + sum;
};

const wordMessage = (message: MessageView): string =>
  [
    `${message.from.name} > ${message.to.name}  ${message.sentAt}  ${wordMark(message)}  ${message.messageId}`,
    inertText(message.content.replace(/\s+$/u, "")).replace(/^(?=.)/gmu, "  "),
    "",
  ].join("\n");

export const wordThread = (thread: DeskAnswers["read"]): string => {
  const scan = thread.messages[0]?.scanId ?? null;
  const head = [
    thread.subject === null ? thread.threadId : `${inertLine(thread.subject)}  (${thread.threadId})`,
    ...(scan === null ? [] : [`scan ${inertLine(scan)}`]),
    ...(thread.hasMore ? [`The last ${thread.messages.length} of ${thread.messageCount} messages.`] : []),
  ];
  return `${head.join("\n")}\n\n${thread.messages.map(wordMessage).join("\n")}`;
};

export const wordMarks = (results: readonly MarkResult[]): string =>
  results
    .map((result) => {
      if ("error" in result) return `${inertLine(result.messageId)}: ${result.error}\n`;
      return `${result.messageId}: ${result.ackAt === null ? "read" : "ack"}\n`;
    })
    .join("");
