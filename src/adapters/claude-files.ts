/**
 * Where Claude Code keeps what it does and what was said: the session registry and the transcripts.
 * Pure: paths only. Source: facts/claude-code.md section 1.
 */
import type { Adapter } from "./adapter.js";
import { textIn } from "./json.js";

const configFolder = (env: Readonly<Record<string, string | undefined>>): string =>
  env.CLAUDE_CONFIG_DIR || `${env.HOME ?? ""}/.claude`;

/** `disableAllHooks` of the person's or the project's settings silences the plugin, too. */
export const claudeBridgeSwitch: NonNullable<Adapter["bridgeSwitch"]> = {
  files: (env, cwd) => [
    `${cwd}/.claude/settings.local.json`,
    `${cwd}/.claude/settings.json`,
    `${configFolder(env)}/settings.json`,
  ],
  offIn: (content) => (content.disableAllHooks === true ? "disableAllHooks" : null),
};

export const claudeFiles: NonNullable<Adapter["resync"]> = {
  registry(env, pid) {
    return `${configFolder(env)}/sessions/${pid}.json`;
  },
  transcript(registry, content) {
    const session = textIn(content, "sessionId");
    const cwd = textIn(content, "cwd");
    if (cwd === "" || !/^[\w-]+$/.test(session)) return null;
    const config = registry.replace(/\/sessions\/[^/]*$/, "");
    return `${config}/projects/${cwd.replace(/[^A-Za-z0-9]/g, "-")}/${session}.jsonl`;
  },
};
