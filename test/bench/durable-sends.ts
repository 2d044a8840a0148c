/**
 * (e) How many sends a second are durable: to busy terminals, so that each is a queued message and no typing, with many
 * callers at once, in the process of the engine and through the tool server. Beside it the journal alone with the same
 * callers, and one fsync for each message.
 */
import { fork } from "node:child_process";
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Fact } from "../../src/bus/protocol.js";
import { openStore } from "../../src/store/store.js";
import { monotonic, rateOf, scaled } from "./clock.js";
import { type BenchEngine, startBenchEngine } from "./engine-in-process.js";
import { aim, type Report, single } from "./figures.js";
import { openStage, type Stage } from "./stage.js";
import type { CallPlan, CallRates } from "./tool-callers.js";

const CALLERS = 200;
const SENDERS = 10;
/** Together below the burst that one token may ask of the bridge, so that its pace is not what is measured. */
const PER_SENDER = 180;
const LISTS = 80;

const body = (index: number): string =>
  `Message ${index}: ${"please look at the parser and say what you find there. ".repeat(4)}`.slice(0, 200);

const fsyncRate = (stage: Stage): number => {
  const file = openSync(join(stage.folder, "fsync"), "a");
  const start = monotonic();
  const count = 100;
  for (let index = 0; index < count; index += 1) {
    writeSync(file, `${body(index)}\n`);
    fdatasyncSync(file);
  }
  closeSync(file);
  return (count / (monotonic() - start)) * 1e3;
};

/** The journal with rows as large as a delivery's and its queue's. */
const journalRate = async (stage: Stage, count: number): Promise<number> => {
  const store = openStore({ database: join(stage.folder, "bare.db") });
  const facts = (index: number): readonly Fact[] =>
    [
      {
        kind: "deliveryAccepted",
        at: index,
        delivery: { id: `d-${index}`, text: body(index), typed: body(index), notes: [] },
      },
      { kind: "terminalChanged", at: index, terminal: "t-1", patch: { queue: [`d-${index}`] } },
    ] as unknown as readonly Fact[];
  try {
    return await rateOf(count, CALLERS, (index) => store.journal.append(facts(index)));
  } finally {
    await store.close();
  }
};

const makeBusy = async (stage: Stage, engine: BenchEngine, name: string): Promise<void> => {
  await engine.launch(name);
  stage.order(name, { kind: "turns", ms: null });
  const begun = stage.next(name, "submitted");
  await engine.send(name, "Begin, and work until you are told to stop.");
  await begun;
};

const ratesOverMcp = async (plan: CallPlan): Promise<CallRates> => {
  const child = fork(fileURLToPath(new URL("./tool-callers.js", import.meta.url)), { execArgv: [] });
  child.send(plan);
  return new Promise((resolve, reject) => {
    child.once("message", (rates) => resolve(rates as CallRates));
    child.once("exit", (code) => reject(new Error(`the callers of tools ended with ${code}`)));
  });
};

export const measureDurableSends = async (report: Report): Promise<void> => {
  const count = Math.round(scaled("BENCH_SENDS", 5_000));
  const stage = await openStage();
  const engine = await startBenchEngine(stage);
  try {
    const busy = Array.from({ length: 10 }, (_, index) => `busy-${index}`);
    for (const name of busy) await makeBusy(stage, engine, name);
    const senders = Array.from({ length: SENDERS }, (_, index) => `sender-${index}`);
    for (const name of senders) await engine.launch(name);
    const baselines = [
      { name: "journal alone, same callers", measured: single(await journalRate(stage, count)) },
      { name: "one fsync for each", measured: single(fsyncRate(stage)) },
    ];
    const hellos = await Promise.all(senders.map((name) => stage.hello(name)));
    const overMcp = await ratesOverMcp({
      url: hellos[0]!.url,
      tokens: hellos.map(({ token }) => token),
      targets: busy,
      perSender: PER_SENDER,
      lists: LISTS,
      atOnce: SENDERS * 5,
    });
    const spread = await rateOf(count, CALLERS, (index) => engine.send(busy[index % 10]!, body(index)));
    await makeBusy(stage, engine, "alone");
    const toOne = await rateOf(Math.min(count, 2_000), CALLERS, (index) => engine.send("alone", body(index)));
    const times = `${CALLERS} callers at once`;
    report({
      id: "e1",
      name: `durable sends, ${count} to 10 busy terminals, ${times}`,
      unit: "/s",
      measured: single(spread),
      baselines,
      aims: [aim(">= 5,000/s", spread >= 5_000)],
    });
    report({
      id: "e2",
      name: `durable sends, ${Math.min(count, 2_000)} to one busy terminal, ${times}`,
      unit: "/s",
      measured: single(toOne),
      baselines,
      aims: [aim(">= 5,000/s", toOne >= 5_000)],
    });
    report({
      id: "e3",
      name: `durable sends through MCP, ${SENDERS} senders, ${SENDERS * PER_SENDER} messages`,
      unit: "/s",
      measured: single(overMcp.sends),
      baselines: [
        { name: "quay_list_agents, which stores nothing", measured: single(overMcp.lists) },
        { name: "in the process (e1)", measured: single(spread) },
      ],
      aims: [],
    });
  } finally {
    await engine.stop();
    await stage.close();
  }
};
