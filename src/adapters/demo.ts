/**
 * The demo agent as a description: a scripted program that ships with Quay and behaves on the bus as a full peer.
 * Its events have the form of Claude Code's hooks, so they are understood by the same rules. Pure.
 */
import type { Adapter, LaunchInput, LaunchPlan } from "./adapter.js";
import { interpretClaude } from "./claude-interpret.js";
import { demoLine } from "./demo-line.js";
import { wirePeer } from "./launch-wiring.js";

/** The program beside the folder of the files that CLIs load: dist/adapters/assets and dist/demo/agent.js. */
const programFile = (assetsDir: string): string => `${assetsDir}/../../demo/agent.js`;

const launch = (input: LaunchInput): LaunchPlan => {
  const wired = wirePeer(input, input.wiring.bridge);
  return {
    ...wired,
    argv: [
      input.command ?? "node",
      programFile(input.wiring.assetsDir),
      "--session-id",
      input.resume ?? input.newSession,
      ...input.args,
      // A prompt may begin with a dash: what follows -- is never an option.
      ...(input.prompt === null ? [] : ["--", input.prompt]),
    ],
    // NODE_OPTIONS is another program's.
    unsetEnv: ["NODE_OPTIONS", ...wired.unsetEnv],
  };
};

export const demo: Adapter = {
  kind: "demo",
  title: "Demo agent (scripted, no model)",
  program: "node",
  traits: {
    level: "full peer",
    typing: "between turns",
    turns: "bridge",
    reporter: { graceMs: 30_000, remedy: "relaunch with the bridge" },
  },
  line: demoLine,
  enterAfterMs: 0,
  // It reports without asking first.
  programStatus: null,
  launch,
  interpret: interpretClaude,
  bridgeSwitch: null,
  resync: null,
};
