/** One trail entry, whole: times, message, response, notes, as rows to scroll through. Pure. */
import type { TrailView } from "../../bus/views.js";
import { type Line, line, span } from "../line.js";
import { clean, wrap } from "../text.js";
import { statusStyle, wordClock, wordTimer } from "../view-model.js";

const part = (title: string, text: string, width: number): readonly Line[] => [
  [],
  line(title, "title"),
  ...wrap(text, width).map((row) => line(row)),
];

/** The long part, which does not depend on the time; the caller keeps it between frames. */
export const entryBody = (entry: TrailView, width: number): readonly Line[] => [
  ...part("Message", entry.text, width),
  ...(entry.response === null ? [] : part(entry.label, entry.response, width)),
  ...(entry.notes.length === 0 ? [] : [[], line("Notes", "title")]),
  ...entry.notes.flatMap((note) => wrap(note, width).map((row) => line(row, "note"))),
];

/** trail:statuses and times; the first rows of the view. */
export const entryHead = (entry: TrailView, now: number, width: number): readonly Line[] => {
  const timer = wordTimer(entry.timer, now);
  const times = [
    `accepted ${wordClock(entry.acceptedAt)}`,
    entry.typedAt === null ? "" : `typed ${wordClock(entry.typedAt)}`,
    entry.endedAt === null ? "" : `ended ${wordClock(entry.endedAt)}`,
  ].filter((one) => one !== "");
  return [
    [
      span(entry.status, statusStyle(entry.status)),
      span(timer === "" ? "" : `  ${timer}`),
      span(`  ${clean(entry.from)} → ${clean(entry.to)}`, "strong"),
      ...(entry.tag === null ? [] : [span(" "), span(`[${entry.tag}]`, "note")]),
    ],
    ...wrap(`${times.join(", ")}; project ${entry.project}`, width).map((row) => line(row, "faint")),
  ];
};
