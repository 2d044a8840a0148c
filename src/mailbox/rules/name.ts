/**
 * The name of an agent: its identity key within an account.
 * Source: "The server lowercases it, strips everything except letters, digits, and hyphens, and caps it at 64"; DECISIONS B24.
 */
import { NAME_CAP } from "./limits.js";
import { type Checked, fine, refuse } from "./refusal.js";

/** `Claude Code` and `claude-code` are one name. Refused when no letter and no digit is left. */
export const nameOf = (given: string): Checked<string> => {
  const name = given
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-")
    .replace(/[^a-z0-9-]/g, "")
    .slice(0, NAME_CAP);
  return /[a-z0-9]/.test(name) ? fine(name) : refuse({ kind: "noName", field: "name" });
};
