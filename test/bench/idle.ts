/**
 * (c) What agents at rest cost: processor time of the engine and of tmux, and bytes written to the terminal of a
 * Mission Control that shows them. Beside it the same agents in the same tmux after the engine has gone.
 * (d) What one more terminal adds to the memory of the engine that launches it, which also holds what its collector has
 * not taken yet; beside it engines that start beside few and many. Beside it what it adds to tmux.
 */
import { execFileSync } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../support/until.js";
import { elapse, scaled } from "./clock.js";
import { reachEngine, serveEngine } from "./engine-process.js";
import { aim, type Report, single, summarize } from "./figures.js";
import { readCpu, residentMb, startCpu } from "./processes.js";
import { MAIN, openStage, type Stage } from "./stage.js";

const names = (count: number, from = 1): readonly string[] =>
  Array.from({ length: count }, (_, index) => `agent-${from + index}`);

/** Mission Control on a terminal that a second tmux server gives; everything written to it goes to a file as well. */
const openMissionControl = async (stage: Stage): Promise<{ written(): number; screen(): string }> => {
  const screen = `quay-bench-screen-${process.pid}`;
  const file = join(stage.folder, "screen");
  writeFileSync(file, "");
  const tmux = (...words: readonly string[]): string =>
    execFileSync("tmux", ["-L", screen, "-f", "/dev/null", ...words], { env: stage.env, encoding: "utf8" });
  tmux("new-session", "-d", "-x", "160", "-y", "50", "-c", stage.work, "--", "sh");
  tmux("pipe-pane", "-O", `exec cat >>'${file}'`);
  const command = `exec env -u TMUX -u TMUX_PANE '${process.execPath}' '${MAIN}'`;
  tmux("send-keys", "-l", command);
  tmux("send-keys", "Enter");
  return { written: () => statSync(file).size, screen: () => tmux("capture-pane", "-p") };
};

export const measureIdle = async (report: Report): Promise<void> => {
  const agents = scaled("BENCH_IDLE_AGENTS", 50);
  const seconds = scaled("BENCH_IDLE_SECONDS", 60);
  const stage = await openStage();
  try {
    const mission = await openMissionControl(stage);
    const engine = await reachEngine(stage, 0);
    await engine.launchAll(names(agents), "idle");
    await until(() => mission.screen().includes("agent-1"), 10_000, "Mission Control to show its agents");
    await elapse(5_000);
    const helpers = engine.helpers();
    const bytes = mission.written();
    const [own, clients, server] = [startCpu([engine.pid]), startCpu(helpers), startCpu([engine.tmuxPid])];
    await elapse(seconds * 1_000);
    const [ownCpu, clientsCpu, serverCpu] = [readCpu(own), readCpu(clients), readCpu(server)];
    const written = mission.written() - bytes;
    await engine.stop();
    await elapse(1_000);
    const alone = startCpu([engine.tmuxPid]);
    await elapse(Math.min(seconds, 20) * 1_000);
    const aloneCpu = readCpu(alone);
    const suffix = `${agents} idle agents, ${seconds} s`;
    const sum = ownCpu + clientsCpu + serverCpu;
    report({
      id: "c1",
      name: `${suffix}: engine with Mission Control, its tmux clients and tmux`,
      unit: "% of a core",
      measured: single(sum),
      baselines: [
        { name: "of it the engine", measured: single(ownCpu) },
        { name: "of it the tmux server", measured: single(serverCpu) },
        { name: "tmux with the same agents and no engine", measured: single(aloneCpu) },
      ],
      aims: [aim("< 1 % of a core", sum < 1)],
    });
    report({
      id: "c2",
      name: `${suffix}: written to the screen`,
      unit: "bytes",
      measured: single(written),
      baselines: [{ name: "nothing changed", measured: single(0) }],
      aims: [aim("0 bytes", written === 0)],
    });
  } finally {
    await stage.close();
  }
};

/** Memory of engines that were started beside the agents of this stage, and left in peace; the median of three, MB. */
const restedMb = async (stage: Stage, agents: number): Promise<number> => {
  const sizes: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const engine = await serveEngine(stage);
    await elapse(8_000);
    const live = (await engine.snapshot()).agents.filter((agent) => agent.exit === null && agent.status === "idle");
    if (live.length !== agents) throw new Error(`the engine has taken over ${live.length} agents of ${agents}`);
    sizes.push(residentMb(engine.pid));
    await engine.stop();
  }
  return summarize(sizes).p50;
};

export const measureMemory = async (report: Report): Promise<void> => {
  const agents = scaled("BENCH_IDLE_AGENTS", 50);
  const stage = await openStage();
  try {
    const first = await serveEngine(stage);
    await first.launchAll(names(1), "idle");
    const tmuxOne = residentMb(first.tmuxPid);
    await first.stop();
    const one = await restedMb(stage, 1);
    const second = await serveEngine(stage);
    await elapse(8_000);
    const before = residentMb(second.pid);
    await second.launchAll(names(agents, 2), "idle");
    await elapse(8_000);
    const grown = (residentMb(second.pid) - before) / agents;
    const tmuxAll = residentMb(second.tmuxPid);
    await second.stop();
    const all = await restedMb(stage, agents + 1);
    const each = (all - one) / agents;
    report({
      id: "d",
      name: `memory per agent (growth of the engine that launches ${agents})`,
      unit: "MB",
      measured: single(grown),
      baselines: [
        { name: `engines started beside 1 and beside ${agents + 1}, per agent`, measured: single(each) },
        { name: "tmux server, per agent", measured: single((tmuxAll - tmuxOne) / agents) },
        { name: "engine with 1 agent, in all", measured: single(one) },
      ],
      aims: [aim("<= 0.6 MB", Math.max(each, grown) <= 0.6)],
    });
  } finally {
    await stage.close();
  }
};
