/** Steps of the search, the palette, the naming of an agent and the question: what is typed there, and taking it. Pure. */
import type { Snapshot } from "../bus/views.js";
import type { Action } from "./keymap.js";
import { paletteItems } from "./palette.js";
import { noticed, only, type Reach, type Step, type Ui } from "./ui.js";
import { doDeed } from "./ui-deeds.js";

/** A search or a name needs no more. */
const LONGEST = 100;

export const openPalette = (ui: Ui): Ui => ({
  ...ui,
  notice: null,
  overlay: { kind: "palette", query: "", chosen: 0 },
});

const withQuery = (ui: Ui, change: (query: string) => string): Ui => {
  const { overlay } = ui;
  if (overlay.kind === "palette") return { ...ui, overlay: { ...overlay, query: change(overlay.query), chosen: 0 } };
  if (overlay.kind === "naming") return { ...ui, notice: null, overlay: { ...overlay, name: change(overlay.name) } };
  if (overlay.kind !== "none" || !ui.isFiltering) return ui;
  const query = change(ui.filters[ui.focus]);
  return { ...ui, filters: { ...ui.filters, [ui.focus]: query }, ...(ui.focus === "trail" ? { entry: null } : {}) };
};

export const typeQuery = (ui: Ui, text: string): Ui =>
  withQuery(ui, (query) => (query + text.replace(/\s+/g, " ")).slice(0, LONGEST));

export const editQuery = (ui: Ui, action: Action): Ui => {
  if (action === "eraseBack") return withQuery(ui, (query) => Array.from(query).slice(0, -1).join(""));
  if (action === "eraseToStart") return withQuery(ui, () => "");
  return ui;
};

type Act = (ui: Ui, action: Action, reach: Reach, snapshot: Snapshot) => Step;

const runChosen = (ui: Ui, reach: Reach, snapshot: Snapshot, act: Act): Step => {
  if (ui.overlay.kind !== "palette") return only(ui);
  const item = paletteItems(ui, snapshot)[ui.overlay.chosen];
  if (item === undefined) return noticed(ui, "Nothing is called that. Esc goes back.");
  const closed: Ui = { ...ui, overlay: { kind: "none" } };
  switch (item.run.kind) {
    case "action":
      return act(closed, item.run.action, reach, snapshot);
    case "launchPreset": {
      const { name } = item.run.preset;
      return doDeed(closed, { kind: "up", preset: name, cwd: ui.cwd }, `Launching ${name}…`, name);
    }
    case "badPreset":
      return noticed(closed, item.run.why);
    case "nameAgent":
      return only({ ...ui, notice: null, overlay: { kind: "naming", runKind: item.run.runKind, name: "" } });
    case "goTo":
      return only({ ...closed, focus: "agents", agent: item.run.agent.id, filters: { ...ui.filters, agents: "" } });
  }
};

/** Enter: keeps the search, runs the chosen row, launches under this name; `y`: does what was asked. */
export const accept = (ui: Ui, reach: Reach, snapshot: Snapshot, act: Act): Step => {
  const { overlay } = ui;
  if (overlay.kind === "palette") return runChosen(ui, reach, snapshot, act);
  if (overlay.kind === "confirm") return doDeed(ui, overlay.deed, overlay.doing);
  if (overlay.kind !== "naming") return only({ ...ui, isFiltering: false });
  const name = overlay.name.trim();
  if (name === "") return noticed(ui, "Type a name for the agent first. Esc goes back.");
  const { runKind: kind } = overlay;
  const seat = { name, kind, cwd: ui.cwd, args: [], env: {}, prompt: null, preset: null };
  return doDeed(ui, { kind: "launch", seat }, `Launching ${name}…`);
};
