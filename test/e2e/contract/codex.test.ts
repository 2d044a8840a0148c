/** The real Codex through the contract of a full peer. */
import { codexCli } from "../../support/clis/codex.js";
import { call } from "../../support/model-server.js";
import { until } from "../../support/until.js";
import { fullPeerContract } from "./full-peer.js";

fullPeerContract({
  kind: "codex",
  title: "Codex",
  setUp: ({ permissions, reporter }) => codexCli({ permissions, bridge: reporter === "on" }),
  quayTool: (name, input) => call(`mcp__quay_a2a/${name}`, input),
  asksFirst: call("exec_command", {
    cmd: "touch touched",
    sandbox_permissions: "require_escalated",
    justification: "Touch",
  }),
  dialog: /Would you like to run the following command\?/,
  dialogPart: (screen) => screen.slice(screen.lastIndexOf("Would you like to run")),
  approve: ["Enter"],
  interrupt: ["Escape"],
  // On an empty line it ends at once; while it draws its greeting it takes no notice.
  async quit(stage, name) {
    let pressedAt = 0;
    await until(
      () => {
        if (stage.agent(name).exit !== null) return true;
        if (Date.now() - pressedAt > 2_000) {
          stage.press(name, "C-c");
          pressedAt = Date.now();
        }
        return false;
      },
      20_000,
      () => `its end: ${stage.story()}`,
    );
  },
  unreported: { level: "listener", status: "unknown", outcome: "cannotReply" },
});
