/** A real Copilot CLI without a login: a provider of one's own, a trusted folder. Source: facts/other-clis.md section 3. */
import { programOf } from "./programs.js";
import { type CliSetUp, MADE_UP_KEY } from "./room.js";

export const copilotCli = (): CliSetUp => (room) => ({
  kind: "copilot",
  env: {
    COPILOT_OFFLINE: "true",
    COPILOT_PROVIDER_BASE_URL: `${room.modelUrl}/v1`,
    COPILOT_PROVIDER_TYPE: "openai",
    COPILOT_PROVIDER_API_KEY: MADE_UP_KEY,
    COPILOT_MODEL: "scripted",
    COPILOT_AUTO_UPDATE: "false",
  },
  settings: { command: room.program("copilot", [...programOf("copilot"), "--no-auto-update"]) },
  trust: (folder) => void room.seed(".copilot/config.json", { trustedFolders: [folder] }),
});
