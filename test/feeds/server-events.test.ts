/** The feed of a CLI's own server, over real HTTP on loopback. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { KnownTurns, ServerDoor, ServerRules, Signal } from "../../src/adapters/adapter.js";
import { terminalId } from "../../src/bus/ids.js";
import { freePort } from "../../src/feeds/free-port.js";
import { createServerFeed, type ServerTimes } from "../../src/feeds/server-events.js";
import { type ServerOfCli, serverOfCli } from "../support/server-of-cli.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

const T = terminalId("term-1");
const TIMES: ServerTimes = { answerMs: 300, silenceMs: 2_000, retryMs: 10, startMs: 400, awayMs: 150 };

const RULES: ServerRules = {
  health: "/health",
  events: "/events",
  heeds: (type) => type !== "noise",
  reads: (_memory, event, known) =>
    event === null ? { state: `/state/${known.cliSession}` } : event.type === "read" ? { it: "/it" } : {},
};

/** What came, in short: `state`, the event's type with what was read for it, `lost`. */
const short = (signal: Signal): string => {
  if (signal.kind !== "server") return signal.kind === "serverLost" ? "lost" : signal.kind;
  const read = JSON.stringify(Object.values(signal.read));
  return `${signal.event?.type ?? "state"}${read === "[]" ? "" : ` ${read}`}`;
};

const follow = (door: ServerDoor, times: Partial<ServerTimes> = {}, take: () => Promise<void> = async () => {}) => {
  const seen: string[] = [];
  const notes: string[] = [];
  const known: { now: KnownTurns } = { now: { cliSession: null, turns: [], since: 0 } };
  const feed = createServerFeed({
    take: async (_terminal, signal) => {
      await take();
      seen.push(short(signal));
    },
    memoryOf: () => ({}),
    known: () => known.now,
    note: (what, facts) => void notes.push(`${what}: ${String(facts.why ?? facts.error)}`),
    now: () => performance.now(),
    pause: async (ms) => {
      const end = performance.now() + ms;
      await until(() => performance.now() >= end, ms + 5_000);
    },
    times: { ...TIMES, ...times },
  });
  onTestFinished(() => feed.stop());
  feed.open(T, door, RULES, performance.now());
  return { feed, seen, notes, known };
};

const ready = async (server: ServerOfCli, times: Partial<ServerTimes> = {}) => {
  server.answers.set("/state/null", "s0");
  const line = follow(server.door, times);
  await until(
    () => line.seen.length === 1 && server.streams.size === 1,
    3_000,
    () => line.notes.join(),
  );
  return line;
};

test("the state is asked for first, then each event is passed on in order, with what was read for it", async () => {
  const server = await serverOfCli();
  server.answers.set("/it", 1_000);
  server.answers.set("/it", { a: 1 });
  const { seen } = await ready(server);
  server.tell("noise");
  server.tell("read", { n: 1 });
  server.tell("plain");
  await until(() => seen.length === 3);
  expect(seen).toEqual(['state ["s0"]', 'read [{"a":1}]', "plain"]);
  expect(server.asked).toEqual(["/health", "/events", "/state/null", "/it"]);
});

test("what the server does not have is null, and ends nothing", async () => {
  const server = await serverOfCli();
  const { seen } = await ready(server);
  server.tell("read");
  await until(() => seen.length === 2);
  expect(seen[1]).toBe("read [null]");
  expect(server.streams.size).toBe(1);
});

verifies(
  "opencode:gap-made-good",
  "the state is asked for again after each connect, with what is known by then",
  async () => {
    const server = await serverOfCli();
    const { seen, known } = await ready(server);
    known.now = { ...known.now, cliSession: "s1" };
    server.answers.set("/state/s1", "s1");
    server.cut();
    await until(() => seen.length === 2);
    server.tell("plain");
    await until(() => seen.length === 3);
    expect(seen).toEqual(['state ["s0"]', 'state ["s1"]', "plain"]);
  },
);

test("the session that the CLI was started with counts while the bus knows none", async () => {
  const server = await serverOfCli();
  server.answers.set("/state/ses_9", "nine");
  const { seen } = follow({ ...server.door, cliSession: "ses_9" });
  await until(() => seen.length === 1);
  expect(seen).toEqual(['state ["nine"]']);
});

test.each(["hang", 500])("what cannot be read (%s) is asked for anew, by the state", async (answer) => {
  const server = await serverOfCli();
  const { seen } = await ready(server);
  server.answers.set("/it", answer);
  server.tell("read");
  server.tell("plain");
  await until(() => seen.length === 2, 3_000);
  expect(seen).toEqual(['state ["s0"]', 'state ["s0"]']);
});

verifies(
  ["opencode:unreached-says-so", "opencode:heard-again"],
  "a server that went is told to be lost, and heard again",
  async () => {
    const server = await serverOfCli();
    const { seen, notes } = await ready(server);
    await server.stop();
    await until(() => seen.includes("lost"), 3_000);
    expect(notes.at(-1)).toMatch(/^a server cannot be reached: .*ECONNREFUSED/);
    await server.start();
    await until(() => seen.length === 3, 3_000);
    expect(seen).toEqual(['state ["s0"]', "lost", 'state ["s0"]']);
  },
);

test("a short absence is told to nobody, however long ago the start was", async () => {
  const server = await serverOfCli();
  const begun = performance.now();
  const { seen } = await ready(server, { startMs: 50, awayMs: 10_000 });
  await until(() => performance.now() - begun > 100);
  await server.stop();
  await server.start();
  await until(() => seen.length === 2, 3_000);
  expect(seen).toEqual(['state ["s0"]', 'state ["s0"]']);
});

verifies(
  "opencode:hung-start-noticed",
  "a server that takes connections and answers nothing is told to be lost, once",
  async () => {
    const hung = createServer(() => {});
    await new Promise<void>((resolve) => hung.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      hung.closeAllConnections();
      hung.close();
    });
    const { port } = hung.address() as AddressInfo;
    const begun = performance.now();
    const { seen, notes } = follow({ port, user: "me", password: "x", cliSession: null }, { answerMs: 60 });
    await until(() => seen.includes("lost"), 3_000);
    expect(performance.now() - begun).toBeGreaterThan(TIMES.startMs - 1);
    expect(notes.at(-1)).toBe("a server cannot be reached: no answer in time");
    await until(() => performance.now() - begun > TIMES.startMs + 500, 3_000);
    expect(seen).toEqual(["lost"]);
  },
);

test("another password than the server's is named", async () => {
  const server = await serverOfCli();
  const { seen, notes } = follow({ ...server.door, password: "another" });
  await until(() => seen.includes("lost"), 3_000);
  expect(notes.at(-1)).toBe("a server cannot be reached: the server refuses the password");
});

test("a stream may be quiet for longer than an answer may take", async () => {
  const server = await serverOfCli();
  const { seen } = await ready(server);
  const end = performance.now() + 2 * TIMES.answerMs;
  await until(() => performance.now() > end);
  server.tell("plain");
  await until(() => seen.length === 2);
  expect(seen[1]).toBe("plain");
});

test("a stream without a heartbeat is dead", async () => {
  const server = await serverOfCli();
  const { seen } = await ready(server, { silenceMs: 100 });
  await until(() => seen.length === 2, 3_000);
  expect(seen[1]).toBe('state ["s0"]');
});

test("asked, it tells the state once more; closed, it cannot be asked and hears nothing", async () => {
  const server = await serverOfCli();
  const { feed, seen } = await ready(server);
  expect(await feed.resync(T)).toBe(true);
  expect(seen).toEqual(['state ["s0"]', 'state ["s0"]']);
  feed.close(T);
  expect(await feed.resync(T)).toBe(false);
  await until(() => server.streams.size === 0);
});

test("asked while it connects, it waits for the state", async () => {
  const server = await serverOfCli();
  await server.stop();
  const { feed, seen } = follow(server.door, { startMs: 10_000 });
  const asked = feed.resync(T);
  await server.start();
  expect(await asked).toBe(true);
  expect(seen[0]).toBe("state [null]");
});

test("free ports are free, and handed out once", async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, freePort));
  expect(new Set(ports).size).toBe(20);
  for (const port of ports) expect(port).toBeGreaterThan(1_023);
});
