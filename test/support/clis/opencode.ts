/**
 * A real OpenCode without a person: a provider of its own that is the scripted model, nothing that it would fetch, a
 * made-up key. Source: facts/opencode.md section 1.
 */
import { programOf } from "./programs.js";
import { type CliSetUp, MADE_UP_KEY, type Permissions } from "./room.js";

export type OpencodeOptions = {
  readonly permissions?: Permissions;
  /** false: Quay does not read its server. */
  readonly bridge?: boolean;
};

const PROVIDER = "scripted";
const MODEL = `${PROVIDER}/scripted-model`;

export const openCode =
  ({ permissions = "allow", bridge = true }: OpencodeOptions = {}): CliSetUp =>
  (room) => {
    // The person's own configuration, as Quay finds it: it stays in force.
    room.seed(".config/opencode/opencode.json", {
      model: MODEL,
      small_model: MODEL,
      enabled_providers: [PROVIDER],
      provider: {
        [PROVIDER]: {
          npm: "@ai-sdk/openai-compatible",
          name: "Scripted",
          options: { baseURL: `${room.modelUrl}/v1`, apiKey: MADE_UP_KEY },
          models: {
            "scripted-model": { name: "Scripted model", tool_call: true, limit: { context: 200_000, output: 8_000 } },
          },
        },
      },
      permission: { bash: permissions === "ask" ? "ask" : "allow" },
    });
    return {
      kind: "opencode",
      env: {
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
        OPENCODE_DISABLE_SHARE: "1",
        // It installs a package of its own in the background, and its first turn waits for that; without it all goes on.
        npm_config_registry: "http://127.0.0.1:9/",
        npm_config_fetch_retries: "0",
      },
      settings: { command: room.program("opencode", programOf("opencode")), bridge },
      trust: () => {},
    };
  };
