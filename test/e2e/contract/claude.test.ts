/** The real Claude Code through the contract of a full peer. */
import { claudeCode } from "../../support/clis/claude.js";
import { call } from "../../support/model-server.js";
import { fullPeerContract } from "./full-peer.js";
import { pressTwice } from "./hands.js";

fullPeerContract({
  kind: "claude",
  title: "Claude Code",
  setUp: ({ permissions, reporter }) => claudeCode({ permissions, bridge: reporter === "on" }),
  quayTool: (name, input) => call(`mcp__quay-a2a__${name}`, input),
  asksFirst: call("Bash", { command: "touch touched", description: "Touch" }),
  dialog: /Do you want to proceed\?/,
  // Below its last full-width rule.
  dialogPart: (screen) => screen.split(/─{40,}/).at(-1) ?? "",
  approve: ["Enter"],
  interrupt: ["Escape"],
  quit: (stage, name) => pressTwice(stage, name, "C-c", /again to exit/),
  // A long paste reaches the model in a wrap of the CLI's own.
  heard: (prompt) => /^<pasted_content id="(\w+)">\n([\s\S]*)\n<\/pasted_content id="\1">$/.exec(prompt)?.[2] ?? prompt,
  unreported: { level: "listener", status: "unknown", outcome: "cannotReply" },
});
