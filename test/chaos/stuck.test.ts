/**
 * The terminal under the screen is stuck: whoever reads it stands still. Mission Control and the engine are one process,
 * and what hooks tell is taken as soon as without it.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { ofKind } from "../support/chaos-books.js";
import { type ChaosStage, createChaosStage, type DrillAgent, scaled } from "../support/chaos-stage.js";
import { openTerminal, type StuckableTerminal } from "../support/chaos-terminal.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

let stage: ChaosStage;
let terminal: StuckableTerminal | null = null;
beforeEach(async () => {
  stage = await createChaosStage();
});
afterEach(async () => {
  terminal?.close();
  await stage.close();
});

/** The most that a stuck terminal may add to the way of a hook, in ms. */
const MOST_MS = 50;
const ROUNDS = scaled(3, 10);
const HOOKS = 15;

/** ms from the file that a hook leaves to: its facts are durable and the file gone; a reader of the engine was told. */
type Delay = { readonly taken: number; readonly told: number };

const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;
const worst = (all: readonly number[]): number => Math.max(...all);
const words = (name: string, all: readonly number[]): string =>
  `${name}: median ${median(all).toFixed(1)} ms, worst ${worst(all).toFixed(1)} ms`;

describe("a stuck terminal under the screen", () => {
  verifies("hazard:stuck-terminal", "delays no hook", async () => {
    terminal = openTerminal(stage.screenCommand(), stage.env, join(stage.folder, "work"));
    await stage.connect();
    await until(
      () => terminal!.said().includes("Trail"),
      20_000,
      () => `the screen: ${terminal!.said()}`,
    );
    const agent = await stage.launch("worker", { DRILL_OSC: "off" });
    const hook = hooksOf(agent);
    const free: Delay[] = [];
    const stuck: Delay[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      // Alternately, so that what else the machine does falls on both.
      for (let n = 0; n < HOOKS; n += 1) free.push(await hook(`free ${round}.${n}`));
      await terminal.stick();
      for (let n = 0; n < HOOKS; n += 1) stuck.push(await hook(`stuck ${round}.${n}`));
      // The screen writes changed cells only: in this one each cell is another one.
      const last = String.fromCharCode(65 + round).repeat(12);
      stuck.push(await hook(last));
      expect(terminal.said()).not.toContain(last);
      terminal.unstick();
      await until(
        () => terminal!.said().includes(last),
        10_000,
        () => `what was last told: ${JSON.stringify(terminal!.said().slice(-700))}`,
      );
    }
    for (const what of ["taken", "told"] as const) {
      const [bare, under] = [free.map((one) => one[what]), stuck.map((one) => one[what])];
      console.log(`hooks ${what}; ${words("free", bare)}; ${words("stuck", under)}`);
      expect(median(under) - median(bare)).toBeLessThan(MOST_MS);
      expect(worst(under) - worst(bare)).toBeLessThan(MOST_MS);
    }
    expect(terminal.isGone()).toBe(false);
    await stage.send("worker", "and messages go on");
    await until(() => agent.submissions().length === 1, 20_000, "the message");
  });
});

const untilGone = (file: string): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => void (existsSync(file) ? setTimeout(look, 1) : resolve());
    look();
  });

/** Leaves the hook of a prompt as the hook script does, and gives how long it was on its way. */
const hooksOf = (agent: DrillAgent): ((prompt: string) => Promise<Delay>) => {
  const pid = ofKind(agent.lines(), "started")[0]!.pid;
  const env = new Map(
    readFileSync(`/proc/${pid}/environ`, "utf8")
      .split("\0")
      .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] as const),
  );
  const given = (name: string): string => env.get(name) ?? "";
  const folder = given("QUAY_SPOOL");
  const cliSession = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("--session-id")[1]?.split("\0")[1] ?? "";
  const head = (event: string): string =>
    ["quay1", event, given("QUAY_EVENTS_SECRET"), given("TMUX_PANE"), String(pid)].join("\t");
  let serial = 0;
  const leave = (event: string, payload: object): string => {
    serial += 1;
    const name = `${BigInt(Date.now()) * 1_000_000n + BigInt(serial % 1_000_000)}-${serial}`;
    const common = { session_id: cliSession, hook_event_name: event };
    writeFileSync(join(folder, `.${name}.part`), `${head(event)}\n${JSON.stringify({ ...common, ...payload })}`, {
      mode: 0o600,
    });
    renameSync(join(folder, `.${name}.part`), join(folder, `${name}.event`));
    void fetch(given("QUAY_EVENTS_URL"), {
      method: "POST",
      headers: { authorization: `Bearer ${given("QUAY_EVENTS_SECRET")}` },
      body: "",
    }).then((answer) => answer.arrayBuffer());
    return join(folder, `${name}.event`);
  };
  return async (prompt) => {
    const at = performance.now();
    const file = leave("UserPromptSubmit", { prompt_id: `prompt ${serial}`, prompt });
    const taken = untilGone(file).then(() => performance.now() - at);
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`${prompt} was not heard: ${JSON.stringify(agent.view())}`)),
        10_000,
      );
      const look = (): void => {
        if (agent.view().taskTitle !== prompt) return;
        clearTimeout(late);
        stop();
        resolve();
      };
      const stop = stage.client().subscribe(look);
      look();
    });
    const told = performance.now() - at;
    leave("Stop", {
      prompt_id: `prompt ${serial - 1}`,
      stop_hook_active: false,
      last_assistant_message: prompt,
      background_tasks: [],
    });
    return { taken: await taken, told };
  };
};
