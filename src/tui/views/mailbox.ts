/** The mailbox as rows: agents with what they have unread, the threads below, or one thread whole. Pure. */
import type { Snapshot } from "../../bus/views.js";
import type { ThreadRow } from "../../mailbox/rules/desk.js";
import { cutLine, type Line, line, span } from "../line.js";
import { cellWidth, clean, fill, glimpse, wrap } from "../text.js";
import { chosenThread, type MailOverlay, type MailSeen } from "../ui-mailbox.js";
import { counted, wordClock, wordMark } from "../view-model.js";
import { windowOf } from "./blocks.js";

const clock = (at: string): string => wordClock(Date.parse(at));

const unread = (count: number): string => (count === 0 ? "" : `${count} unread`);

const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(cellWidth));

/** The name of the terminal that an agent runs in; empty when it runs in none of ours. */
const whereOf = (terminal: string | null, snapshot: Snapshot): string => {
  const live = snapshot.agents.find((agent) => agent.id === terminal && agent.exit === null);
  return live === undefined ? "" : `in ${clean(live.name)}`;
};

const agentRows = ({ agents }: MailSeen, snapshot: Snapshot, width: number, most: number): readonly Line[] => {
  const names = widest(agents.map(({ name }) => name));
  const rows = agents.map((agent): Line => {
    const seen = agent.active ? "active" : clock(agent.lastActiveAt);
    return cutLine(
      [
        span(`  ${fill(agent.name, names)}`, "strong"),
        span(`  ${fill(unread(agent.unreadCount), 11)}`, "note"),
        span(`  ${fill(seen, 8)}`, agent.active ? "good" : "faint"),
        span(`  ${whereOf(agent.terminal, snapshot)}`, "busy"),
        span(`  ${glimpse(agent.description ?? "", width)}`, "faint"),
      ],
      width,
    );
  });
  return rows.length <= most
    ? rows
    : [...rows.slice(0, most - 1), line(`  … and ${rows.length - most + 1} more: quay mailbox ls`, "faint")];
};

const threadBlock = (thread: ThreadRow, isChosen: boolean, who: number, width: number): readonly Line[] => [
  cutLine(
    [
      span(isChosen ? "› " : "  ", "strong"),
      span(fill(thread.between.join(" → "), who), isChosen ? "chosen" : "strong"),
      span(`  ${fill(unread(thread.unreadCount), 11)}`, "note"),
      span(`  ${clock(thread.lastAt)}`, "faint"),
      span(`  ${String(thread.messageCount).padStart(3)}`),
      span(`  ${glimpse(thread.subject ?? "(no subject)", width)}`),
    ],
    width,
  ),
];

export type Listed = { readonly rows: readonly Line[]; readonly page: number };

/** Agents take half of the height at most. */
export const mailboxView = (mail: MailOverlay, snapshot: Snapshot, width: number, height: number): Listed => {
  const { seen } = mail;
  if (seen === null) return { rows: [line(mail.fault ?? "Reading the mailbox …", "faint")], page: 1 };
  const sum = seen.agents.reduce((total, agent) => total + agent.unreadCount, 0);
  const title = `Mailbox: ${counted(seen.agents.length, "agent")}, ${sum} unread`;
  const fault = mail.fault === null ? [] : [line(glimpse(mail.fault, width), "bad")];
  const most = Math.max(1, Math.floor((height - 3) / 2));
  const agents =
    seen.agents.length === 0
      ? [line("  No agent has registered yet.", "faint")]
      : agentRows(seen, snapshot, width, most);
  const head = [line(title, "title"), ...fault, ...agents, [], line("Threads", "title")];
  const room = Math.max(0, height - head.length);
  const chosen = chosenThread(mail);
  const who = Math.min(Math.floor(width * 0.4), widest(seen.threads.map(({ between }) => between.join(" → "))));
  const blocks = seen.threads.map((thread, row) => threadBlock(thread, row === chosen, who, width));
  const threads = blocks.length === 0 ? [line("  No messages yet.", "faint")] : windowOf(blocks, chosen, room).rows;
  return { rows: [...head, ...threads], page: Math.max(1, room - 1) };
};

type Thread = NonNullable<MailOverlay["open"]>;

/** Messages of a thread that are shown: each may have 50,000 characters, which have to be wrapped. */
const SHOWN = 20;

/** The thread whole, as rows to scroll through. */
const threadRows = (thread: Thread, width: number): readonly Line[] => {
  const scan = thread.messages[0]?.scanId ?? null;
  const shown = thread.messages.slice(-SHOWN);
  const notes = [
    ...(scan === null ? [] : [`scan ${clean(scan)}`]),
    ...(shown.length < thread.messageCount
      ? [`the last ${shown.length} of ${thread.messageCount} messages; more: quay mailbox read ${thread.threadId}`]
      : []),
  ];
  return [
    line(glimpse(thread.subject ?? "(no subject)", width), "title"),
    ...wrap(notes.join(", "), width).map((row) => line(row, "faint")),
    ...shown.flatMap((message): readonly Line[] => [
      [],
      [
        span(`${message.from.name} → ${message.to.name}`, "strong"),
        span(`  ${clock(message.sentAt)}`, "faint"),
        span(`  ${wordMark(message)}`, "note"),
      ],
      ...wrap(message.content, width).map((row) => line(row)),
    ]),
  ];
};

/** Wrapping a long thread takes longer than a frame may: the last one is kept while it is the same value. */
let last: { readonly thread: Thread; readonly width: number; readonly rows: readonly Line[] } | null = null;

export const keptThread = (thread: Thread, width: number): readonly Line[] => {
  if (last?.thread !== thread || last.width !== width) last = { thread, width, rows: threadRows(thread, width) };
  return last.rows;
};
