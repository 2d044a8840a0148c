/**
 * (h) Many agents that print all the time: processor time of the engine and of tmux, and how long a send to an idle
 * terminal takes meanwhile. Beside it the same agents in the same tmux with no engine, and the same send at rest.
 */
import { execFileSync } from "node:child_process";
import { elapse, monotonic, scaled } from "./clock.js";
import { type ServedEngine, serveEngine } from "./engine-process.js";
import { type Report, single, summarize } from "./figures.js";
import { readCpu, startCpu } from "./processes.js";
import { openStage, type Stage } from "./stage.js";

const sendTimes = async (stage: Stage, engine: ServedEngine, count: number): Promise<readonly number[]> => {
  const times: number[] = [];
  for (let round = 0; round < count; round += 1) {
    await elapse(400);
    const submitted = stage.next("impl", "submitted");
    const start = monotonic();
    const caller = { kind: "person", as: null, project: null } as const;
    const text = `Please look at the parser once more, round ${round}.`;
    const answer = engine.ask({ kind: "send", caller, target: "impl", text, wait: false, raw: false });
    const [{ at }, answered] = await Promise.all([submitted, answer]);
    if (!answered.ok) throw new Error(answered.message);
    times.push(at - start);
  }
  return times;
};

const linesPrinted = (stage: Stage, { tmuxPid, socket }: ServedEngine): number => {
  const sizes = execFileSync("tmux", ["-S", socket, "list-panes", "-a", "-F", "#{history_size}"], {
    env: stage.env,
    encoding: "utf8",
  });
  if (sizes === "") throw new Error(`tmux ${tmuxPid} lists no panes`);
  return sizes.split("\n").reduce((sum, size) => sum + Number(size), 0);
};

export const measureCrowd = async (report: Report): Promise<void> => {
  const agents = scaled("BENCH_CROWD_AGENTS", 200);
  const lines = scaled("BENCH_CROWD_LINES", 20);
  const seconds = scaled("BENCH_CROWD_SECONDS", 20);
  const sends = Math.max(5, Math.round(scaled("BENCH_N", 300) / 10));
  const stage = await openStage();
  try {
    const engine = await serveEngine(stage);
    await engine.launchAll(["impl"], "agent");
    const atRest = await sendTimes(stage, engine, sends);
    const names = Array.from({ length: agents }, (_, index) => `printer-${index + 1}`);
    await engine.launchAll(names, "printer", { QUAY_BENCH_LINES: String(lines) });
    await elapse(3_000);
    const helpers = engine.helpers();
    const printed = linesPrinted(stage, engine);
    const [own, clients, server] = [startCpu([engine.pid]), startCpu(helpers), startCpu([engine.tmuxPid])];
    await elapse(seconds * 1_000);
    const [ownCpu, clientsCpu, serverCpu] = [readCpu(own), readCpu(clients), readCpu(server)];
    const rate = (linesPrinted(stage, engine) - printed) / seconds;
    const meanwhile = await sendTimes(stage, engine, sends);
    await engine.stop();
    await elapse(1_000);
    const alone = startCpu([engine.tmuxPid]);
    await elapse(Math.min(seconds, 10) * 1_000);
    const aloneCpu = readCpu(alone);
    const suffix = `${agents} agents, ${lines} lines/s each`;
    report({
      id: "h1",
      name: `${suffix}: engine`,
      unit: "% of a core",
      measured: single(ownCpu),
      baselines: [
        { name: "lines printed in all", unit: "/s", measured: single(rate) },
        { name: "its tmux clients", measured: single(clientsCpu) },
        { name: "tmux server", measured: single(serverCpu) },
        { name: "tmux server with no engine", measured: single(aloneCpu) },
      ],
      aims: [],
    });
    report({
      id: "h2",
      name: `${suffix}: send to submitted meanwhile, over /api`,
      unit: "ms",
      measured: summarize(meanwhile),
      baselines: [{ name: "the same at rest", measured: summarize(atRest) }],
      aims: [],
    });
  } finally {
    await stage.close();
  }
};
