import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { StartedEngine, StartOptions } from "../../src/cli/cli.js";
import type { Answer, Command } from "../../src/engine/client.js";
import {
  agentView,
  deferred,
  doorsWith,
  endpoint,
  fakeEngine,
  run,
  snapshotOf,
  start,
  trailView,
} from "../support/fake-cli.js";
import { tempFolder } from "../support/temp-folder.js";
import { until } from "../support/until.js";

const seats = [{ name: "test-architect", kind: "demo", result: "started", id: "t1", why: null }] as const;
const opening = trailView({ id: "d-1", to: "test-architect" });
const green = trailView({ id: "d-3", from: "feature-impl", to: "test-architect", text: "GREEN" });
const agents = [agentView({ id: "t1", name: "test-architect" })];

const demoEngine = (answers: { readonly [K in Command["kind"]]?: Answer<K> } = {}) => {
  const client = fakeEngine(snapshotOf({ agents }), {
    up: { ok: true, seats },
    send: { ok: true, delivery: "d-1", outcome: { kind: "dispatched", to: "test-architect" } },
    down: { ok: true, ended: ["t1"] },
    ...answers,
  });
  const closed = deferred<string>();
  const seen: { options: StartOptions | null; stops: number; removed: string[] } = {
    options: null,
    stops: 0,
    removed: [],
  };
  const engine: StartedEngine = {
    client,
    endpoint,
    ownerToken: "owner",
    closed: closed.promise,
    stop: async () => {
      seen.stops += 1;
      closed.resolve("stopped");
    },
  };
  const doors = doorsWith(null, {
    startEngine: async (options) => {
      seen.options = options;
      return engine;
    },
    removeTmuxServer: async (socket) => {
      seen.removed.push(socket);
    },
  });
  const home = () => seen.options?.env.QUAY_HOME ?? "";
  const sent = () => client.commands.some(({ kind }) => kind === "send");
  return { client, doors, seen, home, sent, closed };
};

const kinds = (commands: readonly Command[]) => commands.map(({ kind }) => kind);

test("exits 0 on RELAY DONE, having printed each change, and takes everything down", async () => {
  const { client, doors, seen, home, sent } = demoEngine();
  const running = start(["demo"], doors, { env: { TMUX: "/tmp/x,1,0" } });
  await until(sent);
  expect(existsSync(home())).toBe(true);
  client.show(snapshotOf({ agents, trail: [green, opening] }));
  client.show(snapshotOf({ agents, trail: [{ ...green, status: "Completed", response: "RELAY DONE" }, opening] }));
  const { code, out } = await running.ended;
  expect(code).toBe(0);
  expect(out.split("\n")).toHaveLength(6);
  expect(out).toMatch(/\ntest-architect: RELAY DONE\n$/);
  expect(kinds(client.commands)).toEqual(["up", "send", "down"]);
  expect(client.commands[0]).toMatchObject({ preset: "demo", cwd: join(home(), "..") });
  expect(seen.options).toMatchObject({ insideTmux: null, socket: `quay-demo-${process.pid}` });
  expect(seen.options?.env.TMUX).toBeUndefined();
  expect([seen.stops, seen.removed]).toEqual([1, [`quay-demo-${process.pid}`]]);
  expect(existsSync(join(home(), ".."))).toBe(false);
});

test("exits 1 on RELAY FAILED and says why", async () => {
  const { client, doors, sent } = demoEngine();
  const running = start(["demo"], doors);
  await until(sent);
  client.show(snapshotOf({ agents, trail: [{ ...green, status: "Completed", response: "2 fail.\nRELAY FAILED" }] }));
  expect(await running.ended).toMatchObject({
    code: 1,
    err: expect.stringContaining("the relay failed: 2 fail.\nRELAY FAILED"),
  });
  expect(kinds(client.commands)).toContain("down");
});

test("an engine that ends meanwhile fails the demo", async () => {
  const { doors, sent, closed } = demoEngine();
  const running = start(["demo"], doors);
  await until(sent);
  closed.resolve("another engine took the server");
  expect(await running.ended).toMatchObject({
    code: 1,
    err: expect.stringContaining("another engine took the server"),
  });
});

test("a seat that does not start, or a prompt that is refused, is said; all is taken down", async () => {
  const failed = [{ ...seats[0], result: "failed", id: null, why: "node is missing" }] as const;
  const noSeat = demoEngine({ up: { ok: true, seats: failed } });
  expect(await run(["demo"], noSeat.doors)).toMatchObject({
    code: 1,
    err: expect.stringContaining("test-architect did not start: node is missing"),
  });
  const refusal = { kind: "notAPeer", name: "test-architect", runKind: "demo" } as const;
  const noPrompt = demoEngine({ send: { ok: true, delivery: "d", outcome: { kind: "refused", refusal } } });
  expect(await run(["demo"], noPrompt.doors)).toMatchObject({ code: 1, err: expect.stringContaining("was not taken") });
  for (const { client, seen, home } of [noSeat, noPrompt]) {
    expect([kinds(client.commands).at(-1), seen.stops, existsSync(home())]).toEqual(["down", 1, false]);
  }
});

test("Ctrl-C takes everything down and exits 130", async () => {
  const { client, doors, seen, home, sent } = demoEngine();
  const running = start(["demo"], doors);
  await until(sent);
  running.signal("SIGINT");
  expect((await running.ended).code).toBe(130);
  expect([kinds(client.commands).at(-1), seen.stops, existsSync(home())]).toEqual(["down", 1, false]);
});

test("--dir keeps the project and removes the state; a folder with files in it is refused", async () => {
  const folder = join(tempFolder(), "relay");
  const { client, doors, sent, home } = demoEngine();
  const running = start(["demo", "--dir", folder], doors);
  await until(sent);
  writeFileSync(join(folder, "AGENTS.md"), "rules");
  client.show(snapshotOf({ agents, trail: [{ ...green, status: "Completed", response: "RELAY DONE" }] }));
  expect((await running.ended).code).toBe(0);
  expect([readdirSync(folder), existsSync(home())]).toEqual([["AGENTS.md"], false]);
  const again = await run(["demo", "--dir", folder], doors);
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining("is not empty") });
  expect(readdirSync(folder)).toEqual(["AGENTS.md"]);
});

test("an engine that cannot start leaves nothing behind", async () => {
  const before = demoEngine();
  let home = "";
  const doors = {
    ...before.doors,
    startEngine: ({ env }: StartOptions) => {
      home = env.QUAY_HOME ?? "";
      return Promise.reject(new Error("no tmux"));
    },
  };
  expect((await run(["demo"], doors)).code).toBe(1);
  expect(existsSync(join(home, ".."))).toBe(false);
});

test("on a terminal it shows Mission Control and prints the trail when that is left", async () => {
  const { client, doors, sent } = demoEngine();
  const left = deferred<"left">();
  const shown = { ...doors, missionControl: () => left.promise };
  const running = start(["demo"], shown, { outIsTerminal: true, inputIsTerminal: true });
  await until(sent);
  client.show(snapshotOf({ agents, trail: [{ ...green, status: "Completed", response: "RELAY DONE" }] }));
  expect(running.out()).toBe("");
  left.resolve("left");
  const { code, out } = await running.ended;
  expect([code, out.split("\n")[0]]).toEqual([0, expect.stringContaining("feature-impl → test-architect: GREEN")]);
});
