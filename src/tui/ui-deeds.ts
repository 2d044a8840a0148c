/**
 * Steps that act on agents and messages: end, relaunch, forget, cancel, type now, launch. What cannot be taken back asks
 * first. Pure: the deed itself is a request.
 */
import type { Snapshot } from "../bus/views.js";
import { type Deed, entryAt, noticed, only, type Step, selectedAgent, type Ui, type UiEvent } from "./ui.js";

/** Asks the engine for it, and says so until it answers. */
export const doDeed = (ui: Ui, command: Deed, doing: string, preset: string | null = null): Step => {
  const request = ui.requests + 1;
  return {
    ui: {
      ...ui,
      requests: request,
      overlay: { kind: "none" },
      notice: null,
      doing: [...ui.doing, { request, text: doing, preset }],
    },
    requests: [{ kind: "deed", request, command }],
  };
};

const confirm = (ui: Ui, question: string, deed: Deed, doing: string): Step =>
  only({ ...ui, notice: null, overlay: { kind: "confirm", question, deed, doing } });

export const endAgent = (ui: Ui, snapshot: Snapshot): Step => {
  const agent = selectedAgent(ui, snapshot);
  if (agent === null) return only(ui);
  if (agent.exit !== null) return noticed(ui, `${agent.name} has exited already. f drops it from the list.`);
  const queued = agent.queued > 0 ? ` Its ${agent.queued} queued will fail.` : "";
  return confirm(
    ui,
    `End ${agent.name} (${agent.kind}, ${agent.status})? Its program is closed.${queued}`,
    { kind: "kill", target: agent.id },
    `Ending ${agent.name}…`,
  );
};

export const relaunchAgent = (ui: Ui, snapshot: Snapshot): Step => {
  const agent = selectedAgent(ui, snapshot);
  if (agent === null) return only(ui);
  const deed: Deed = { kind: "relaunch", target: agent.id };
  const doing = `Starting ${agent.name} again…`;
  return agent.exit !== null
    ? doDeed(ui, deed, doing)
    : confirm(ui, `${agent.name} still runs (${agent.status}). End it and start it again?`, deed, doing);
};

export const forgetAgent = (ui: Ui, snapshot: Snapshot): Step => {
  const agent = selectedAgent(ui, snapshot);
  if (agent === null) return only(ui);
  if (agent.exit === null) return noticed(ui, `${agent.name} still runs. End it first with x.`);
  return doDeed(ui, { kind: "forget", target: agent.id }, `Dropping ${agent.name}…`);
};

export const cancelMessage = (ui: Ui, snapshot: Snapshot): Step => {
  const entry = entryAt(ui, snapshot);
  if (entry === null) return only(ui);
  if (entry.status !== "Queued")
    return noticed(ui, `Only a queued message can be cancelled; this one is ${entry.status}.`);
  return doDeed(ui, { kind: "cancel", delivery: entry.id }, `Cancelling the message to ${entry.to}…`);
};

/** The chosen entry, or the oldest that waits for the chosen agent. */
export const typeNow = (ui: Ui, snapshot: Snapshot): Step => {
  const agent = ui.focus === "agents" && ui.overlay.kind === "none" ? selectedAgent(ui, snapshot) : null;
  const entry =
    agent === null
      ? entryAt(ui, snapshot)
      : (snapshot.trail.findLast((one) => one.toId === agent.id && one.status === "Queued") ?? null);
  if (entry === null) return noticed(ui, "No message waits there.");
  if (entry.status !== "Queued") return noticed(ui, `Only a queued message can be typed; this one is ${entry.status}.`);
  return doDeed({ ...ui }, { kind: "typeNow", delivery: entry.id }, `Looking at ${entry.to}'s line…`);
};

export const copyText = (ui: Ui, snapshot: Snapshot): Step => {
  const entry = entryAt(ui, snapshot);
  if (entry === null) return only(ui);
  const what = entry.response === null ? "The message" : "The response";
  return { ui: { ...ui, notice: null }, requests: [{ kind: "copy", text: entry.response ?? entry.text, what }] };
};

/** Who has waited on the person the longest. */
export const openWaiting = (ui: Ui, snapshot: Snapshot): Step => {
  const [agent] = snapshot.agents
    .filter((one) => one.exit === null && one.status === "waiting")
    .toSorted((a, b) => (a.prompt?.since ?? 0) - (b.prompt?.since ?? 0));
  if (agent === undefined) return only({ ...ui, notice: { text: "Nobody waits on you.", isGood: true } });
  return {
    ui: { ...ui, notice: null, agent: agent.id },
    requests: [{ kind: "open", target: agent.id, name: agent.name }],
  };
};

export const takeDone = (ui: Ui, event: Extract<UiEvent, { kind: "done" }>): Ui =>
  ui.doing.some((one) => one.request === event.request)
    ? { ...ui, doing: ui.doing.filter((one) => one.request !== event.request), notice: event.notice }
    : ui;
