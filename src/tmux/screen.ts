/** One reading of a pane's own screen (not of a copy mode above it), with its cursor. */
import type { Screen } from "../adapters/adapter.js";
import type { Ask } from "./fence.js";
import { screenLine } from "./lines.js";
import { textOf } from "./replies.js";

/** null when the pane is not there, or tmux does not answer. */
export const readScreen = async (ask: Ask, pane: string): Promise<Screen | null> => {
  const answer = await ask(screenLine(pane));
  if (answer.kind === "unknown") return null;
  const [head, body] = answer.blocks;
  if (!head?.ok || !body?.ok) return null;
  const found = /^(%\d+) (\d+) (\d+) ([01]) (\d+) (\d+)$/.exec(textOf([head])[0] ?? "");
  // A missing pane would be described by another one.
  if (!found || found[1] !== pane) return null;
  const [x, y, visible, cols, rows] = found.slice(2).map(Number) as [number, number, number, number, number];
  return { ansi: textOf([body]).join("\n"), cursor: { x, y, visible: visible === 1 }, cols, rows };
};
