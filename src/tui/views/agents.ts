/** The list of agents: status, name, level tag, tool, queue; those that wait on a person first and loud. Pure. */
import type { AgentView, Snapshot } from "../../bus/views.js";
import { cutLine, type Line, line, type Span, span } from "../line.js";
import { cellWidth, clean, fill, glimpse, wrap } from "../text.js";
import { agentStyle, orderAgents, tagOf, wordProject } from "../view-model.js";
import { type Block, windowOf } from "./blocks.js";

const STATUS_WIDTH = 9;
const PROMPT_ROWS = 3;
const REASON_ROWS = 3;

const wrapped = (text: string, indent: string, width: number, rows: number, style: Span["style"]): readonly Line[] => {
  const all = wrap(text.slice(0, width * (rows + 1) * 2), width - indent.length);
  const shown = all.slice(0, rows);
  return shown.map((row, index) => [
    span(indent),
    span(index === rows - 1 && all.length > rows ? `${fill(row, width - indent.length - 2).trimEnd()}…` : row, style),
  ]);
};

const headRow = (
  agent: AgentView,
  isChosen: boolean,
  hasFocus: boolean,
  nameWidth: number,
  project: string | null,
  width: number,
): Line => {
  const tag = tagOf(agent);
  const status = `${agent.status}${agent.stale ? "?" : ""}`;
  const row: Span[] = [
    span(isChosen ? "› " : "  ", "strong"),
    span(agent.status === "waiting" ? status : status.padEnd(STATUS_WIDTH), agentStyle(agent)),
    ...(agent.status === "waiting" ? [span(" ".repeat(STATUS_WIDTH - status.length))] : []),
    span(fill(clean(agent.name), nameWidth), isChosen && hasFocus ? "chosen" : "strong"),
  ];
  if (tag !== null) row.push(span(" "), span(`[${tag}]`, "note"));
  if (agent.queued > 0) row.push(span(`  ${agent.queued} queued`, "note"));
  if (agent.currentTool !== null && agent.exit === null) row.push(span(`  ${glimpse(agent.currentTool, 24)}`, "busy"));
  if (project !== null) row.push(span(`  ${clean(project)}`, "faint"));
  return cutLine(row, width);
};

/** mission-control:listener-tag: the reason stands under the agent, whole when it is the chosen one. */
const blockOf = (agent: AgentView, isChosen: boolean, isRoomy: boolean, head: Line, width: number): Block => {
  const indent = "    ";
  const rows: Line[] = [head];
  if (agent.prompt !== null) {
    rows.push(
      ...wrapped(`WAITS ON YOU (${agent.prompt.about}): ${agent.prompt.text}`, indent, width, PROMPT_ROWS, "alarm"),
    );
  }
  if (agent.held !== null) rows.push(line(indent + glimpse(`held: ${agent.held}`, width - indent.length), "bad"));
  if (isRoomy && agent.taskTitle !== null && agent.exit === null) {
    rows.push(line(indent + glimpse(agent.taskTitle, width - indent.length), "faint"));
  }
  if (agent.stale && isRoomy)
    rows.push(
      line(indent + glimpse("tmux does not answer; this is the last known status", width - indent.length), "bad"),
    );
  if (agent.demoted !== null && agent.exit === null) {
    if (isChosen) rows.push(...wrapped(agent.demoted, indent, width, REASON_ROWS, "note"));
    else if (isRoomy) rows.push(line(indent + glimpse(agent.demoted, width - indent.length), "note"));
  }
  if (agent.exit !== null && isRoomy) rows.push(line(indent + glimpse(agent.exit.why, width - indent.length), "faint"));
  return rows;
};

export const agentsView = (
  snapshot: Snapshot,
  chosen: string | null,
  hasFocus: boolean,
  width: number,
  height: number,
  isSearched = false,
): readonly Line[] => {
  const agents = orderAgents(snapshot.agents);
  const title: Line = [span(`Agents ${agents.length}`, hasFocus ? "title" : "strong")];
  if (agents.length === 0) {
    const why = isSearched
      ? "No agent is found. Esc shows all."
      : "No agent yet. Ctrl+K launches a preset or one agent; so do `quay up PRESET` and `quay new KIND --name NAME`.";
    const advice = wrap(why, width);
    return [title, ...advice.map((row) => line(row, "faint"))].slice(0, height);
  }
  const longest = Math.max(...agents.map((agent) => cellWidth(clean(agent.name))));
  const nameWidth = Math.max(4, Math.min(longest, 24, width - STATUS_WIDTH - 3));
  const hasSeveralProjects = new Set(agents.map((agent) => agent.project)).size > 1;
  const blocks = (isRoomy: boolean): readonly Block[] =>
    agents.map((agent) => {
      const isChosen = agent.id === chosen;
      const project = hasSeveralProjects ? wordProject(agent.project) : null;
      return blockOf(agent, isChosen, isRoomy, headRow(agent, isChosen, hasFocus, nameWidth, project, width), width);
    });
  const roomy = blocks(true);
  const rowsLeft = height - 1;
  const fits = roomy.reduce((sum, block) => sum + block.length, 0) <= rowsLeft;
  const at = agents.findIndex((agent) => agent.id === chosen);
  const seen = windowOf(fits ? roomy : blocks(false), at, rowsLeft);
  const hidden = agents.length - 1 - seen.last;
  const more = seen.first > 0 || hidden > 0 ? `  ${seen.first} above, ${Math.max(0, hidden)} below` : "";
  return [[...title, span(more, "faint")], ...seen.rows];
};

/** Rows that the whole list would take, title included. */
export const agentsHeight = (snapshot: Snapshot, chosen: string | null, width: number): number =>
  agentsView(snapshot, chosen, false, width, 1000).length;
