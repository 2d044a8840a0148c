/**
 * How Codex is started: the user's own command line, with Quay's tools and turn-end helper added for this session by
 * `-c` overrides. They also keep Codex in its own process: without any it would attach to a background daemon, which
 * knows nothing of this terminal. Nothing of the user's is taken away: no approval policy, no sandbox, no trust, no
 * hooks. Pure. No secret stands in the argv. Source: facts/codex.md sections 1, 3, 5 and 9.
 */
import type { LaunchInput, LaunchPlan, Wiring } from "./adapter.js";
import { notifyIn, takeNotify } from "./codex-notify.js";
import { wirePeer } from "./launch-wiring.js";

const SERVER = "quay-a2a";
/** The hard limit of one tool call in the CLI, in s; a wait of ours ends after 58 s, and Codex gives up after 60 s by itself. */
const TOOL_TIMEOUT_S = 120;
const STARTUP_TIMEOUT_S = 20;

/** Marks of a Codex session around us: with them the CLI would take itself for a part of that session. */
const OUTER_SESSION = ["CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED"] as const;

/** JSON's strings are TOML's, but for DEL. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll("\u007f", "\\u007f");

const serverSetting = (wiring: Wiring): string => {
  const fields = [
    `url=${quoted(wiring.mcpUrl)}`,
    `bearer_token_env_var="QUAY_TOKEN"`,
    `tool_timeout_sec=${TOOL_TIMEOUT_S}`,
    `startup_timeout_sec=${STARTUP_TIMEOUT_S}`,
    // Quay's own tools, and no others: without it each call opens a dialog.
    `default_tools_approval_mode="approve"`,
  ];
  return `mcp_servers.${SERVER}={${fields.join(",")}}`;
};

const notifySetting = (wiring: Wiring, theirs: readonly string[]): string =>
  `notify=[${["sh", `${wiring.assetsDir}/codex/turn-end.sh`, ...theirs].map(quoted).join(",")}]`;

const CHOOSES_SESSION: readonly string[] = ["resume", "fork"];
const OF_THAT_CHOICE: readonly string[] = ["--last", "--all", "--include-non-interactive"];

/** The args without the choice of a session: a relaunch goes on with the session that this terminal had. */
const withoutSession = (args: readonly string[]): readonly string[] => {
  const place = args.findIndex((arg) => CHOOSES_SESSION.includes(arg));
  if (place < 0) return args;
  const rest = args.slice(place + 1).filter((arg) => !OF_THAT_CHOICE.includes(arg));
  const named = rest[0] !== undefined && !rest[0].startsWith("-");
  return [...args.slice(0, place), ...rest.slice(named ? 1 : 0)];
};

export const launchCodex = (input: LaunchInput): LaunchPlan => {
  const { wiring } = input;
  const own = takeNotify(input.args);
  const theirs = own.notify ?? notifyIn(input.settings ?? []) ?? [];
  const argv = [
    input.command ?? "codex",
    "-c",
    serverSetting(wiring),
    ...(wiring.bridge ? ["-c", notifySetting(wiring, theirs)] : []),
    ...(input.resume === null
      ? wiring.bridge
        ? own.args
        : input.args
      : ["resume", input.resume, ...withoutSession(wiring.bridge ? own.args : input.args)]),
    // Options may take lists, and would swallow what follows them.
    ...(input.prompt === null ? [] : ["--", input.prompt]),
  ];
  const wired = wirePeer(input, wiring.bridge);
  return { argv, ...wired, unsetEnv: [...OUTER_SESSION, ...wired.unsetEnv] };
};
