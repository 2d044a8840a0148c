/**
 * What Claude Code's PermissionRequest hook asks, as the rules of Quay see it, and its yes. Pure.
 * A tool that is not known here has no argument that a pattern could be held against: a rule names it whole, or not.
 * Sources: facts/claude-code.md section 4 (PermissionRequest and its answer).
 */
import type { ApprovalArgument } from "../bus/approval-rule.js";
import type { Adapter, PermissionAsked } from "./adapter.js";
import { approvalText } from "./claude-prompt.js";
import { isJson } from "./json.js";

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** Which part of a tool's input says what it does. */
const ARGUMENTS: Readonly<Record<string, readonly [key: string, kind: ApprovalArgument["kind"]]>> = {
  Bash: ["command", "command"],
  Read: ["file_path", "path"],
  Write: ["file_path", "path"],
  Edit: ["file_path", "path"],
  MultiEdit: ["file_path", "path"],
  NotebookEdit: ["notebook_path", "path"],
  WebFetch: ["url", "address"],
  WebSearch: ["query", "text"],
};

/** Inputs of a tool that change what its main argument means: with one of them set a person decides. */
const CHANGES_MEANING: Readonly<Record<string, readonly string[]>> = { Bash: ["dangerouslyDisableSandbox"] };

const asked = ({ event, payload }: { readonly event: string; readonly payload: unknown }): PermissionAsked | null => {
  if (event !== "PermissionRequest" || !isJson(payload)) return null;
  const { tool_name: tool, tool_input: input } = payload;
  if (typeof tool !== "string" || tool === "" || !isJson(input)) return null;
  if ((own(CHANGES_MEANING, tool) ?? []).some((key) => input[key] !== undefined && input[key] !== false)) return null;
  const dialog = approvalText(tool, input);
  const what = dialog.replace(/^approve /, "");
  const known = own(ARGUMENTS, tool);
  if (known === undefined) return { tool, argument: null, dialog, what };
  const value = input[known[0]];
  // Its form is not the one that we know: no rule may speak of it.
  return typeof value === "string" ? { tool, argument: { kind: known[1], value }, dialog, what } : null;
};

export const claudePermission: NonNullable<Adapter["permission"]> = {
  asked,
  yes: { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } } },
};
