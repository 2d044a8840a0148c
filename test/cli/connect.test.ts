import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readEndpoint, realDoors } from "../../src/cli/doors.js";
import { statePaths } from "../../src/lib/paths.js";
import { doorsWith, run } from "../support/fake-cli.js";
import { agent, OWNER_TOKEN } from "../support/fake-engine.js";
import { startBridge } from "../support/loopback.js";
import { tempFolder } from "../support/temp-folder.js";

const doors = doorsWith(null, {
  connect: realDoors.connect,
  readEndpoint: realDoors.readEndpoint,
  isAlive: realDoors.isAlive,
});

/** A state folder as a running engine leaves it. */
const stateFolder = (endpoint: unknown, token = OWNER_TOKEN) => {
  const env = { QUAY_HOME: tempFolder("quay-cli"), HOME: "/nonexistent" };
  const paths = statePaths(env);
  mkdirSync(paths.home, { recursive: true });
  writeFileSync(paths.ownerToken, `${token}\n`);
  writeFileSync(paths.endpoint, typeof endpoint === "string" ? endpoint : JSON.stringify(endpoint));
  return env;
};

const endpointAt = (url: string, given: Record<string, unknown> = {}) => ({
  url,
  port: Number(new URL(url).port),
  pid: process.pid,
  socket: "quay",
  home: "/x",
  startedAt: 1,
  ...given,
});

test("the endpoint file and the owner's token lead to the running engine", async () => {
  const { url } = await startBridge([agent("reviewer")]);
  const { code, out } = await run(["ls", "--json"], doors, { env: stateFolder(endpointAt(url)) });
  expect([code, JSON.parse(out)]).toMatchObject([0, [{ name: "reviewer" }]]);
});

test("a wrong token is said, and is no absent engine", async () => {
  const { url } = await startBridge([]);
  const { code, err } = await run(["ls"], doors, { env: stateFolder(endpointAt(url), "wrong") });
  expect(code).toBe(1);
  expect(err).toMatch(/^quay: .*token/i);
});

test("an endpoint left by a process that is gone, or where nobody listens, counts as no engine", async () => {
  const { url } = await startBridge([]);
  const stale = endpointAt(url, { pid: 2 ** 22 - 3 });
  for (const endpoint of [stale, endpointAt("http://127.0.0.1:9")]) {
    const { code, err } = await run(["stop"], doors, { env: stateFolder(endpoint) });
    expect([code, err]).toEqual([3, expect.stringContaining("No engine is running")]);
  }
});

test("an endpoint file that is none is named", async () => {
  for (const text of ["not json", "{}"]) {
    const env = stateFolder(text);
    expect(() => readEndpoint(env)).toThrow(`${statePaths(env).endpoint} does not say where the engine is`);
  }
});

test("no endpoint file: no engine", () => {
  expect(readEndpoint({ QUAY_HOME: join(tempFolder(), "new"), HOME: "/nonexistent" })).toBeNull();
});
