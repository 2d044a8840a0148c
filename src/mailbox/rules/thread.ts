/** Who may see a message, whom an answer goes to, when it is dated, and how its state moves. Pure: ids and times come in. */

import { ACTIVE_MS } from "./limits.js";
import type { AgentRecord, Marks, MessageRecord, Party } from "./records.js";

/** "You can read a message only when you sent it or it is addressed to you." */
export const maySee = (message: Pick<MessageRecord, "from" | "to">, agent: string): boolean =>
  message.from.id === agent || message.to.id === agent;

/** Whom a reply goes to: the other party, also when one answers a message of one's own (DECISIONS B25). */
export const answerTo = (message: Pick<MessageRecord, "from" | "to">, agent: string): Party =>
  message.from.id === agent ? message.to : message.from;

/** Dates rise strictly within a thread, so that `since` pages without loss (DECISIONS B26). */
export const dateAfter = (lastInThread: number | null, now: number): number =>
  lastInThread === null ? now : Math.max(now, lastInThread + 1);

export type MarkStatus = "read" | "ack";

/** "ack implies read. State only moves forward": what was set stays as it was first set. */
export const advance = (marks: Marks, status: MarkStatus, now: number): Marks => ({
  readAt: marks.readAt ?? now,
  ackAt: status === "ack" ? (marks.ackAt ?? now) : marks.ackAt,
});

export const isActive = (agent: Pick<AgentRecord, "activeAt">, now: number): boolean =>
  now - agent.activeAt < ACTIVE_MS;

/** agent_list's `query`: "a substring on name or description", in any case. */
export const isMatch = (agent: Pick<AgentRecord, "name" | "description">, query: string): boolean => {
  const wanted = query.toLowerCase();
  return agent.name.includes(wanted) || (agent.description?.toLowerCase().includes(wanted) ?? false);
};
