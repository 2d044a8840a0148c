/** The real OpenCode through the contract of a full peer. */
import { openCode } from "../../support/clis/opencode.js";
import { call } from "../../support/model-server.js";
import { until } from "../../support/until.js";
import { fullPeerContract } from "./full-peer.js";
import { pressOnce } from "./hands.js";

fullPeerContract({
  kind: "opencode",
  title: "OpenCode",
  setUp: ({ permissions, reporter }) => openCode({ permissions, bridge: reporter === "on" }),
  quayTool: (name, input) => call(`quay-a2a_${name}`, input),
  asksFirst: call("bash", { command: "touch touched", description: "Touch" }),
  dialog: /Permission required/,
  dialogPart: (screen) => screen.split("△").at(-1) ?? "",
  approve: ["Enter"],
  async interrupt(stage, name) {
    stage.press(name, "Escape");
    await until(() => stage.screen(name).includes("esc again to interrupt"), 5_000, "its question");
    stage.press(name, "Escape");
  },
  quit: (stage, name) => pressOnce(stage, name, "C-c"),
  // A paste that it shows as a chip gets one blank behind it.
  heard: (prompt) => prompt.replace(/ $/, ""),
  typable: /Ask anything/,
  unreported: { level: "listener", status: "unknown", outcome: "cannotReply" },
});
