/**
 * (g) From the start of `quay serve` until it is ready: with an empty state folder, with one in which 1,000,000 facts
 * went through the journal and its checkpoints, and with that one beside a tmux server that runs already, as after a
 * restart. Beside it Node alone, and the command line's own start.
 */
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { claude } from "../../src/adapters/claude.js";
import { callId, deliveryId, terminalId } from "../../src/bus/ids.js";
import type { Effect, Input } from "../../src/bus/protocol.js";
import { emptyState } from "../../src/bus/state.js";
import type { TerminalRecord } from "../../src/bus/terminal.js";
import { createEngine } from "../../src/engine/engine.js";
import { openStore } from "../../src/store/store.js";
import { isAlive } from "../support/tmux-server.js";
import { until } from "../support/until.js";
import { monotonic, scaled } from "./clock.js";
import { serveEngine } from "./engine-process.js";
import { aim, type Report, single, summarize } from "./figures.js";
import { MAIN, openStage, type Stage } from "./stage.js";

/**
 * Fills the store by an engine of its own over the real journal: agents that get messages, take turns and answer, and
 * from time to time start anew, until that many facts were written. No tmux; the answers of the edges are played.
 */
export const fillStore = async (stage: Stage, wanted: number): Promise<number> => {
  const store = openStore({ database: join(stage.folder, "home/quay.db") });
  let written = 0;
  let now = Date.now() - 30 * 24 * 3_600_000;
  let effects: Effect[] = [];
  const { load, checkpoint, close } = store.journal;
  const journal = {
    append: async (facts: Parameters<typeof store.journal.append>[0]) => {
      written += facts.length;
      await store.journal.append(facts);
    },
    ...{ load, checkpoint, close },
  };
  const engineOf = (state: Parameters<typeof createEngine>[0]["state"]) =>
    createEngine({
      clock: { now: () => now, alarm: () => {} },
      journal,
      state,
      journaled: 0,
      perform: async (effect) => void effects.push(effect),
      onChange: () => {},
      log: {
        bug: (what) => {
          throw new Error(what);
        },
      },
    });
  const ids = Array.from({ length: 8 }, (_, index) => terminalId(`t-${index}`));
  let engine = engineOf(emptyState);
  const all = (inputs: readonly Input[]): Promise<unknown> => Promise.all(inputs.map((input) => engine.submit(input)));
  const observed = (terminal: Input & { kind: "observed" }): Input => terminal;
  await all(
    ids.map((id, index) => {
      const terminal: TerminalRecord = {
        ...{ id, name: `agent-${index}`, kind: "claude", project: stage.work, cwd: stage.work, traits: claude.traits },
        ...{ launchedAt: now, succeeds: null, relaunch: { args: [], env: {} }, preset: null },
      };
      return { kind: "terminalLaunched", terminal } as const;
    }),
  );
  await all(
    ids.map((terminal) =>
      observed({
        kind: "observed",
        terminal,
        observation: { kind: "ready", cliSession: `s-${terminal}`, cleared: false },
      }),
    ),
  );
  for (let round = 0; written < wanted; round += 1) {
    now += 60_000;
    if (round % 500 === 499) {
      // A restart drops what is beyond the trail's length.
      const state = engine.state();
      await engine.stop();
      engine = engineOf(state);
      await all([{ kind: "engineStarted" }, { kind: "tmuxReachable", reachable: true }]);
    }
    const caller = { kind: "person", as: null, project: null } as const;
    effects = [];
    await all(
      ids.map((id, index) => ({
        ...{ kind: "send", call: callId(`c-${round}-${index}`), delivery: deliveryId(`d-${round}-${index}`), caller },
        ...{ target: id, text: `Round ${round}: ${"look at the parser. ".repeat(10)}`, wait: false, raw: false },
      })),
    );
    const typed = effects.flatMap((effect) => (effect.kind === "paste" ? [effect] : []));
    await all(typed.map(({ terminal, delivery }) => ({ kind: "pasted", terminal, delivery })));
    await all(typed.map(({ terminal, delivery }) => ({ kind: "entered", terminal, delivery })));
    await all(
      typed.map(({ terminal, delivery, text }) =>
        observed({
          kind: "observed",
          terminal,
          observation: { kind: "turnStarted", cliTurn: delivery, prompt: text, automatic: false },
        }),
      ),
    );
    await all(
      typed.map(({ terminal, delivery }) => {
        const end = { kind: "answered", text: `I looked at it. ${"There is one thing. ".repeat(15)}` } as const;
        return observed({
          kind: "observed",
          terminal,
          observation: { kind: "turnStopped", cliTurn: delivery, end, subagentsRunning: false },
        });
      }),
    );
    now += 1_000;
    await all([{ kind: "alarm" }]);
  }
  await engine.stop();
  await store.close();
  return written;
};

const timesOf = (count: number, run: () => void): readonly number[] =>
  Array.from({ length: count }, () => {
    const start = monotonic();
    run();
    return monotonic() - start;
  });

const starts = async (stage: Stage, count: number, keepsTmux: boolean): Promise<readonly number[]> => {
  const times: number[] = [];
  for (let round = -1; round < count; round += 1) {
    const engine = await serveEngine(stage);
    if (round >= 0) times.push(engine.readyMs);
    await engine.stop();
    if (keepsTmux) continue;
    execFileSync("tmux", ["-S", engine.socket, "kill-server"], { env: stage.env });
    await until(() => !isAlive(engine.tmuxPid), 5_000, "the end of tmux");
  }
  return times;
};

export const measureStarts = async (report: Report): Promise<void> => {
  const count = 11;
  const facts = Math.round(scaled("BENCH_FACTS", 1_000_000));
  const stage = await openStage();
  const full = await openStage();
  try {
    const node = summarize(timesOf(count, () => execFileSync(process.execPath, ["-e", "0"])));
    const version = summarize(
      timesOf(count, () => execFileSync(process.execPath, [MAIN, "--version"], { env: stage.env })),
    );
    const baselines = [
      { name: "node -e 0", measured: node },
      { name: "quay --version", measured: version },
    ];
    const empty = summarize(await starts(stage, count, false));
    report({
      id: "g1",
      name: "start to ready, empty",
      unit: "ms",
      measured: empty,
      baselines,
      aims: [aim("<= 500 ms", empty.p50 <= 500)],
    });
    const start = monotonic();
    const written = await fillStore(full, facts);
    const fillMs = monotonic() - start;
    const size = statSync(join(full.folder, "home/quay.db")).size / 1e6;
    const filled = summarize(await starts(full, count, false));
    report({
      id: "g2",
      name: `start to ready, after ${written} facts`,
      unit: "ms",
      measured: filled,
      baselines: [
        { name: "empty (g1)", measured: empty },
        { name: "its file", unit: "MB", measured: single(size) },
        { name: "facts written", unit: "/s", measured: single((written / fillMs) * 1e3) },
      ],
      aims: [aim("<= 500 ms", filled.p50 <= 500)],
    });
    const again = summarize(await starts(full, count, true));
    report({
      id: "g3",
      name: "start to ready, the same beside a running tmux",
      unit: "ms",
      measured: again,
      baselines: [{ name: "tmux started with it (g2)", measured: filled }],
      aims: [],
    });
  } finally {
    await stage.close();
    await full.close();
  }
};
