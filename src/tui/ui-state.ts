/**
 * One pure step per event: the next state and what is asked of the outside (send, open, leave). It knows no key but
 * through the key table, and no stream. The parts are in ui-moving, ui-writing, ui-deeds and ui-choosing.
 */
import type { Snapshot } from "../bus/views.js";
import { edit, insert } from "./draft.js";
import type { KeyEvent } from "./input.js";
import { type Action, actionOf, MISSION_ONLY } from "./keymap.js";
import {
  contextOf,
  entryAt,
  noticed,
  only,
  type Reach,
  type Step,
  selectedAgent,
  type Ui,
  type UiEvent,
} from "./ui.js";
import { accept, editQuery, openPalette, typeQuery } from "./ui-choosing.js";
import {
  cancelMessage,
  copyText,
  endAgent,
  forgetAgent,
  openWaiting,
  relaunchAgent,
  takeDone,
  typeNow,
} from "./ui-deeds.js";
import { leaveMailbox, showMailbox, showThread, takeMail } from "./ui-mailbox.js";
import { move, movement } from "./ui-moving.js";
import { changeSender, changeTarget, editDraft, openComposer, recall, send, takeAnswer } from "./ui-writing.js";

const goBack = (ui: Ui): Step => {
  const { overlay } = ui;
  if (overlay.kind === "help") return only({ ...ui, overlay: overlay.under });
  if (ui.composer !== null) return only({ ...ui, composer: null, notice: null, recalled: null });
  if (overlay.kind === "mailbox") return only(leaveMailbox(ui, overlay));
  if (overlay.kind !== "none") return only({ ...ui, overlay: { kind: "none" } });
  if (ui.isFiltering || ui.filters[ui.focus] !== "") {
    return only({ ...ui, isFiltering: false, filters: { ...ui.filters, [ui.focus]: "" } });
  }
  const atRest: Ui = { ...ui, notice: null, entry: null, focus: ui.screen === "mission" ? "agents" : "trail" };
  return { ui: atRest, requests: ui.goesBack && ui.notice === null ? [{ kind: "leave" }] : [] };
};

const openChosen = (ui: Ui, snapshot: Snapshot): Step => {
  const agent = selectedAgent(ui, snapshot);
  if (agent === null) return only(ui);
  if (agent.exit !== null) return noticed(ui, `${agent.name} has exited. r starts it again, f drops it from the list.`);
  return { ui: { ...ui, notice: null }, requests: [{ kind: "open", target: agent.id, name: agent.name }] };
};

const look = (ui: Ui, snapshot: Snapshot): Step => {
  const agent = selectedAgent(ui, snapshot);
  if (agent === null) return only(ui);
  if (agent.exit !== null) return noticed(ui, `${agent.name} has exited; there is no screen to see.`);
  return only({ ...ui, notice: null, overlay: { kind: "look", id: agent.id, name: agent.name, ansi: null } });
};

const showEntry = (ui: Ui, snapshot: Snapshot): Step => {
  const entry = entryAt(ui, snapshot);
  if (entry === null) return only(ui);
  return {
    ui: { ...ui, overlay: { kind: "entry", id: entry.id, scroll: 0, proof: null } },
    requests: [{ kind: "prove", id: entry.id }],
  };
};

export const act = (ui: Ui, action: Action, reach: Reach, snapshot: Snapshot): Step => {
  if (ui.screen === "trail" && MISSION_ONLY.has(action)) return only(ui);
  const by = movement(action, reach.page);
  if (by !== null) return only(move(ui, by, reach, snapshot));
  switch (action) {
    case "switchPane":
      return only({ ...ui, focus: ui.focus === "agents" ? "trail" : "agents" });
    case "openTerminal":
      return openChosen(ui, snapshot);
    case "openWaiting":
      return openWaiting(ui, snapshot);
    case "showEntry":
      return showEntry(ui, snapshot);
    case "showMailbox":
      return showMailbox(ui);
    case "showThread":
      return ui.overlay.kind === "mailbox" ? showThread(ui, ui.overlay) : only(ui);
    case "writeMessage":
      return only(openComposer(ui, "message", snapshot));
    case "writeBroadcast":
      return only(openComposer(ui, "broadcast", snapshot));
    case "showHelp":
      return only({ ...ui, overlay: { kind: "help", scroll: 0, under: ui.overlay } });
    case "back":
      return goBack(ui);
    case "leave":
      return { ui, requests: [{ kind: "leave" }] };
    case "redraw":
      return { ui, requests: [{ kind: "redraw" }] };
    case "send":
      return send(ui, snapshot);
    case "nextTarget":
      return only(changeTarget(ui, 1, snapshot));
    case "previousTarget":
      return only(changeTarget(ui, -1, snapshot));
    case "changeSender":
      return only(changeSender(ui, snapshot));
    case "recallOlder":
      return only(recall(ui, 1));
    case "recallNewer":
      return only(recall(ui, -1));
    case "endAgent":
      return endAgent(ui, snapshot);
    case "relaunchAgent":
      return relaunchAgent(ui, snapshot);
    case "forgetAgent":
      return forgetAgent(ui, snapshot);
    case "cancelMessage":
      return cancelMessage(ui, snapshot);
    case "typeNow":
      return typeNow(ui, snapshot);
    case "copyText":
      return copyText(ui, snapshot);
    case "look":
      return look(ui, snapshot);
    case "search":
      return only({ ...ui, isFiltering: true, notice: null });
    case "openPalette":
      return only(openPalette(ui));
    case "accept":
      return accept(ui, reach, snapshot, act);
    default:
      return only(
        ui.composer === null ? editQuery(ui, action) : editDraft(ui, ui.composer.form, (draft) => edit(draft, action)),
      );
  }
};

const takeInput = (ui: Ui, input: KeyEvent, reach: Reach, snapshot: Snapshot): Step => {
  const context = contextOf(ui);
  const form = context === "composer" ? ui.composer?.form : undefined;
  if (input.kind === "paste") {
    return only(
      form === undefined ? typeQuery(ui, input.text) : editDraft(ui, form, (draft) => insert(draft, input.text)),
    );
  }
  const action = actionOf(context, input.key);
  if (action !== null) return act(ui, action, reach, snapshot);
  if (Array.from(input.key).length !== 1) return only(ui);
  return only(form === undefined ? typeQuery(ui, input.key) : editDraft(ui, form, (draft) => insert(draft, input.key)));
};

/** Toasts kept at most; the oldest gives way. */
const TOASTS = 4;

export const step = (ui: Ui, event: UiEvent, snapshot: Snapshot): Step => {
  switch (event.kind) {
    case "input":
      return takeInput(ui, event.input, event.reach, snapshot);
    case "answered":
      return only(takeAnswer(ui, event));
    case "done":
      return only(takeDone(ui, event));
    case "proved": {
      const { overlay } = ui;
      const isOpen = overlay.kind === "entry" && overlay.id === event.id;
      return only(isOpen ? { ...ui, overlay: { ...overlay, proof: event.proof } } : ui);
    }
    case "looked": {
      const { overlay } = ui;
      const isOpen = overlay.kind === "look" && overlay.id === event.id;
      return only(isOpen ? { ...ui, overlay: { ...overlay, ansi: event.ansi } } : ui);
    }
    case "noticed":
      return only({ ...ui, notice: event.notice });
    case "toastRaised":
      return only({ ...ui, toasts: [...ui.toasts, event.text].slice(-TOASTS) });
    case "toastFaded":
      return only({ ...ui, toasts: ui.toasts.slice(1) });
    case "mailboxRead":
    case "threadRead":
    case "mailboxFailed":
      return only(takeMail(ui, event));
    case "engineChanged":
      return only(ui.gone === null ? ui : { ...ui, gone: null });
    case "engineGone":
      return only({ ...ui, gone: event.why });
  }
};
