/** Steps through lists, texts and panes. Pure. */
import type { Snapshot } from "../bus/views.js";
import type { Action } from "./keymap.js";
import { paletteItems } from "./palette.js";
import { clamp, type Reach, selectedAgent, selectedEntry, shownAgents, shownTrail, type Ui } from "./ui.js";
import { moveInMailbox } from "./ui-mailbox.js";

/** By how much an action moves in a list or text; null when it does not. */
export const movement = (action: Action, page: number): number | null => {
  switch (action) {
    case "previous":
      return -1;
    case "next":
      return 1;
    case "pageUp":
      return -page;
    case "pageDown":
      return page;
    case "first":
      return Number.NEGATIVE_INFINITY;
    case "last":
      return Number.POSITIVE_INFINITY;
    default:
      return null;
  }
};

export const move = (ui: Ui, by: number, reach: Reach, snapshot: Snapshot): Ui => {
  const { overlay } = ui;
  if (overlay.kind === "palette") {
    const chosen = clamp(overlay.chosen + by, paletteItems(ui, snapshot).length - 1);
    return { ...ui, overlay: { ...overlay, chosen } };
  }
  if (overlay.kind === "help" || overlay.kind === "entry") {
    return { ...ui, overlay: { ...overlay, scroll: clamp(Math.min(overlay.scroll, reach.end) + by, reach.end) } };
  }
  if (overlay.kind === "mailbox") return { ...ui, overlay: moveInMailbox(overlay, by, reach.end) };
  if (ui.focus === "agents") {
    const agents = shownAgents(ui, snapshot);
    const at = agents.findIndex((agent) => agent.id === selectedAgent(ui, snapshot)?.id);
    return { ...ui, agent: agents[clamp(at + by, agents.length - 1)]?.id ?? null };
  }
  const trail = shownTrail(ui, snapshot);
  const to = clamp(selectedEntry(ui, snapshot) + by, trail.length - 1);
  return { ...ui, entry: to === 0 ? null : (trail[to]?.id ?? null) };
};
