/** Runs the benchmarks that are named by their letters, or all, one after the other; prints JSON lines and one table. */
import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import { measureCrowd } from "./crowd.js";
import { measureDurableSends } from "./durable-sends.js";
import { type Figure, jsonLine, type Report, tableOf } from "./figures.js";
import { measureIdle, measureMemory } from "./idle.js";
import { measureMailbox } from "./mailbox.js";
import { measureScanner } from "./scanner.js";
import { measureSends } from "./send-to-submitted.js";
import { measureStarts } from "./start.js";
import { measureTurnEnds } from "./turn-end.js";

const BENCHES: Readonly<Record<string, (report: Report) => Promise<void>>> = {
  a: measureSends,
  b: measureTurnEnds,
  c: measureIdle,
  d: measureMemory,
  e: measureDurableSends,
  f: measureScanner,
  g: measureStarts,
  h: measureCrowd,
  m: measureMailbox,
};

const names = process.argv.slice(2).filter((word) => !word.startsWith("-"));
for (const name of names) {
  if (!Object.hasOwn(BENCHES, name)) {
    console.error(`There is no benchmark "${name}". They are: ${Object.keys(BENCHES).join(" ")}.`);
    process.exit(2);
  }
}
const tmux = execFileSync("tmux", ["-V"], { encoding: "utf8" }).trim();
console.log(JSON.stringify({ cores: cpus().length, processor: cpus()[0]?.model, node: process.version, tmux }));

const figures: Figure[] = [];
let failed = false;
for (const name of names.length === 0 ? Object.keys(BENCHES) : names) {
  try {
    await BENCHES[name]?.((figure) => {
      figures.push(figure);
      console.log(jsonLine(figure));
    });
  } catch (error) {
    failed = true;
    console.error(`benchmark ${name} failed:`, error);
  }
}
console.log(`\n${tableOf(figures)}`);
process.exit(failed ? 1 : 0);
