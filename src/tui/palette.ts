/**
 * The palette's rows: the actions of the pane that it was opened on, presets and single agents to launch, and agents to
 * go to. Made from the key table and the snapshot; what a row does is an action, a deed or a view. Pure.
 */
import type { AgentView, PresetView, Snapshot } from "../bus/views.js";
import { type Action, bindings, wordKeys } from "./keymap.js";
import { matches } from "./search.js";
import type { Ui } from "./ui.js";
import { counted } from "./view-model.js";

export type PaletteItem = {
  readonly title: string;
  readonly detail: string;
  readonly run:
    | { readonly kind: "action"; readonly action: Action }
    | { readonly kind: "launchPreset"; readonly preset: PresetView }
    | { readonly kind: "badPreset"; readonly why: string }
    | { readonly kind: "nameAgent"; readonly runKind: string }
    | { readonly kind: "goTo"; readonly agent: AgentView };
};

/** Moving about is done with keys: it would only fill the list. */
const MOVES: readonly Action[] = ["previous", "next", "pageUp", "pageDown", "first", "last", "back", "openPalette"];

const actions = (ui: Ui): readonly PaletteItem[] =>
  bindings
    .filter((one) => one.contexts.includes(ui.focus) && !MOVES.includes(one.action))
    .map((one) => ({
      title: one.does,
      detail: wordKeys(one.keys),
      run: { kind: "action", action: one.action },
    }));

const presetItem = (preset: PresetView): PaletteItem =>
  preset.error === null
    ? {
        title: `Launch ${preset.name}: ${preset.description}`,
        detail: `${preset.origin}; ${counted(preset.seats.length, "seat")}: ${preset.seats.map((seat) => `${seat.name} (${seat.kind})`).join(", ")}`,
        run: { kind: "launchPreset", preset },
      }
    : {
        title: `Preset ${preset.name} cannot be used`,
        detail: preset.error,
        run: { kind: "badPreset", why: preset.error },
      };

/** Presets first: they are what a person without agents looks for. */
const all = (ui: Ui, snapshot: Snapshot): readonly PaletteItem[] => [
  ...snapshot.presets.map(presetItem),
  ...snapshot.runKinds.map(
    (runKind): PaletteItem => ({
      title: `Launch one agent: ${runKind}`,
      detail: "asks for its name",
      run: { kind: "nameAgent", runKind },
    }),
  ),
  ...actions(ui),
  ...snapshot.agents.map(
    (agent): PaletteItem => ({
      title: `Go to ${agent.name}`,
      detail: `${agent.kind}, ${agent.status}`,
      run: { kind: "goTo", agent },
    }),
  ),
];

export const paletteItems = (ui: Ui, snapshot: Snapshot): readonly PaletteItem[] => {
  const query = ui.overlay.kind === "palette" ? ui.overlay.query : "";
  return all(ui, snapshot).filter((item) => matches(query, [item.title, item.detail]));
};
