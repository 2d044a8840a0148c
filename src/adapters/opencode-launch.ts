/**
 * How OpenCode is started: the user's own command line, with Quay's tools added for this session, and its server on a
 * port that Quay knows, behind a password. A port, host name, password or session that the user chose is respected.
 * Pure. No secret stands in the argv. Sources: facts/opencode.md sections 1 and 4.
 */
import type { LaunchInput, LaunchPlan, ServerDoor } from "./adapter.js";
import { hasOption, optionValue, withoutOptions } from "./launch-args.js";
import { wirePeer } from "./launch-wiring.js";
import { configContent } from "./opencode-config.js";

const SESSION = ["--session", "-s"];
const SESSION_ALONE = ["--continue", "-c", "--fork"];
const USER = "opencode";

/** Host names under which the server is reached on 127.0.0.1. */
const HERE: readonly (string | null)[] = [null, "127.0.0.1", "localhost", "0.0.0.0", "::"];

const sessionArgs = ({ args, resume }: LaunchInput): readonly string[] =>
  resume === null ? args : [...withoutOptions(args, SESSION, SESSION_ALONE), "--session", resume];

/** The user's own port; null when they leave it to the CLI (0 means any). */
const ownPort = (args: readonly string[]): number | null => {
  const port = Number(optionValue(args, ["--port"]) ?? 0);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
};

const doorOf = (input: LaunchInput): ServerDoor | null => {
  const { args, wiring, server } = input;
  if (!wiring.bridge || server === undefined || !HERE.includes(optionValue(args, ["--hostname"]))) return null;
  const env = { ...input.inherited, ...input.env };
  return {
    port: ownPort(args) ?? server.port,
    user: env.OPENCODE_SERVER_USERNAME || USER,
    password: env.OPENCODE_SERVER_PASSWORD || server.password,
    cliSession: input.resume ?? optionValue(args, SESSION),
  };
};

const serverArgs = (args: readonly string[], door: ServerDoor): readonly string[] => [
  ...(ownPort(args) === null ? [...withoutOptions(args, ["--port"]), "--port", String(door.port)] : args),
  // mDNS opens the server to the network: that is the user's word on the host name.
  ...(hasOption(args, ["--hostname", "--mdns"]) ? [] : ["--hostname", "127.0.0.1"]),
];

export const launchOpencode = (input: LaunchInput): LaunchPlan => {
  const { wiring, prompt } = input;
  const door = doorOf(input);
  const args = sessionArgs(input);
  const own = input.env.OPENCODE_CONFIG_CONTENT ?? input.inherited?.OPENCODE_CONFIG_CONTENT;
  // Its server tells of its turns, and not the bridge.
  const wired = wirePeer(input, false);
  return {
    ...wired,
    argv: [
      input.command ?? "opencode",
      ...(door === null ? args : serverArgs(args, door)),
      // Joined by "=": a prompt may begin with a dash.
      ...(prompt === null ? [] : [`--prompt=${prompt}`]),
    ],
    env: {
      ...wired.env,
      OPENCODE_CONFIG_CONTENT: configContent(own, wiring.mcpUrl),
      ...(door === null ? {} : { OPENCODE_SERVER_PASSWORD: door.password }),
    },
    secrets: door === null ? wired.secrets : [...wired.secrets, "OPENCODE_SERVER_PASSWORD"],
    door,
  };
};
