/**
 * Names the dialog of OpenCode that is open, once the line is known not to be. Approvals and questions take the line's
 * place at the bottom; overlays stand anywhere, told by their title row. A transcript may quote any of them, so the line's
 * absence, or a cursor outside it, comes first. Not recognised stays null: "not understood", never "nothing is open". Pure.
 */
import type { Row } from "./screen.js";

/** How far from the bottom an approval or a question reaches. */
const BOTTOM_ROWS = 24;

const APPROVAL = /┃\s+△ (Permission required|Always allow|Reject permission)/u;
/** The foot of a question, which narrow panes break in two. */
const QUESTION = /┃\s+(⇆\s+(tab\s+)?)?↑↓\s+(select\s+)?enter\s+(\w+\s+)?esc\b/u;

/** `Title … esc`, as each overlay begins. */
const TITLE = /(\S+(?: \S+){0,4})\s{3,}esc(?:\/enter)?(?:\s|$)/;

const OVERLAYS: Readonly<Record<string, string>> = {
  "Select model": "model",
  Sessions: "resume",
  "Connect a provider": "login",
  Commands: "palette",
};

/** The dialog's kind; null when none is recognised. `hasLine`: the line is still painted, so only an overlay can be open. */
export const nameOpencodeDialog = (rows: readonly Row[], hasLine: boolean): string | null => {
  const lines = rows.map((row) => row.text.replace(/\u00a0/g, " ").trimEnd());
  while (lines.at(-1) === "") lines.pop();
  if (!hasLine) {
    const bottom = lines.slice(-BOTTOM_ROWS).join("\n");
    if (APPROVAL.test(bottom)) return "permission";
    if (QUESTION.test(bottom)) return "question";
  }
  const title = lines.map((line) => TITLE.exec(line)?.[1]?.trim()).find((found) => found !== undefined);
  return title === undefined ? null : (OVERLAYS[title] ?? "settings");
};
