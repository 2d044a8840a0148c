/** OpenCode: a full peer whose turns are read from the server that its TUI runs. It prints no OSC 7501. */
import type { Adapter } from "./adapter.js";
import { heeds, interpretOpencode, readsOf } from "./opencode-interpret.js";
import { launchOpencode } from "./opencode-launch.js";
import { opencodeLine } from "./opencode-line.js";

export const opencode: Adapter = {
  kind: "opencode",
  title: "OpenCode",
  program: "opencode",
  traits: {
    level: "full peer",
    typing: "between turns",
    turns: "bridge",
    reporter: { graceMs: 30_000, remedy: "relaunch with its server" },
  },
  line: opencodeLine,
  enterAfterMs: 0,
  programStatus: null,
  launch: launchOpencode,
  interpret: interpretOpencode,
  bridgeSwitch: null,
  resync: null,
  server: { health: "/global/health", events: "/event", heeds, reads: readsOf },
};
