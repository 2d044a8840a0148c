/** The real Codex through the contract of a full peer. */
import { codexCli } from "../../support/clis/codex.js";
import { call } from "../../support/model-server.js";
import { fullPeerContract } from "./full-peer.js";
import { pressOnce } from "./hands.js";

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
  quit: (stage, name) => pressOnce(stage, name, "C-c"),
  unreported: { level: "listener", status: "unknown", outcome: "cannotReply" },
});
