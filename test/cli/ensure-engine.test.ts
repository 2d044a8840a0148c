import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Doors } from "../../src/cli/cli.js";
import { reasonIn } from "../../src/cli/ensure-engine.js";
import { spawnServe } from "../../src/cli/spawn-serve.js";
import { doorsWith, endpoint, fakeEngine, type Outside, run, snapshotOf } from "../support/fake-cli.js";
import { tempFolder } from "../support/temp-folder.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

const dispatched = { ok: true, delivery: "d-1", outcome: { kind: "dispatched", to: "reviewer" } } as const;
const send = ["send", "reviewer", "Hello"];

/** A program that stands for `quay serve`, started as the real one is; the engine answers once it has said so. */
const serving = (script: string) => {
  const home = tempFolder("quay-cli");
  const program = join(home, "serve.mjs");
  writeFileSync(program, script);
  const engine = fakeEngine(snapshotOf(), { send: dispatched });
  const spawned: { pid: number; answers: boolean; log: () => Promise<string> } = {
    pid: 0,
    answers: false,
    log: async () => "",
  };
  const doors: Doors = doorsWith(null, {
    connect: async () => engine,
    readEndpoint: async () =>
      spawned.answers ? { endpoint: { ...endpoint, pid: spawned.pid }, token: "owner" } : null,
    spawnServe: async (cli) => {
      const child = await spawnServe(cli, program);
      spawned.pid = child.pid;
      spawned.log = child.log;
      void until(async () => (await child.log()).includes('"ready":true')).then(
        () => {
          spawned.answers = true;
        },
        () => {},
      );
      return child;
    },
  });
  const outside: Outside = { env: { ...process.env, QUAY_HOME: home, QUAY_TERMINAL_ID: "", QUAY_TOKEN: "" } };
  return { doors, engine, outside, spawned, home };
};

verifies("engine:started-on-demand", "send starts an engine in a session of its own, and waits for it", async () => {
  const { doors, engine, outside, spawned } = serving(
    `console.log(JSON.stringify({ ready: true, args: process.argv.slice(2), tty: process.stdout.isTTY === true }));
     setTimeout(() => {}, 20_000);`,
  );
  const { code, out, err } = await run(["--socket", "quay", ...send], doors, outside);
  try {
    expect([code, out]).toEqual([0, "Typed into reviewer.\n"]);
    expect(err).toBe(`quay: starting the engine\nquay: the engine runs as process ${spawned.pid}\n`);
    expect(engine.commands).toHaveLength(1);
    expect(JSON.parse(await spawned.log())).toEqual({
      ready: true,
      args: ["--socket", "quay", "serve", "--json"],
      tty: false,
    });
    // The leader of a process group of its own: a signal to the shell's group does not reach it.
    expect(() => process.kill(-spawned.pid, 0)).not.toThrow();
  } finally {
    process.kill(spawned.pid, "SIGKILL");
  }
});

test("a failing engine's reason is shown, with the place of its log", async () => {
  const { doors, outside, home } = serving(
    `console.log("an older line");
     console.log(JSON.stringify({ ready: false, code: "tmux-missing", message: "tmux is not installed. Install tmux 3.2 or newer." }));
     process.exitCode = 1;`,
  );
  const { code, out, err } = await run(send, doors, outside);
  expect([code, out]).toEqual([1, ""]);
  expect(err).toContain("ended at once: tmux is not installed. Install tmux 3.2 or newer.\nIts log: ");
  expect(err).toContain(join(home, "quay.log"));
});

test("one that crashes shows the end of its log", async () => {
  const { doors, outside, home } = serving(`throw new Error("libsql could not be loaded");`);
  writeFileSync(join(home, "quay.log"), '{"ready":false,"code":"old","message":"of an earlier start"}\n');
  const { code, err } = await run(send, doors, outside);
  expect([code, err]).toEqual([1, expect.stringContaining("Error: libsql could not be loaded")]);
});

test("one that never gets ready is given up after 10 s", async () => {
  const { doors, outside, spawned } = serving("setTimeout(() => {}, 20_000);");
  let now = 0;
  const clock = () => {
    now += 4_000;
    return now;
  };
  const { code, err } = await run(send, doors, { ...outside, now: clock });
  try {
    expect([code, err]).toEqual([1, expect.stringContaining("does not answer after 10 s: it logged nothing")]);
  } finally {
    process.kill(spawned.pid, "SIGKILL");
  }
});

test("two that start at once: the one that came second uses the first", async () => {
  const { doors, outside, spawned } = serving(
    `console.log(JSON.stringify({ ready: false, code: "engine-running", message: "Process 77 has it." })); process.exitCode = 1;`,
  );
  let looks = 0;
  const readEndpoint: Doors["readEndpoint"] = async (env) => {
    if ((await spawned.log()).includes("engine-running")) looks += 1;
    spawned.answers = looks > 4;
    return await doors.readEndpoint(env);
  };
  expect(await run(send, { ...doors, readEndpoint }, outside)).toMatchObject({
    code: 0,
    out: "Typed into reviewer.\n",
  });
});

describe("the reason in a log", () => {
  test("is the last thing that serve said, else the last lines", () => {
    const log =
      'x\n{"ready":false,"code":"a","message":"first"}\n{"level":"info"}\n{"ready":false,"code":"b","message":"last"}\ny\n';
    expect(reasonIn(log)).toEqual({ code: "b", text: "last" });
    expect(reasonIn("1\n2\n3\n4\n5\n6\n")).toEqual({ code: null, text: "2\n3\n4\n5\n6" });
    expect(reasonIn("{broken\n")).toEqual({ code: null, text: "{broken" });
  });
});
