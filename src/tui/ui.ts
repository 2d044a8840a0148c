/**
 * What the screen remembers beside the engine's snapshot, the events that change it and what it asks of the outside, as
 * types; and what is chosen and shown, read from both. The steps are in ui-state.ts. Pure.
 */
import type { AgentView, Snapshot, TrailView } from "../bus/views.js";
import type { Answers, Command } from "../engine/client.js";
import { type Draft, emptyDraft } from "./draft.js";
import type { KeyEvent } from "./input.js";
import type { Context } from "./keymap.js";
import { matches } from "./search.js";
import type { MailEvent, MailOverlay, MailRequest } from "./ui-mailbox.js";
import { orderAgents } from "./view-model.js";

export type Proof = Answers["explain"]["proof"];

export type Form = "message" | "broadcast";

export type Pane = "agents" | "trail";

/** A command of the engine that a person asked for by a key, beside messages. */
export type Deed = Extract<
  Command,
  { readonly kind: "kill" | "relaunch" | "forget" | "cancel" | "typeNow" | "up" | "launch" }
>;

export type Overlay =
  | { readonly kind: "none" }
  | { readonly kind: "help"; readonly scroll: number; readonly under: Overlay }
  | { readonly kind: "entry"; readonly id: string; readonly scroll: number; readonly proof: Proof | null }
  /** Asks before something that cannot be taken back. */
  | { readonly kind: "confirm"; readonly question: string; readonly doing: string; readonly deed: Deed }
  | { readonly kind: "palette"; readonly query: string; readonly chosen: number }
  /** The screen of an agent, looked at while this is open; null: not seen yet. */
  | { readonly kind: "look"; readonly id: string; readonly name: string; readonly ansi: string | null }
  /** The name of a single agent to launch. */
  | { readonly kind: "naming"; readonly runKind: string; readonly name: string }
  | MailOverlay;

export type Notice = { readonly text: string; readonly isGood: boolean };

/** A call of ours that the engine has not answered. */
export type Pending = {
  readonly request: number;
  readonly form: Form;
  readonly target: string | null;
  readonly as: string | null;
  readonly to: string;
  readonly text: string;
};

/** A deed that the engine has not answered, as the status row says it. */
export type Doing = { readonly request: number; readonly text: string; readonly preset: string | null };

export type Ui = {
  /** mission: the whole screen. trail: only the trail, for a side pane. */
  readonly screen: "mission" | "trail";
  /** The person's folder: presets and agents are launched there. */
  readonly cwd: string;
  /** Leaving it shows what the person saw before, and it goes on: tmux's key opened it. */
  readonly goesBack: boolean;
  readonly focus: Pane;
  /** Terminal id; null: the first of the list. */
  readonly agent: string | null;
  /** Trail entry id; null: the newest, also when newer ones come. */
  readonly entry: string | null;
  readonly overlay: Overlay;
  /** The open text box; `as`: the agent in whose name a message is sent, null: You. */
  readonly composer: { readonly form: Form; readonly target: string | null; readonly as: string | null } | null;
  readonly drafts: Readonly<Record<Form, Draft>>;
  /** Texts sent from here, the newest first. */
  readonly written: readonly string[];
  /** Which of them stands in the box, and what stood there before. */
  readonly recalled: { readonly at: number; readonly kept: Draft } | null;
  /** What each pane is searched for; empty: it shows all. */
  readonly filters: Readonly<Record<Pane, string>>;
  /** Letters go into the filter of the pane with the focus. */
  readonly isFiltering: boolean;
  readonly pending: readonly Pending[];
  readonly doing: readonly Doing[];
  readonly notice: Notice | null;
  readonly toasts: readonly string[];
  /** The engine went away, and why; the trail pane stays and waits for it. */
  readonly gone: string | null;
  readonly requests: number;
};

export const firstUi = (screen: Ui["screen"], cwd = "/", goesBack = false): Ui => ({
  screen,
  cwd,
  goesBack,
  focus: screen === "mission" ? "agents" : "trail",
  agent: null,
  entry: null,
  overlay: { kind: "none" },
  composer: null,
  drafts: { message: emptyDraft, broadcast: emptyDraft },
  written: [],
  recalled: null,
  filters: { agents: "", trail: "" },
  isFiltering: false,
  pending: [],
  doing: [],
  notice: null,
  toasts: [],
  gone: null,
  requests: 0,
});

/** What the last frame can show: rows of a page, and how far the open text scrolls. */
export type Reach = { readonly page: number; readonly end: number };

/** `value` as a row from 0 to `top`; 0 when there is no row. */
export const clamp = (value: number, top: number): number => Math.min(Math.max(0, value), Math.max(0, top));

export type UiEvent =
  | { readonly kind: "input"; readonly input: KeyEvent; readonly reach: Reach }
  | { readonly kind: "answered"; readonly request: number; readonly notice: Notice; readonly refused: boolean }
  | { readonly kind: "done"; readonly request: number; readonly notice: Notice }
  | { readonly kind: "proved"; readonly id: string; readonly proof: Proof }
  | { readonly kind: "looked"; readonly id: string; readonly ansi: string }
  | { readonly kind: "noticed"; readonly notice: Notice }
  | { readonly kind: "toastRaised"; readonly text: string }
  | { readonly kind: "toastFaded" }
  | { readonly kind: "engineChanged" }
  | { readonly kind: "engineGone"; readonly why: string }
  | MailEvent;

export type Request =
  | {
      readonly kind: "send";
      readonly request: number;
      readonly as: string | null;
      readonly target: string;
      readonly text: string;
    }
  | { readonly kind: "broadcast"; readonly request: number; readonly project: string; readonly text: string }
  | { readonly kind: "deed"; readonly request: number; readonly command: Deed }
  | { readonly kind: "prove"; readonly id: string }
  | { readonly kind: "open"; readonly target: string; readonly name: string }
  | { readonly kind: "copy"; readonly text: string; readonly what: string }
  | { readonly kind: "leave" }
  | { readonly kind: "redraw" }
  | MailRequest;

export type Step = { readonly ui: Ui; readonly requests: readonly Request[] };

export const only = (ui: Ui): Step => ({ ui, requests: [] });

export const noticed = (ui: Ui, text: string): Step => only({ ...ui, notice: { text, isGood: false } });

export const contextOf = (ui: Ui): Context => {
  if (ui.overlay.kind === "help") return "help";
  if (ui.composer !== null) return "composer";
  if (ui.overlay.kind === "none") return ui.isFiltering ? "filter" : ui.focus;
  return ui.overlay.kind;
};

/** The agents and entries that the filters let through; agents in the order of the screen. */
export const shownAgents = (ui: Ui, snapshot: Snapshot): readonly AgentView[] => {
  const ordered = orderAgents(snapshot.agents);
  const query = ui.filters.agents;
  return query === ""
    ? ordered
    : ordered.filter((one) => matches(query, [one.name, one.kind, one.status, one.level, one.project, one.taskTitle]));
};

let lastSearch: { trail: readonly TrailView[]; query: string; found: readonly TrailView[] } | null = null;
/** Messages are long: the last search is kept while the trail is the same. */
export const shownTrail = (ui: Ui, snapshot: Snapshot): readonly TrailView[] => {
  const query = ui.filters.trail;
  const { trail } = snapshot;
  if (query === "") return trail;
  if (lastSearch?.trail === trail && lastSearch.query === query) return lastSearch.found;
  const found = trail.filter((one) =>
    matches(query, [one.from, one.to, one.status, one.tag, one.text, one.response, ...one.notes]),
  );
  lastSearch = { trail, query, found };
  return found;
};

export const selectedAgent = (ui: Ui, snapshot: Snapshot): AgentView | null => {
  const shown = shownAgents(ui, snapshot);
  return shown.find((agent) => agent.id === ui.agent) ?? shown[0] ?? null;
};

/** The project a broadcast goes to: the selected agent's (DECISIONS A15). */
export const activeProject = (ui: Ui, snapshot: Snapshot): string | null =>
  selectedAgent(ui, snapshot)?.project ?? null;

export const selectedEntry = (ui: Ui, snapshot: Snapshot): number =>
  ui.entry === null
    ? 0
    : Math.max(
        0,
        shownTrail(ui, snapshot).findIndex((entry) => entry.id === ui.entry),
      );

/** The entry that a key is about: the open one, or the chosen one. */
export const entryAt = (ui: Ui, snapshot: Snapshot): TrailView | null => {
  const { overlay } = ui;
  if (overlay.kind === "entry") return snapshot.trail.find((one) => one.id === overlay.id) ?? null;
  return shownTrail(ui, snapshot)[selectedEntry(ui, snapshot)] ?? null;
};
