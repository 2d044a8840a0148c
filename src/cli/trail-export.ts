/**
 * A run as a file: one JSON entry per line, a Markdown page, or a Mermaid sequence diagram; the oldest first. Pure.
 * Names and texts are what agents wrote: in each form they are data, and can neither end a block nor begin a statement.
 */
import type { TrailView } from "../bus/views.js";
import { jsonLine } from "./output.js";
import { inertLine, inertText } from "./screen.js";

export const EXPORT_FORMATS = ["jsonl", "markdown", "mermaid"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const at = (time: number): string => new Date(time).toISOString().replace("T", " ").slice(0, 19);

/** Every sign that Markdown or the HTML in it gives a meaning to. */
const inline = (text: string): string => inertLine(text).replace(/[!-/:-@[-`{-~]/gu, (sign) => `\\${sign}`);

/** Longer than any run of backquotes in the text, so that the text cannot end its block. */
const block = (text: string): string => {
  const body = inertText(text);
  const longest = Math.max(2, ...[...body.matchAll(/`+/gu)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${body}\n${fence}\n`;
};

const took = (entry: TrailView): string =>
  entry.timer.kind === "took" ? `, took ${(entry.timer.ms / 1_000).toFixed(1)} s` : "";

const section = (entry: TrailView): string => {
  const tag = entry.tag === null ? "" : ` (${entry.tag})`;
  const notes = entry.notes.map((note) => `- ${inline(note)}\n`).join("");
  return [
    `## ${at(entry.acceptedAt)} ${inline(entry.from)} → ${inline(entry.to)}${tag}\n`,
    `${entry.status}${took(entry)}\n`,
    block(entry.text),
    ...(entry.response === null ? [] : [`${entry.label}\n`, block(entry.response)]),
    ...(notes === "" ? [] : [notes]),
  ].join("\n");
};

const markdown = (entries: readonly TrailView[]): string => {
  const first = entries[0];
  const last = entries.at(-1);
  const title =
    first === undefined || last === undefined
      ? "# Trail: no messages"
      : `# Trail, ${at(first.acceptedAt)} to ${at(last.acceptedAt)} UTC`;
  return [`${title}\n`, ...entries.map(section)].join("\n");
};

/** Characters of a text in the diagram. */
const LONGEST = 80;

/** Mermaid reads `#59;` as the sign of that number; what is no letter, digit or blank is written so. */
const mermaidText = (text: string): string => {
  const points = [...inertLine(text)];
  const cut = points.length > LONGEST ? [...points.slice(0, LONGEST - 1), "…"] : points;
  return (
    cut
      .map((sign) => (/[\p{L}\p{N}\p{M} .,_/…-]/u.test(sign) ? sign : `#${sign.codePointAt(0)};`))
      .join("")
      // A line that holds this word alone would end a group.
      .replace(/\bend\b/giu, (word) => `#${word.codePointAt(0)};${word.slice(1)}`)
      .replace(/-/gu, "#45;")
  );
};

type Line = { readonly at: number; readonly text: string };

const linesOf = (entry: TrailView, from: string, to: string, via: string): readonly Line[] => {
  const said = mermaidText(`${via}${entry.text}`) || "#160;";
  if (entry.tag === "Approval")
    return [{ at: entry.acceptedAt, text: `Note over ${to}: ${mermaidText(`approved ${entry.text}`)}` }];
  const arrow = entry.status === "Failed" ? "-x" : entry.status === "Queued" ? "-)" : "->>";
  const sent = { at: entry.typedAt ?? entry.acceptedAt, text: `${from}${arrow}${to}: ${said}` };
  const end = entry.endedAt ?? sent.at;
  if (entry.response !== null)
    return [sent, { at: end, text: `${to}-->>${from}: ${mermaidText(entry.response) || "#160;"}` }];
  const note = entry.notes.at(-1);
  return note === undefined ? [sent] : [sent, { at: end, text: `Note over ${to}: ${mermaidText(note)}` }];
};

const mermaid = (entries: readonly TrailView[]): string => {
  const parties = new Map<string, string>();
  const partyOf = (name: string): string => {
    const known = parties.get(name) ?? `p${parties.size}`;
    parties.set(name, known);
    return known;
  };
  const lines = entries.flatMap((entry) => {
    if (entry.tag === "Approval") return linesOf(entry, "", partyOf(entry.to), "");
    const name = entry.from.replace(/ via You$/u, "");
    const from = partyOf(name);
    return linesOf(entry, from, partyOf(entry.to), name === entry.from ? "" : "(via You) ");
  });
  const sorted = lines.toSorted((a, b) => a.at - b.at);
  const heads = [...parties].map(
    ([name, id]) => `${name === "You" ? "actor" : "participant"} ${id} as ${mermaidText(name) || "#160;"}`,
  );
  return `sequenceDiagram\n${[...heads, ...sorted.map((line) => line.text)].map((line) => `    ${line}\n`).join("")}`;
};

/** @param entries oldest first. */
export const exportTrail = (entries: readonly TrailView[], format: ExportFormat): string => {
  switch (format) {
    case "jsonl":
      return entries.map(jsonLine).join("");
    case "markdown":
      return markdown(entries);
    case "mermaid":
      return mermaid(entries);
  }
};
