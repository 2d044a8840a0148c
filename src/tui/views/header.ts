/** The first rows of the screen: whose it is, how many agents are in which state, and loudly what is wrong. Pure. */
import type { Snapshot } from "../../bus/views.js";
import { type Line, line, lineWidth, type Span, span, spread } from "../line.js";
import { clean, glimpse } from "../text.js";
import { counted, wordProject } from "../view-model.js";

/** Parts in the order of their worth: those that do not fit are left out from the end. */
const joinParts = (parts: readonly Span[], width: number): Line => {
  const shown: Span[] = [];
  for (const part of parts) {
    const next = shown.length === 0 ? [part] : [span("  "), part];
    if (lineWidth([...shown, ...next]) > width) break;
    shown.push(...next);
  }
  return shown;
};

export const headerView = (
  snapshot: Snapshot,
  project: string | null,
  title: string,
  width: number,
): readonly Line[] => {
  const running = snapshot.agents.filter((agent) => agent.exit === null);
  // A shell is no agent: it neither works nor waits.
  const live = running.filter((agent) => agent.level !== "not a peer");
  const others = running.length - live.length;
  const of = (status: string): number => live.filter((agent) => agent.status === status).length;
  const queued = snapshot.agents.reduce((sum, agent) => sum + agent.queued, 0);
  const parts: Span[] = [span(title, "strong")];
  if (of("waiting") > 0) parts.push(span(` ${of("waiting")} waiting on you `, "alarm"));
  parts.push(span(counted(live.length, "agent")));
  if (others > 0) parts.push(span(counted(others, "shell"), "faint"));
  if (of("working") > 0) parts.push(span(`${of("working")} working`, "busy"));
  if (of("idle") > 0) parts.push(span(`${of("idle")} idle`, "good"));
  if (queued > 0) parts.push(span(`${queued} queued`, "note"));
  if (project !== null) parts.push(span(clean(wordProject(project)), "strong"));
  const engine = span(`engine ${snapshot.engine.pid}, tmux ${clean(wordProject(snapshot.engine.socket))}`, "faint");
  const head = spread(joinParts(parts, width), [engine], width);
  return snapshot.engine.stopped === null
    ? [head]
    : [head, line(glimpse(` Nothing is typed any more: ${snapshot.engine.stopped} `, width), "alarm")];
};
