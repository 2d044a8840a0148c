/** The text box: to whom, what is written, and the cell where the cursor stands. Pure. */
import type { Snapshot } from "../../bus/views.js";
import type { Draft } from "../draft.js";
import { cutLine, type Line, line, span } from "../line.js";
import type { CursorPlace } from "../painter.js";
import { cellsOf, clean } from "../text.js";
import type { Form } from "../ui.js";
import { counted, recipients, tagOf, wordProject } from "../view-model.js";

export type ComposerSeen = { readonly rows: readonly Line[]; readonly cursor: CursorPlace };

const heading = (
  snapshot: Snapshot,
  form: Form,
  target: string | null,
  project: string | null,
  as: string | null,
): Line => {
  if (form === "broadcast") {
    const peers = recipients(snapshot.agents).filter((agent) => agent.project === project);
    return [
      span(" Broadcast ", "chosen"),
      span(` to ${counted(peers.length, "running peer")} in `),
      span(clean(wordProject(project ?? "")), "strong"),
      span(", as You"),
    ];
  }
  const agent = snapshot.agents.find((one) => one.id === target);
  const tag = agent === undefined ? null : tagOf(agent);
  return [
    span(" Message ", "chosen"),
    span(" to "),
    span(clean(agent?.name ?? "nobody: choose with Tab"), "strong"),
    ...(tag === null ? [] : [span(" "), span(`[${tag}]`, "note")]),
    span(`, as ${as === null ? "You" : clean(snapshot.agents.find((one) => one.id === as)?.name ?? as)}`),
  ];
};

/** Rows of the box with hard breaks, and the cursor among them. */
const layOut = (draft: Draft, width: number): { rows: string[]; row: number; column: number } => {
  const rows: string[] = [""];
  let used = 0;
  const add = (text: string): void => {
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) {
        rows.push("");
        used = 0;
      }
      for (const cell of cellsOf(clean(part.replace(/\t/g, "    ")))) {
        if (used + cell.width > width) {
          rows.push("");
          used = 0;
        }
        rows[rows.length - 1] += cell.text;
        used += cell.width;
      }
    }
  };
  add(draft.text.slice(0, draft.cursor));
  if (used >= width) {
    rows.push("");
    used = 0;
  }
  const place = { row: rows.length - 1, column: used };
  add(draft.text.slice(draft.cursor));
  return { rows, ...place };
};

export const composerView = (
  snapshot: Snapshot,
  form: Form,
  target: string | null,
  project: string | null,
  as: string | null,
  draft: Draft,
  width: number,
  maxRows: number,
): ComposerSeen => {
  const box = layOut(draft, Math.max(4, width - 2));
  const height = Math.max(1, maxRows - 1);
  const from = Math.max(0, Math.min(box.row - height + 1, box.rows.length - height));
  const shown = box.rows.slice(from, from + height);
  return {
    rows: [
      cutLine(heading(snapshot, form, target, project, as), width),
      ...shown.map((text, index): Line => [span(from + index === 0 ? "> " : "  ", "strong"), ...line(text)]),
    ],
    cursor: { row: 1 + box.row - from, column: 2 + box.column },
  };
};
