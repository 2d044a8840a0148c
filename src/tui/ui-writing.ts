/** Steps of the text box: opening it, to whom and in whose name, what was written before, sending. Pure. */
import type { Snapshot } from "../bus/views.js";
import { type Draft, emptyDraft } from "./draft.js";
import { activeProject, type Form, only, type Step, selectedAgent, type Ui, type UiEvent } from "./ui.js";
import { orderAgents, recipients } from "./view-model.js";

/** Texts sent that can be had back. */
const WRITTEN = 50;

export const openComposer = (ui: Ui, form: Form, snapshot: Snapshot): Ui => {
  const live = recipients(snapshot.agents);
  if (live.length === 0) {
    return {
      ...ui,
      notice: {
        text: "No peer is running. Launch some with Ctrl+K, or with `quay up PRESET`.",
        isGood: false,
      },
    };
  }
  const chosen = live.find((agent) => agent.id === selectedAgent(ui, snapshot)?.id) ?? live[0];
  return {
    ...ui,
    notice: null,
    overlay: { kind: "none" },
    composer: { form, target: form === "message" ? (chosen?.id ?? null) : null, as: null },
  };
};

export const changeTarget = (ui: Ui, by: number, snapshot: Snapshot): Ui => {
  if (ui.composer?.form !== "message") return ui;
  const live = recipients(orderAgents(snapshot.agents));
  if (live.length === 0) return ui;
  const at = live.findIndex((agent) => agent.id === ui.composer?.target);
  const target = live[(at + by + live.length) % live.length]?.id ?? null;
  return { ...ui, composer: { ...ui.composer, target }, agent: target };
};

export const send = (ui: Ui, snapshot: Snapshot): Step => {
  if (ui.composer === null) return only(ui);
  const { form, target, as } = ui.composer;
  const { text } = ui.drafts[form];
  if (text.trim() === "")
    return only({ ...ui, notice: { text: "Nothing is written yet. Esc goes back.", isGood: false } });
  const request = ui.requests + 1;
  const project = activeProject(ui, snapshot);
  const to = form === "message" ? (snapshot.agents.find((agent) => agent.id === target)?.name ?? target) : project;
  if (to === null || (form === "message" && target === null)) {
    return only({ ...ui, notice: { text: "That agent is gone. Choose another with Tab.", isGood: false } });
  }
  return {
    ui: {
      ...ui,
      requests: request,
      composer: null,
      notice: null,
      drafts: { ...ui.drafts, [form]: emptyDraft },
      written: [text, ...ui.written.filter((one) => one !== text)].slice(0, WRITTEN),
      recalled: null,
      pending: [...ui.pending, { request, form, target, as, to, text }],
    },
    requests: [
      form === "message"
        ? { kind: "send", request, as, target: target as string, text }
        : { kind: "broadcast", request, project: to, text },
    ],
  };
};

export const editDraft = (ui: Ui, form: Form, change: (draft: Draft) => Draft): Ui => ({
  ...ui,
  notice: null,
  drafts: { ...ui.drafts, [form]: change(ui.drafts[form]) },
});

/** A text that was refused comes back into the box, unless another has been begun there. */
export const takeAnswer = (ui: Ui, event: Extract<UiEvent, { kind: "answered" }>): Ui => {
  const asked = ui.pending.find((pending) => pending.request === event.request);
  if (asked === undefined) return ui;
  const next: Ui = { ...ui, pending: ui.pending.filter((pending) => pending !== asked), notice: event.notice };
  if (!event.refused || ui.drafts[asked.form].text !== "") return next;
  const isFree = ui.composer === null && ui.overlay.kind === "none";
  return {
    ...next,
    drafts: { ...ui.drafts, [asked.form]: { text: asked.text, cursor: asked.text.length } },
    composer: isFree ? { form: asked.form, target: asked.target, as: asked.as } : ui.composer,
  };
};

/** From You to each running agent in turn, and round again. */
export const changeSender = (ui: Ui, snapshot: Snapshot): Ui => {
  if (ui.composer?.form !== "message") return ui;
  const { target, as } = ui.composer;
  const senders = [null, ...recipients(orderAgents(snapshot.agents)).map((agent) => agent.id)].filter(
    (id) => id === null || id !== target,
  );
  const next = senders[(senders.indexOf(as) + 1) % senders.length] ?? null;
  return { ...ui, composer: { ...ui.composer, as: next } };
};

/** By 1 to the text sent before, by -1 back towards what is being written. */
export const recall = (ui: Ui, by: number): Ui => {
  if (ui.composer === null) return ui;
  const { form } = ui.composer;
  const at = (ui.recalled?.at ?? -1) + by;
  if (at >= ui.written.length || (at < 0 && ui.recalled === null)) return ui;
  const kept = ui.recalled?.kept ?? ui.drafts[form];
  const text = ui.written[at] ?? "";
  const draft: Draft = at < 0 ? kept : { text, cursor: text.length };
  return { ...ui, recalled: at < 0 ? null : { at, kept }, drafts: { ...ui.drafts, [form]: draft } };
};
