/**
 * A real Pi without a person: a provider of its own that is the scripted model, a made-up key, nothing that it would
 * fetch. Source: facts/other-clis.md section 1.
 */
import { programOf } from "./programs.js";
import { type CliSetUp, MADE_UP_KEY } from "./room.js";

export const piCli = (): CliSetUp => (room) => {
  room.seed(".pi/agent/models.json", {
    providers: {
      fake: {
        baseUrl: `${room.modelUrl}/v1`,
        api: "openai-completions",
        apiKey: MADE_UP_KEY,
        models: [{ id: "fake-1", contextWindow: 200_000, maxTokens: 8_000 }],
      },
    },
  });
  return {
    kind: "pi",
    env: { PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" },
    settings: { command: room.program("pi", [...programOf("pi"), "--model", "fake/fake-1"]) },
    // It asks only about folders with settings of their own.
    trust: () => undefined,
  };
};
