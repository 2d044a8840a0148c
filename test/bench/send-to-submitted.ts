/**
 * (a) From the call of a send until the program on an idle terminal has its Enter; beside it one fsync and the bare
 * typing transaction, and the usual way of peers: send-keys -l, 300 ms, Enter. All take turns in one loop.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { openBareTerminal } from "./bare-terminal.js";
import { elapse, monotonic, scaled } from "./clock.js";
import { startBenchEngine } from "./engine-in-process.js";
import { aim, type Report, summarize } from "./figures.js";
import { openStage, type Stage } from "./stage.js";

const textOf = (round: number): string =>
  `Please look at the parser once more, round ${round}: the tests of module ${round % 17} still fail here.`;

/** Runs one way of typing; the time until the fixture had the Enter, ms. */
const timed = async (stage: Stage, name: string, type: () => Promise<unknown>): Promise<number> => {
  const submitted = stage.next(name, "submitted");
  const start = monotonic();
  const [{ at }] = await Promise.all([submitted, type()]);
  return at - start;
};

const peerWay = async (stage: Stage, socket: string, pane: string, text: string): Promise<void> => {
  const script = 'tmux -S "$1" send-keys -t "$2" -l "$3"; sleep 0.3; tmux -S "$1" send-keys -t "$2" Enter';
  const child = spawn("sh", ["-c", script, "sh", socket, pane, text], { env: stage.env, stdio: "ignore" });
  await once(child, "exit");
};

export const measureSends = async (report: Report): Promise<void> => {
  const rounds = scaled("BENCH_N", 300);
  const stage = await openStage();
  const bare = await openBareTerminal(stage, "bare");
  const engine = await startBenchEngine(stage);
  const times = { engine: [] as number[], bare: [] as number[], peer: [] as number[] };
  try {
    await engine.launch("impl");
    for (let round = -5; round < rounds; round += 1) {
      const text = textOf(round + 5);
      const bareTime = await timed(stage, "bare", () => bare.type(text));
      await engine.idle("impl");
      const engineTime = await timed(stage, "impl", () => engine.send("impl", text));
      if (round >= 0) {
        times.bare.push(bareTime);
        times.engine.push(engineTime);
        if (round % 10 === 0) {
          await elapse(20);
          times.peer.push(await timed(stage, "bare", () => peerWay(stage, bare.socket, bare.pane, text)));
        }
      }
      // Idle means that its last frame is old news.
      await elapse(250);
    }
  } finally {
    await engine.stop();
    await bare.stop();
    await stage.close();
  }
  const [measured, base] = [summarize(times.engine), summarize(times.bare)];
  report({
    id: "a",
    name: "send to submitted, idle terminal",
    unit: "ms",
    measured,
    baselines: [
      { name: "fsync + bare typing", measured: base },
      { name: "send-keys, 300 ms, Enter", measured: summarize(times.peer) },
    ],
    aims: [
      aim("p50 within 1.5x of bare typing", measured.p50 <= 1.5 * base.p50),
      aim("p95 <= 30 ms", measured.p95 <= 30),
    ],
  });
};
