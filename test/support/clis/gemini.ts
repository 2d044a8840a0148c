/** A real Gemini CLI without a person: a key of its own, no trust question, no updates. Source: facts/other-clis.md section 2. */
import { programOf } from "./programs.js";
import { type CliSetUp, MADE_UP_KEY } from "./room.js";

export const geminiCli = (): CliSetUp => (room) => {
  room.seed(".gemini/settings.json", {
    security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    telemetry: { enabled: false },
    privacy: { usageStatisticsEnabled: false },
    ui: { hideBanner: true, hideTips: true, autoThemeSwitching: false },
    model: { name: "scripted" },
  });
  return {
    kind: "gemini",
    env: { GOOGLE_GEMINI_BASE_URL: room.modelUrl, GEMINI_API_KEY: MADE_UP_KEY, COLORTERM: "truecolor" },
    settings: { command: room.program("gemini", [...programOf("gemini"), "-m", "scripted"]) },
    // It asks nothing: folder trust is switched off.
    trust: () => undefined,
  };
};
