/** Is somebody at the keyboard in this pane? Read before typing: a draft may begin with the next key. */
import type { Ask } from "./fence.js";
import { peopleLine } from "./lines.js";
import { textOf } from "./replies.js";

/**
 * True when a person's client shows the pane and had a key within the last two seconds (tmux counts whole ones).
 * False when tmux does not answer: the paste that follows finds that out.
 */
export const isPersonAt = async (ask: Ask, pane: string, nowMs: number): Promise<boolean> => {
  const answer = await ask(peopleLine());
  if (answer.kind === "unknown") return false;
  return textOf(answer.blocks).some((line) => {
    const found = /^0 (\d+) (%\d+)$/.exec(line);
    return found !== null && found[2] === pane && Math.floor(nowMs / 1000) - Number(found[1]) < 2;
  });
};
