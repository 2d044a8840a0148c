/**
 * The configuration that Quay gives an OpenCode by OPENCODE_CONFIG_CONTENT: its tool server, and leave to use it. The
 * person's own value of that variable stays in force, word for word where it says something; OpenCode itself merges the
 * result over their files. Pure. Source: facts/opencode.md sections 1 and 3.
 */
import { isJson, type Json, jsonIn, jsonOf } from "./json.js";

export const SERVER = "quay-a2a";
/** The hard limit of one tool call in the CLI, in ms; a wait of ours ends after 58 s. */
const TOOL_TIMEOUT_MS = 120_000;
/** OpenCode names a server's tools `<server>_<tool>`. */
export const TOOL_PREFIX = `${SERVER}_`;

// A string is kept; a comment, or a comma before a closing bracket, goes.
const NOT_JSON = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g;

/** Reads JSON with comments and trailing commas, as OpenCode does; null when it is none, or no object. */
export const parseContent = (text: string): Json | null => {
  try {
    const value: unknown = JSON.parse(text.replace(NOT_JSON, (_all, string: string | undefined) => string ?? ""));
    return isJson(value) ? value : null;
  } catch {
    return null;
  }
};

/** One word for all permissions is short for this. Rules that come later win, so ours stands last, unless theirs names it. */
const permissionsOf = (own: unknown): Json => {
  const rules: Json = typeof own === "string" ? { "*": own } : jsonOf(own);
  return { ...rules, [`${TOOL_PREFIX}*`]: rules[`${TOOL_PREFIX}*`] ?? "allow" };
};

/** @param own the person's value of the variable. What cannot be read is left as it is: OpenCode says what is wrong. */
export const configContent = (own: string | undefined, mcpUrl: string): string => {
  const content = own === undefined || own.trim() === "" ? {} : parseContent(own);
  if (content === null) return own!;
  const server = {
    type: "remote",
    url: mcpUrl,
    enabled: true,
    oauth: false,
    // OpenCode expands it from its own environment.
    headers: { Authorization: "Bearer {env:QUAY_TOKEN}" },
    timeout: TOOL_TIMEOUT_MS,
  };
  return JSON.stringify({
    ...content,
    mcp: { ...jsonIn(content, "mcp"), [SERVER]: server },
    permission: permissionsOf(content.permission),
  });
};
