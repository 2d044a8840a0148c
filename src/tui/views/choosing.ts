/** The palette with its rows, the name of an agent to launch, the search line and the question before a deed. Pure. */
import type { Snapshot } from "../../bus/views.js";
import { cutLine, type Line, line, span } from "../line.js";
import { paletteItems } from "../palette.js";
import { cellWidth, clean, glimpse, wrap } from "../text.js";
import type { Reach, Ui } from "../ui.js";
import { type Block, windowOf } from "./blocks.js";
import type { ComposerSeen } from "./composer.js";

const WAYS = { bad: "bad", launch: "good", else: "plain" } as const;

export const paletteView = (
  ui: Ui,
  snapshot: Snapshot,
  width: number,
  height: number,
): { readonly rows: readonly Line[]; readonly reach: Reach } => {
  const items = paletteItems(ui, snapshot);
  const chosen = ui.overlay.kind === "palette" ? ui.overlay.chosen : 0;
  const head: readonly Line[] = [
    [span("Palette", "title"), span(glimpse(`  launches in ${ui.cwd}`, Math.max(8, width - 8)), "faint")],
  ];
  const room = Math.max(1, height - head.length);
  const reach = { page: Math.max(1, Math.floor(room / 2)), end: 0 };
  if (items.length === 0) return { rows: [...head, line("Nothing is called that.", "faint")], reach };
  const blocks = items.map((item, index): Block => {
    const isChosen = index === chosen;
    const launches = item.run.kind === "launchPreset" || item.run.kind === "nameAgent";
    const style = item.run.kind === "badPreset" ? WAYS.bad : launches ? WAYS.launch : WAYS.else;
    const title: Line = [
      span(isChosen ? "› " : "  ", "strong"),
      span(glimpse(item.title, width - 2), isChosen ? "chosen" : style),
    ];
    // The chosen row tells all of its detail: a bad file's error is longer than a row.
    const details = isChosen ? wrap(item.detail, width - 4).slice(0, 6) : [glimpse(item.detail, width - 4)];
    return [title, ...details.map((text): Line => [span("    "), span(text, "faint")])].map((row) =>
      cutLine(row, width),
    );
  });
  return { rows: [...head, ...windowOf(blocks, chosen, room).rows], reach };
};

/** One line of input; its end is what is seen when it is long. */
export const inputRow = (label: string, text: string, width: number): ComposerSeen => {
  const head = ` ${label} `;
  const room = Math.max(4, width - cellWidth(head) - 3);
  let shown = clean(text);
  while (cellWidth(shown) > room) shown = Array.from(shown).slice(1).join("");
  return {
    rows: [[span(head, "chosen"), span("  "), span(shown)]],
    cursor: { row: 0, column: cellWidth(head) + 2 + cellWidth(shown) },
  };
};

export const namingView = (runKind: string, cwd: string, name: string, width: number): ComposerSeen => {
  const row = inputRow(`Name of the ${runKind}`, name, width);
  const where = line(glimpse(`Launches ${runKind} in ${cwd}`, width), "faint");
  return { rows: [where, ...row.rows], cursor: row.cursor === null ? null : { ...row.cursor, row: 1 } };
};

export const confirmView = (question: string, width: number): ComposerSeen => ({
  rows: wrap(`${question} y: yes, n: no`, width).map((row) => line(row, "alarm")),
  cursor: null,
});
