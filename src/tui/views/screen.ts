/**
 * The whole screen for one size, as rows: which panes stand where, and who gives way when it is small. Pure; the same
 * snapshot, state, time and size give the same rows. Never more than `size.rows` - 1 rows.
 */
import type { Snapshot, TrailView } from "../../bus/views.js";
import { beside, cutLine, type Line, line } from "../line.js";
import type { CursorPlace, Size } from "../painter.js";
import {
  activeProject,
  contextOf,
  type Proof,
  type Reach,
  selectedAgent,
  selectedEntry,
  shownAgents,
  shownTrail,
  type Ui,
} from "../ui.js";
import { agentsHeight, agentsView } from "./agents.js";
import { scrollOf } from "./blocks.js";
import { confirmView, inputRow, namingView, paletteView } from "./choosing.js";
import { type ComposerSeen, composerView } from "./composer.js";
import { entryBody, entryHead } from "./entry.js";
import { keysRow, noticeView, statusRow } from "./footer.js";
import { headerView } from "./header.js";
import { helpView } from "./help.js";
import { lookView } from "./look.js";
import { keptThread, mailboxView } from "./mailbox.js";
import { proofView } from "./proof.js";
import { trailView } from "./trail.js";

export type Seen = {
  readonly rows: readonly Line[];
  readonly cursor: CursorPlace;
  /** A timer that counts is on the screen: it needs the tick. */
  readonly isCounting: boolean;
  readonly reach: Reach;
};

/** From this width on the agents stand beside the trail instead of above it. */
const WIDE = 100;
const LEAST = { columns: 20, rows: 6 };

type Body = Omit<Seen, "cursor">;

/** Wrapping a message of 256 KB takes longer than a frame may: the last one is kept. */
let lastBody: { entry: TrailView; proof: Proof | null; width: number; rows: readonly Line[] } | null = null;
const keptEntryBody = (entry: TrailView, proof: Proof | null, width: number): readonly Line[] => {
  const isSame =
    lastBody !== null &&
    lastBody.width === width &&
    lastBody.proof === proof &&
    lastBody.entry.id === entry.id &&
    lastBody.entry.response === entry.response &&
    lastBody.entry.label === entry.label &&
    lastBody.entry.notes.join("\n") === entry.notes.join("\n");
  if (!isSame || lastBody === null) {
    const proven = proof === null ? [] : proofView(proof, width);
    lastBody = { entry, proof, width, rows: [...entryBody(entry, width), ...proven] };
  }
  return lastBody.rows;
};

const scrolled = (head: readonly Line[], rows: readonly Line[], scroll: number, height: number): Body => {
  const room = Math.max(1, height - head.length);
  return {
    rows: [...head, ...scrollOf(rows, scroll, room)],
    isCounting: false,
    reach: { page: Math.max(1, room - 1), end: Math.max(0, rows.length - room) },
  };
};

const panes = (whole: Snapshot, ui: Ui, now: number, width: number, height: number): Body => {
  const agent = selectedAgent(ui, whole)?.id ?? null;
  const entry = selectedEntry(ui, whole);
  const snapshot: Snapshot = { ...whole, agents: shownAgents(ui, whole), trail: shownTrail(ui, whole) };
  const reach = (rows: number): Reach => ({ page: Math.max(1, rows - 2), end: 0 });
  const trailFocus = ui.focus === "trail";
  if (ui.screen === "trail") {
    const trail = trailView(snapshot, entry, true, now, width, height, ui.filters.trail !== "");
    return { ...trail, reach: reach(height) };
  }
  if (width >= WIDE) {
    const agentsWidth = Math.min(64, Math.max(38, Math.floor(width * 0.36)));
    const trailWidth = width - agentsWidth - 1;
    const trail = trailView(snapshot, entry, trailFocus, now, trailWidth, height, ui.filters.trail !== "");
    const agents = agentsView(snapshot, agent, !trailFocus, agentsWidth, height, ui.filters.agents !== "");
    return { rows: beside(trail.rows, agents, trailWidth, height), isCounting: trail.isCounting, reach: reach(height) };
  }
  const most = Math.max(3, Math.floor(height * (trailFocus ? 0.35 : 0.5)));
  const agentsRows = Math.min(agentsHeight(snapshot, agent, width), most, Math.max(1, height - 3));
  const agents = agentsView(snapshot, agent, !trailFocus, width, agentsRows, ui.filters.agents !== "");
  const trail = trailView(snapshot, entry, trailFocus, now, width, height - agentsRows, ui.filters.trail !== "");
  return {
    rows: [...agents, ...trail.rows],
    isCounting: trail.isCounting,
    reach: reach(trailFocus ? height - agentsRows : agentsRows),
  };
};

const body = (snapshot: Snapshot, ui: Ui, now: number, width: number, height: number): Body => {
  const { overlay } = ui;
  if (overlay.kind === "look") return { ...lookView(overlay.name, overlay.ansi, width, height), isCounting: false };
  if (overlay.kind === "palette") return { ...paletteView(ui, snapshot, width, height), isCounting: false };
  if (overlay.kind === "help") return scrolled([], helpView(width), overlay.scroll, height);
  if (overlay.kind === "mailbox") {
    if (overlay.open !== null) return scrolled([], keptThread(overlay.open, width), overlay.scroll, height);
    const { rows, page } = mailboxView(overlay, snapshot, width, height);
    return { rows, isCounting: false, reach: { page, end: 0 } };
  }
  if (overlay.kind === "entry") {
    const entry = snapshot.trail.find((one) => one.id === overlay.id);
    if (entry === undefined) return scrolled([], [line("This entry is no longer on the trail.", "faint")], 0, height);
    const head = entryHead(entry, now, width);
    return {
      ...scrolled(head, keptEntryBody(entry, overlay.proof, width), overlay.scroll, height),
      isCounting: entry.timer.kind === "counting",
    };
  }
  return panes(snapshot, ui, now, width, height);
};

/** A line at the foot that letters go into, or that wants an answer. */
const askingView = (ui: Ui, width: number): ComposerSeen | null => {
  if (ui.overlay.kind === "confirm") return confirmView(ui.overlay.question, width);
  if (ui.overlay.kind === "naming") return namingView(ui.overlay.runKind, ui.cwd, ui.overlay.name, width);
  if (ui.overlay.kind === "palette") return inputRow("Palette", ui.overlay.query, width);
  if (ui.overlay.kind !== "none") return null;
  const query = ui.filters[ui.focus];
  if (ui.isFiltering) return inputRow(`Search the ${ui.focus}`, query, width);
  return query === "" ? null : { ...inputRow(`Found in the ${ui.focus}; Esc shows all`, query, width), cursor: null };
};

export const screenView = (snapshot: Snapshot, ui: Ui, now: number, size: Size): Seen => {
  const width = size.columns;
  const height = size.rows - 1;
  if (width < LEAST.columns || height < LEAST.rows) {
    const rows = [cutLine(line("Quay: the window is too small"), width)].slice(0, Math.max(0, height));
    return { rows, cursor: null, isCounting: false, reach: { page: 1, end: 0 } };
  }
  const project = activeProject(ui, snapshot);
  const title = ui.screen === "mission" ? "Quay Mission Control" : "Quay trail";
  const header = headerView(snapshot, project, width < 60 ? "Quay" : title, width);
  const context = contextOf(ui);
  const asking = askingView(ui, width);
  const composer =
    ui.composer === null || context === "help"
      ? asking
      : composerView(
          snapshot,
          ui.composer.form,
          ui.composer.target,
          project,
          ui.composer.as,
          ui.drafts[ui.composer.form],
          width,
          Math.max(2, Math.floor(height / 3)),
        );
  const fixed = header.length + 2 + (composer?.rows.length ?? 0);
  const notice = noticeView(ui.notice, width, Math.floor((height - fixed) / 2));
  const room = Math.max(0, height - fixed - notice.length);
  const middle = body(snapshot, ui, now, width, room);
  const filled = Array.from({ length: room }, (_, row): Line => middle.rows[row] ?? []);
  const above = header.length + room + notice.length + 1;
  const rows = [
    ...header,
    ...filled,
    ...notice,
    statusRow(ui, snapshot, width),
    ...(composer?.rows ?? []),
    keysRow(context, ui.screen, width),
  ].slice(0, height);
  const cursor =
    composer === null || composer.cursor === null
      ? null
      : { row: above + composer.cursor.row, column: Math.min(composer.cursor.column, width - 1) };
  return { rows: rows.map((row) => cutLine(row, width)), cursor, isCounting: middle.isCounting, reach: middle.reach };
};
