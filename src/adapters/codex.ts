/** Codex: a full peer whose turn-end helper brings its answers, with OSC 7501 for all between and its rollout for the rest. */
import type { Adapter } from "./adapter.js";
import { interpretCodex } from "./codex-interpret.js";
import { launchCodex } from "./codex-launch.js";
import { codexLine } from "./codex-line.js";
import { codexSettings } from "./codex-notify.js";
import { codexLog } from "./codex-rollout.js";

export const codex: Adapter = {
  kind: "codex",
  title: "Codex",
  program: "codex",
  traits: {
    level: "full peer",
    typing: "between turns",
    turns: "bridge",
    reporter: { graceMs: 30_000, remedy: "file mailbox", tells: "ends" },
    registry: true,
  },
  line: codexLine,
  // A quick Enter behind text is a line feed to its burst detection: 5 of 5 were taken from 20 ms on (facts/codex.md, 8).
  enterAfterMs: 50,
  // It reports without asking first.
  programStatus: null,
  settings: codexSettings,
  launch: launchCodex,
  interpret: interpretCodex,
  bridgeSwitch: null,
  resync: null,
  log: codexLog,
};
