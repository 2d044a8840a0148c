/** Lines are looked at ahead only where a message waits for them. */
import { expect, test } from "vitest";
import { watchQueues } from "../../../src/engine/queue-watch.js";
import { startRig } from "../../support/engine-rig.js";

test("a line is looked at while a message waits for the end of a turn, and not otherwise", async () => {
  const rig = await startRig();
  await rig.launch("a");
  await rig.launch("b");
  const seen: string[] = [];
  const turns: (() => void)[] = [];
  const pauses: number[] = [];
  const watch = watchQueues({
    engine: rig.engine,
    typist: { glance: async (terminal) => void seen.push(terminal) },
    pause: (ms) => {
      pauses.push(ms);
      return new Promise((resolve) => void turns.push(resolve));
    },
  });
  const round = async (): Promise<readonly string[]> => {
    seen.length = 0;
    turns.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
    return [...seen];
  };
  expect(await round()).toEqual([]);
  await rig.sees("b", { kind: "turnStarted", cliTurn: "t1", prompt: "go", automatic: false });
  expect(await round()).toEqual([]);
  await rig.send("a", "b", "next");
  expect(await round()).toEqual([rig.idOf("b")]);
  expect(pauses).toEqual([400, 400, 400, 100]);
  await rig.engine.submit({ kind: "tmuxReachable", reachable: false });
  expect(await round()).toEqual([]);
  await rig.engine.submit({ kind: "tmuxReachable", reachable: true });
  expect(await round()).toEqual([rig.idOf("b")]);
  watch.stop();
  expect(await round()).toEqual([]);
});
