/**
 * Texts of Claude Code's hook events, made comparable with what was typed and readable for people. Pure.
 * Sources: facts/claude-code.md sections 4 and 6.
 */
import { jsonOf, textIn } from "./json.js";
import { oneLine } from "./one-line.js";

/** Long or many-lined pastes arrive wrapped; both tags carry the same id and begin a line. A quoted tag is text. */
const PASTED = /^<pasted_content id="([^"]*)">\r?\n?([\s\S]*?)\r?\n?^<\/pasted_content id="\1">/gm;

/** The prompt as the person or Quay typed it: unwrapped and trimmed. */
export const promptText = (prompt: string): string =>
  prompt.replace(PASTED, (_all, _id, inner: string) => inner).trim();

/** The CLI prompts itself when a background task reports. */
export const isAutomatic = (prompt: string): boolean => prompt.trimStart().startsWith("<task-notification>");

const SHOWN_INPUTS = ["command", "file_path", "path", "url", "query", "pattern", "description"];

/** One line that says what a tool asks for, such as `approve Bash: touch x`; at most 200 characters. */
export const approvalText = (tool: string, input: unknown): string => {
  const given = jsonOf(input);
  if (tool === "AskUserQuestion") {
    const first: unknown = Array.isArray(given.questions) ? given.questions[0] : null;
    return oneLine(`answer: ${textIn(jsonOf(first), "question")}`);
  }
  const shown = SHOWN_INPUTS.map((key) => given[key]).find((value) => typeof value === "string" && value !== "");
  return oneLine(shown === undefined ? `approve ${tool}` : `approve ${tool}: ${shown}`);
};
