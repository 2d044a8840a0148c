/** Claude Code: a full peer whose plugin tells of its turns, with OSC 7501 as the second signal. */
import type { Adapter } from "./adapter.js";
import { claudeBridgeSwitch, claudeFiles } from "./claude-files.js";
import { interpretClaude } from "./claude-interpret.js";
import { launchClaude } from "./claude-launch.js";
import { claudeLine } from "./claude-line.js";
import { claudePermission } from "./claude-permission.js";

export const claude: Adapter = {
  kind: "claude",
  title: "Claude Code",
  program: "claude",
  traits: {
    level: "full peer",
    typing: "between turns",
    turns: "bridge",
    reporter: { graceMs: 30_000, remedy: "relaunch with the bridge" },
    registry: true,
  },
  line: claudeLine,
  enterAfterMs: 0,
  // Written in its start-up block, some 50 ms before it asks; an answer to the question itself comes too late in tmux.
  programStatus: { answerAt: "?2031h" },
  launch: launchClaude,
  interpret: interpretClaude,
  permission: claudePermission,
  bridgeSwitch: claudeBridgeSwitch,
  resync: claudeFiles,
};
