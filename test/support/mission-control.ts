/** Mission Control on a virtual terminal with time that the test winds. */
import { afterEach, describe } from "vitest";
import type { Snapshot } from "../../src/bus/views.js";
import { type MissionControlOptions, type RunningScreen, runMissionControl, runTrail } from "../../src/tui/render.js";
import { type FakeClient, fakeClient } from "./fake-client.js";
import { type ManualTiming, manualTiming, settled } from "./manual-timing.js";
import { until } from "./until.js";
import { type VirtualTerminal, virtualTerminal } from "./virtual-terminal.js";

export type Shown = {
  readonly screen: RunningScreen;
  readonly client: FakeClient;
  readonly terminal: VirtualTerminal;
  readonly timing: ManualTiming;
  /** Types, and lets the frame that follows be drawn. */
  readonly press: (...keys: readonly string[]) => Promise<void>;
  /** Shows another snapshot, and lets it be drawn. */
  readonly change: (snapshot: Snapshot) => Promise<void>;
};

type Dimensions = readonly [columns: number, rows: number];

/** The body's tests at a narrow size, the usual one and a wide one. */
export const atEachSize = (body: (size: Dimensions) => void, what = ""): void => {
  for (const size of [
    [40, 20],
    [80, 24],
    [200, 50],
  ] as const)
    describe(`${what}at ${size.join("x")}`, () => body(size));
};

/** A screen's text whatever its breaks of lines. */
export const flat = (text: string): string => text.replace(/\s+/g, " ");

const running: RunningScreen[] = [];
const clocks: ManualTiming[] = [];

afterEach(async () => {
  for (const screen of running.splice(0)) {
    screen.stop();
    await settled();
    for (const clock of clocks.splice(0)) await clock.advance(1000);
    await screen.done.catch(() => undefined);
  }
});

export const showMissionControl = async (
  snapshot: Snapshot,
  size: Dimensions = [80, 24],
  options: Partial<MissionControlOptions> & { readonly trailOnly?: boolean } = {},
): Promise<Shown> => {
  const { trailOnly = false, ...rest } = options;
  const client = fakeClient(snapshot);
  const terminal = virtualTerminal(...size);
  const timing = manualTiming();
  const run = trailOnly ? runTrail : runMissionControl;
  const screen = run({
    client,
    stdin: terminal.stdin,
    stdout: terminal.stdout,
    insideTmux: null,
    timing,
    depth: "all",
    ...rest,
  });
  running.push(screen);
  clocks.push(timing);
  await until(async () => (await terminal.text()).includes("Trail"), 10_000);
  await settled();
  return {
    screen,
    client,
    terminal,
    timing,
    press: async (...keys) => {
      for (const key of keys) {
        terminal.type(key);
        await settled();
        await timing.advance(100);
      }
    },
    change: async (next) => {
      client.show(next);
      await settled();
      await timing.advance(200);
    },
  };
};
