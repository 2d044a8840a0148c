/**
 * How Claude Code is started: the user's own command line, with Quay's tools and event bridge added for this session.
 * Nothing of the user's is taken away or changed: no permission mode, no strict MCP list, no configuration file.
 * Pure. No secret stands in the argv: the CLI expands ${QUAY_TOKEN} from its own environment.
 * Sources: facts/claude-code.md sections 3 and 4.
 */
import type { LaunchInput, LaunchPlan, Wiring } from "./adapter.js";
import { hasOption, withoutOptions } from "./launch-args.js";
import { wirePeer } from "./launch-wiring.js";

const SERVER = "quay-a2a";
/** The hard limit of one tool call in the CLI, in ms; a wait of ours ends after 58 s. */
const TOOL_TIMEOUT_MS = 120_000;

/** Marks of a Claude Code session around us: with them the CLI would take itself for a part of that session. */
const OUTER_SESSION = [
  "CLAUDECODE",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_MESSAGING_SOCKET",
  "CLAUDE_CODE_MESSAGING_TOKEN",
  "CLAUDE_PID",
  "CLAUDE_PROJECT_DIR",
] as const;

const mcpConfig = (wiring: Wiring): string =>
  JSON.stringify({
    mcpServers: {
      [SERVER]: {
        type: "http",
        url: wiring.mcpUrl,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the CLI expands it, not we
        headers: { Authorization: "Bearer ${QUAY_TOKEN}" },
        alwaysLoad: true,
        timeout: TOOL_TIMEOUT_MS,
      },
    },
  });

/** The options by which the user chooses the session. A relaunch goes on with the session that this terminal had. */
const TAKES_VALUE = ["--session-id", "--resume", "-r"];
const TAKES_NONE = ["--continue", "-c", "--fork-session"];

const sessionArgs = (input: LaunchInput): readonly string[] => {
  if (input.resume !== null) return ["--resume", input.resume, ...withoutOptions(input.args, TAKES_VALUE, TAKES_NONE)];
  if (hasOption(input.args, [...TAKES_VALUE, ...TAKES_NONE])) return input.args;
  return ["--session-id", input.newSession, ...input.args];
};

export const launchClaude = (input: LaunchInput): LaunchPlan => {
  const { wiring } = input;
  const argv = [
    input.command ?? "claude",
    // Joined by "=": these options take lists, and would swallow what follows them.
    ...(wiring.bridge ? [`--plugin-dir=${wiring.assetsDir}/claude-plugin`] : []),
    `--mcp-config=${mcpConfig(wiring)}`,
    `--allowedTools=mcp__${SERVER}`,
    ...sessionArgs(input),
    ...(input.prompt === null ? [] : ["--", input.prompt]),
  ];
  const wired = wirePeer(input, wiring.bridge);
  return { argv, ...wired, unsetEnv: [...OUTER_SESSION, ...wired.unsetEnv] };
};
