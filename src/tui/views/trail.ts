/**
 * The trail, newest first: status and timer in the first columns (a tick rewrites a few cells), sender → target, text;
 * below it the response with its label and the notes, cut to a row each. Says whether a counting timer is seen. Pure.
 */
import type { Snapshot, TrailView } from "../../bus/views.js";
import { cutLine, type Line, line, type Span, span } from "../line.js";
import { clean, glimpse, wrap } from "../text.js";
import { statusStyle, wordTimer } from "../view-model.js";
import { type Block, windowOf } from "./blocks.js";

const STATUS_WIDTH = 10;
const TIMER_WIDTH = 7;

const arrow = (entry: TrailView): readonly Span[] => [
  span(clean(entry.from), "strong"),
  span(" → "),
  span(clean(entry.to), "strong"),
  ...(entry.tag === null ? [] : [span(" "), span(`[${entry.tag}]`, "note")]),
];

const blockOf = (entry: TrailView, isChosen: boolean, hasFocus: boolean, now: number, width: number): Block => {
  const timer = wordTimer(entry.timer, now);
  const marker = span(isChosen ? "› " : "  ", "strong");
  const status = span(entry.status.padEnd(STATUS_WIDTH), isChosen && hasFocus ? "chosen" : statusStyle(entry.status));
  const who = arrow(entry);
  const isNarrow = width < 56;
  const indent = isNarrow ? "    " : " ".repeat(STATUS_WIDTH + TIMER_WIDTH + 4);
  const text = span(glimpse(entry.text, width));
  const count = span(`${timer.padStart(TIMER_WIDTH)}  `);
  const head: readonly Line[] = isNarrow
    ? [
        [marker, status, count],
        [span(indent), ...who],
        [span(indent), text],
      ]
    : [[marker, status, count, ...who, span("  "), text]];
  const rows: Line[] = [...head];
  if (entry.response !== null) {
    rows.push([span(indent), span(entry.label, "good"), span(" "), span(glimpse(entry.response, width))]);
  }
  for (const note of entry.notes)
    rows.push([span(indent), span(glimpse(note, width), entry.status === "Failed" ? "bad" : "note")]);
  return rows.map((row) => cutLine(row, width));
};

export type TrailSeen = { readonly rows: readonly Line[]; readonly isCounting: boolean };

export const trailView = (
  snapshot: Snapshot,
  chosen: number,
  hasFocus: boolean,
  now: number,
  width: number,
  height: number,
  isSearched = false,
): TrailSeen => {
  const { trail } = snapshot;
  const title = span(`Trail ${trail.length}`, hasFocus ? "title" : "strong");
  if (trail.length === 0) {
    const why = isSearched
      ? "No entry is found. Esc shows all."
      : "No message yet. What agents send each other, and what you send them, is listed here.";
    const advice = wrap(why, width);
    return { rows: [[title], ...advice.map((row) => line(row, "faint"))].slice(0, height), isCounting: false };
  }
  // Only what can be seen is built: a block has at least one row, so `height` of them reach over a pane on either side.
  const from = Math.max(0, chosen - height);
  const near = trail.slice(from, chosen + height);
  const blocks = near.map((entry, index) => blockOf(entry, from + index === chosen, hasFocus, now, width));
  const seen = windowOf(blocks, chosen - from, height - 1);
  const hidden = trail.length - 1 - (from + seen.last);
  const where =
    from + seen.first > 0 || hidden > 0
      ? `  newest first, ${from + seen.first} above, ${hidden} below`
      : "  newest first";
  return {
    rows: [cutLine([title, span(where, "faint")], width), ...seen.rows],
    isCounting: near.slice(seen.first, seen.last + 1).some((entry) => entry.timer.kind === "counting"),
  };
};
