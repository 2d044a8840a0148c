/**
 * (b) From the end of a turn, as the program tells it, until the next queued message is on its line. With OSC 7501 the
 * end is final at once; without it the Stop hook alone is a candidate for 400 ms, which is taken off. Beside it the
 * bare typing transaction, begun when the fixture itself says that its turn is over.
 */
import { openBareTerminal } from "./bare-terminal.js";
import { elapse, scaled } from "./clock.js";
import { type BenchEngine, startBenchEngine } from "./engine-in-process.js";
import { aim, type Report, summarize } from "./figures.js";
import { openStage, type Stage } from "./stage.js";

/** STOP_SETTLES_MS of src/bus/limits.ts: what a candidate end must wait for. */
const SETTLING_MS = 400;

type Gaps = { readonly pasted: number[]; readonly submitted: number[] };

/** One busy terminal with one queued message, its turn ended; how long after that the message came. */
const oneGap = async (
  stage: Stage,
  name: string,
  type: (ended: Promise<unknown>) => Promise<unknown>,
): Promise<[number, number]> => {
  const ended = stage.next(name, "ended");
  const pasted = stage.next(name, "pasted");
  const submitted = stage.next(name, "submitted");
  stage.order(name, { kind: "end" });
  const [end, paste, submit] = await Promise.all([ended, pasted, submitted, type(ended)]);
  return [paste.at - end.at, submit.at - end.at];
};

const gapsOf = async (stage: Stage, engine: BenchEngine, name: string, rounds: number, more: Gaps): Promise<void> => {
  stage.order(name, { kind: "turns", ms: null });
  const first = stage.next(name, "submitted");
  await engine.send(name, "Begin with the first module, please.");
  await first;
  for (let round = 0; round < rounds; round += 1) {
    await elapse(60);
    await engine.send(name, `Then go on with module ${round}, and say what you found there.`);
    // A turn lasts longer than the proof that its line is empty.
    await elapse(700);
    const [pasted, submitted] = await oneGap(stage, name, async () => {});
    more.pasted.push(pasted);
    more.submitted.push(submitted);
  }
  stage.order(name, { kind: "turns", ms: 5 });
  stage.order(name, { kind: "end" });
  await engine.idle(name);
};

export const measureTurnEnds = async (report: Report): Promise<void> => {
  const rounds = Math.max(5, Math.round(scaled("BENCH_N", 300) / 3));
  const stage = await openStage();
  const bare = await openBareTerminal(stage, "bare");
  const engine = await startBenchEngine(stage);
  const gaps = { reported: { pasted: [], submitted: [] }, hooks: { pasted: [], submitted: [] } } as Record<
    string,
    Gaps
  >;
  const base: Gaps = { pasted: [], submitted: [] };
  try {
    await engine.launch("impl");
    await engine.launch("quiet", { QUAY_BENCH_REPORTS: "off" });
    stage.order("bare", { kind: "turns", ms: null });
    const first = stage.next("bare", "submitted");
    await bare.type("Begin.");
    await first;
    for (let block = 0; block < 5; block += 1) {
      await gapsOf(stage, engine, "impl", rounds / 5, gaps.reported!);
      await gapsOf(stage, engine, "quiet", rounds / 5, gaps.hooks!);
      for (let round = 0; round < rounds / 5; round += 1) {
        await elapse(60);
        const text = `Then go on with module ${block}.${round}, and say what you found there.`;
        const [pasted, submitted] = await oneGap(stage, "bare", (ended) => ended.then(() => bare.type(text)));
        base.pasted.push(pasted);
        base.submitted.push(submitted);
      }
    }
  } finally {
    await engine.stop();
    await bare.stop();
    await stage.close();
  }
  const baselines = (key: keyof Gaps) => [{ name: "told by the program, bare typing", measured: summarize(base[key]) }];
  for (const [id, name, key, settling] of [
    ["b1", "turn end (hook, OSC 7501 done) to next message typed", "reported", 0],
    ["b2", "turn end (hook alone) to next message typed, less 400 ms", "hooks", SETTLING_MS],
  ] as const) {
    const pasted = summarize(gaps[key]!.pasted.map((ms) => ms - settling));
    const submitted = summarize(gaps[key]!.submitted.map((ms) => ms - settling));
    report({
      id,
      name,
      unit: "ms",
      measured: pasted,
      baselines: baselines("pasted"),
      aims: [aim("p95 <= 40 ms", pasted.p95 <= 40)],
    });
    report({
      id: `${id}s`,
      name: `${name}, and submitted`,
      unit: "ms",
      measured: submitted,
      baselines: baselines("submitted"),
      aims: [],
    });
  }
};
