import { describe, expect, test } from "vitest";
import type { Facts } from "../../src/doctor/facts.js";
import type { ProbeInput } from "../../src/doctor/probe.js";
import { QuayError } from "../../src/lib/errors.js";
import { goodFacts } from "../support/doctor-facts.js";
import { agentView, doorsWith, endpoint, fakeEngine, run, snapshotOf } from "../support/fake-cli.js";

/** Doors behind which the machine is this; what the verb asked for is kept. */
const machine = (facts: Facts = goodFacts, engine: Parameters<typeof doorsWith>[0] = null) => {
  const asked: ProbeInput[] = [];
  const probe = async (input: ProbeInput): Promise<Facts> => {
    asked.push(input);
    return { ...facts, engine: input.engine };
  };
  return { asked, doors: doorsWith(engine, { probe }), with: (more: object) => doorsWith(engine, { probe, ...more }) };
};

const bad: Facts = {
  ...goodFacts,
  tmux: { kind: "there", path: "/usr/bin/tmux", version: "tmux 3.3a", hasUtempter: true },
  machine: { ...goodFacts.machine, logout: { killsProcesses: true, lingers: false } },
};

describe("quay doctor", () => {
  test("says for each finding how it is and what to do, in 80 columns, and exits 0 without a problem", async () => {
    const { code, out } = await run(["doctor"], machine().doors);
    expect(code).toBe(0);
    expect(out).toContain("  ok       tmux 3.7 is installed (/usr/bin/tmux).\n");
    expect(out).toMatch(/\nAll is well\.\n$/);
  });

  test("exits 1 on a problem, 0 on warnings, and counts both", async () => {
    const { code, out } = await run(["doctor"], machine(bad).doors);
    expect(code).toBe(1);
    expect(out).toContain("  problem  logind ends all your processes when you log out");
    expect(out).toContain("           -> Run `loginctl enable-linger`");
    expect(out).toMatch(/\n1 problem, 4 warnings\.\n$/);
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    const warned = { ...bad, machine: goodFacts.machine };
    expect((await run(["doctor"], machine(warned).doors)).code).toBe(0);
  });

  test("--json gives each finding with its section, state and advice", async () => {
    const { code, out } = await run(["doctor", "--json"], machine(bad).doors);
    const said = JSON.parse(out);
    expect([code, said.problems, said.warnings]).toEqual([1, 1, 4]);
    expect(said.findings).toContainEqual({
      section: "machine",
      check: "machine.logout",
      state: "problem",
      what: expect.any(String),
      advice: expect.any(String),
    });
    for (const finding of said.findings) expect(finding.advice === null).toBe(finding.state === "ok");
  });

  test("control bytes in a name from elsewhere are inert", async () => {
    const agents = [agentView({ name: "x\u001b[2J", demoted: "lost\u0007", level: "listener" })];
    const { out } = await run(["doctor"], machine(goodFacts, fakeEngine(snapshotOf({ agents }))).doors);
    expect(out).not.toMatch(/[\u0007\u001b]/);
    expect(out).toContain("x␛[2J (claude) is a listener");
  });
});

describe("the engine that it asks", () => {
  test("a running one is read over /api and let go of", async () => {
    const engine = fakeEngine(snapshotOf({ agents: [agentView()] }));
    const { asked, doors } = machine(goodFacts, engine);
    const { out } = await run(["doctor"], doors);
    expect(asked[0]).toMatchObject({ engine: { kind: "running", pid: 4242 }, socket: endpoint.socket });
    expect(out).toContain("The one terminal that runs reports.");
    expect(engine.isClosed()).toBe(true);
  });

  test("none, one that died, and one that does not answer", async () => {
    const none = machine();
    await run(["doctor"], none.doors);
    expect(none.asked[0]?.engine).toEqual({ kind: "none" });
    const dead = machine();
    const readEndpoint = async () => ({ endpoint, token: "owner" });
    await run(["doctor"], dead.with({ readEndpoint, isAlive: () => false }));
    expect(dead.asked[0]?.engine).toEqual({ kind: "left over", pid: 4242 });
    const silent = machine();
    const connect = async () => {
      throw new QuayError("engine-away", "nobody answers");
    };
    const ran = await run(["doctor"], silent.with({ readEndpoint, connect }));
    expect(silent.asked[0]?.engine).toEqual({ kind: "silent", pid: 4242, why: "nobody answers" });
    expect(ran.code).toBe(1);
  });

  test("inside a terminal it is asked with that terminal's own token", async () => {
    const addresses: unknown[] = [];
    const engine = fakeEngine(snapshotOf());
    const { with: doors } = machine(goodFacts, engine);
    const connect = async (address: unknown) => {
      addresses.push(address);
      return engine;
    };
    const env = { QUAY_TERMINAL_ID: "term-a1", QUAY_TOKEN: "mine", QUAY_MCP_URL: "http://127.0.0.1:4000/mcp" };
    expect((await run(["doctor"], doors({ connect }), { env })).code).toBe(0);
    expect(addresses).toEqual([{ url: "http://127.0.0.1:4000", token: "mine" }]);
  });
});
