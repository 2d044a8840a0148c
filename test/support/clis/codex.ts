/**
 * A real Codex without a person: a provider of its own that needs no login, and settings that keep it quiet. Source:
 * facts/codex.md section 1.
 */
import { join } from "node:path";
import { programOf } from "./programs.js";
import { type CliSetUp, MADE_UP_KEY, type Permissions, type Room } from "./room.js";

export type CodexOptions = {
  readonly permissions?: Permissions;
  /** false: Quay leaves out its turn-end helper. */
  readonly bridge?: boolean;
  /** The turn-end helper that the person has set. */
  readonly notify?: readonly string[];
};

export const codexFolder = (room: Room): string => join(room.home, ".codex");

const settingsOf = (room: Room, notify: readonly string[] | undefined): string =>
  [
    'model = "scripted"',
    'model_provider = "scripted"',
    "check_for_update_on_startup = false",
    ...(notify === undefined ? [] : [`notify = ${JSON.stringify(notify)}`]),
    "[model_providers.scripted]",
    'name = "scripted"',
    `base_url = "${room.modelUrl}/v1"`,
    'env_key = "SCRIPTED_KEY"',
    'wire_api = "responses"',
    "[analytics]",
    "enabled = false",
    "[feedback]",
    "enabled = false",
    "[features]",
    "plugins = false",
    "apps = false",
    "",
  ].join("\n");

export const codexCli =
  ({ permissions = "allow", bridge = true, notify }: CodexOptions = {}): CliSetUp =>
  (room) => {
    const trusted: string[] = [];
    const write = (): void => {
      const projects = trusted.map((folder) => `[projects."${folder}"]\ntrust_level = "trusted"\n`);
      room.seed(".codex/config.toml", settingsOf(room, notify) + projects.join(""));
    };
    write();
    const sandbox = permissions === "allow" ? "danger-full-access" : "workspace-write";
    const policy = permissions === "allow" ? "never" : "on-request";
    return {
      kind: "codex",
      env: { CODEX_HOME: codexFolder(room), SCRIPTED_KEY: MADE_UP_KEY },
      settings: { command: room.program("codex", [...programOf("codex"), "-a", policy, "-s", sandbox]), bridge },
      trust(folder) {
        trusted.push(folder);
        write();
      },
    };
  };
