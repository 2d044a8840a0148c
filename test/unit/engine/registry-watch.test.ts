/** A registry is read once after each change, when it has come to rest, and only where OSC says nothing. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { TerminalId } from "../../../src/bus/ids.js";
import type { Engine } from "../../../src/engine/engine.js";
import { watchRegistries } from "../../../src/engine/registry-watch.js";
import { given } from "../../support/bus.js";
import { tempFolder } from "../../support/temp-folder.js";
import { until } from "../../support/until.js";

const NAME = "feature-impl";

const started = () => {
  const world = given("test-architect", { name: NAME, like: "witnessed" });
  world.idle("test-architect", NAME);
  const file = join(tempFolder(), "registry.json");
  const reads: TerminalId[] = [];
  const done: string[] = [];
  const asked: TerminalId[] = [];
  const wakes: (() => void)[] = [];
  const watch = watchRegistries({
    engine: { state: world.state } as unknown as Engine,
    registryOf: (terminal) => {
      asked.push(terminal);
      return file;
    },
    drain: async () => void done.push("hooks"),
    resync: async (terminal) => {
      done.push("file");
      return reads.push(terminal) > 0;
    },
    pause: () => new Promise((resolve) => void wakes.push(resolve)),
  });
  onTestFinished(() => watch.stop());
  /** One look; resolves when it is over. */
  const look = async (): Promise<number> => {
    wakes.shift()?.();
    await until(() => wakes.length > 0, 1_000, "the end of a look");
    return reads.length;
  };
  return { world, file, reads, done, asked, look };
};

test("it is read when it stood unchanged for one look, and not again", async () => {
  const { file, done, look } = started();
  expect(await look()).toBe(0);
  writeFileSync(file, "busy");
  expect([await look(), await look(), await look()]).toEqual([0, 1, 1]);
  expect(done).toEqual(["hooks", "file"]);
  writeFileSync(file, "waiting");
  expect(await look()).toBe(1);
  writeFileSync(file, "idle");
  expect([await look(), await look(), await look()]).toEqual([1, 2, 2]);
  rmSync(file);
  expect(await look()).toBe(2);
});

test("it is left alone where OSC speaks, where tmux does not answer, and of CLIs that keep none", async () => {
  const { world, file, asked, look } = started();
  writeFileSync(file, "idle");
  world.osc(NAME, "working");
  await look();
  expect([await look(), asked]).toEqual([0, []]);
  world.sees(NAME, { kind: "programStatusLost" });
  world.take({ kind: "tmuxReachable", reachable: false });
  expect([await look(), asked]).toEqual([0, []]);
  world.take({ kind: "tmuxReachable", reachable: true });
  await look();
  expect(await look()).toBe(1);
});

test("a turn that subagents hold is none of its business", async () => {
  const { world, file, asked, look } = started();
  writeFileSync(file, "idle");
  world.send("test-architect", NAME, "delegate");
  world.typed(NAME);
  world.turnStarts(NAME, "t1");
  world.sees(NAME, {
    kind: "turnStopped",
    cliTurn: "t1",
    end: { kind: "answered", text: "started" },
    subagentsRunning: true,
  });
  await look();
  expect([await look(), asked]).toEqual([0, []]);
});
