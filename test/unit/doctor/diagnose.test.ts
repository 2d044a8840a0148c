import { describe, expect, test } from "vitest";
import { diagnose } from "../../../src/doctor/diagnose.js";
import type { Facts } from "../../../src/doctor/facts.js";
import { goodCli, goodFacts } from "../../support/doctor-facts.js";
import { agent } from "../../support/fake-engine.js";

/** What is not ok, as `state check`, of a good machine with these changes. */
const faults = (changes: Partial<Facts>): readonly string[] =>
  diagnose({ ...goodFacts, ...changes })
    .flatMap(({ findings }) => findings)
    .filter(({ state }) => state !== "ok")
    .map(({ state, check }) => `${state} ${check}`);

const machine = (changes: Partial<Facts["machine"]>) => faults({ machine: { ...goodFacts.machine, ...changes } });
const state = (changes: Partial<Facts["state"]>) => faults({ state: { ...goodFacts.state, ...changes } });
const cli = (changes: Partial<typeof goodCli>) => faults({ clis: [{ ...goodCli, ...changes }] });
const running = (agents: readonly ReturnType<typeof agent>[], stopped: string | null = null) =>
  faults({ engine: { kind: "running", pid: 7, url: "http://127.0.0.1:47100", stopped, agents } });

test("a good machine has no fault, and what is not ok says what to do", () => {
  expect(faults({})).toEqual([]);
  const bad = diagnose({
    ...goodFacts,
    machine: {
      ...goodFacts.machine,
      locale: "C",
      curl: false,
      node: "v18.0.0",
      logout: { killsProcesses: true, lingers: false },
    },
  }).flatMap(({ findings }) => findings);
  for (const { state: is, advice } of bad) expect(advice === null).toBe(is === "ok");
});

describe("the machine", () => {
  test("Node below 20.19 is a problem", () => {
    for (const node of ["v20.18.3", "v18.20.0"]) expect(machine({ node })).toEqual(["problem machine.node"]);
    for (const node of ["v20.19.0", "v22.0.0"]) expect(machine({ node })).toEqual([]);
  });

  test("a locale that is not UTF-8, or none, is a warning", () => {
    for (const locale of ["C", "POSIX", "de_DE.ISO-8859-1", null])
      expect(machine({ locale })).toEqual(["warning machine.locale"]);
    for (const locale of ["C.UTF-8", "en_US.utf8"]) expect(machine({ locale })).toEqual([]);
  });

  test("no curl is a warning", () => expect(machine({ curl: false })).toEqual(["warning machine.curl"]));

  test("a logout that ends agents is a problem, one that nobody knows of a warning", () => {
    expect(machine({ logout: { killsProcesses: true, lingers: false } })).toEqual(["problem machine.logout"]);
    expect(machine({ logout: { killsProcesses: true, lingers: null } })).toEqual(["problem machine.logout"]);
    expect(machine({ logout: { killsProcesses: null, lingers: false } })).toEqual(["warning machine.logout"]);
    expect(machine({ logout: { killsProcesses: true, lingers: true } })).toEqual([]);
    expect(machine({ logout: null })).toEqual([]);
  });
});

describe("the state folder", () => {
  test("what others may use is a problem that names it and its mode", () => {
    const open = [{ path: "/s/quay.db", mode: 0o644, isFolder: false }];
    expect(state({ open })).toEqual(["problem state.rights"]);
    const [finding] =
      diagnose({ ...goodFacts, state: { ...goodFacts.state, open } }).find(({ title }) => title === "state folder")
        ?.findings ?? [];
    expect(finding?.what).toContain("/s/quay.db (mode 0644)");
    expect(state({ isForeign: true })).toEqual(["problem state.rights"]);
  });

  test("little room is a warning, none a problem", () => {
    expect(state({ freeBytes: 500 * 1024 ** 2 })).toEqual(["warning state.disk"]);
    expect(state({ freeBytes: 99 * 1024 ** 2 })).toEqual(["problem state.disk"]);
    expect(state({ freeBytes: null })).toEqual([]);
  });

  test("a network file system and bad settings are told", () => {
    expect(state({ isNetwork: true })).toEqual(["warning state.network"]);
    expect(state({ settingsFault: "x" })).toEqual(["problem state.settings"]);
  });
});

describe("coding CLIs", () => {
  test("missing, untested, silent, with hooks switched off", () => {
    expect(cli({ path: null, version: null })).toEqual(["warning cli.claude"]);
    expect(cli({ version: "2.1.400 (Claude Code)" })).toEqual(["warning cli.claude"]);
    expect(cli({ version: null })).toEqual(["warning cli.claude"]);
    expect(cli({ version: "nonsense" })).toEqual(["warning cli.claude"]);
    expect(cli({ switchedOffBy: "disableAllHooks in /home/u/.claude/settings.json" })).toEqual([
      "warning cli.claude.hooks",
    ]);
  });

  test("a missing one is no fault beside one that is there, unless a setting names it", () => {
    const missing = { ...goodCli, kind: "codex", title: "Codex", program: "codex", path: null, version: null };
    expect(faults({ clis: [goodCli, missing] })).toEqual([]);
    expect(faults({ clis: [goodCli, { ...missing, isNamed: true }] })).toEqual(["warning cli.codex"]);
    expect(faults({ clis: [missing] })).toEqual(["warning cli.codex"]);
  });
});

describe("the engine", () => {
  test("an engine that is not there is fine, one that does not answer is not", () => {
    expect(faults({ engine: { kind: "none" } })).toEqual([]);
    expect(faults({ engine: { kind: "left over", pid: 7 } })).toEqual([]);
    expect(faults({ engine: { kind: "silent", pid: 7, why: "no answer within 5 s." } })).toEqual([
      "problem engine.running",
    ]);
    expect(running([], "a fact could not be applied")).toEqual(["problem engine.running"]);
  });

  test("a taken port is a problem only while no engine of ours holds it", () => {
    const port = { port: 47100, isTaken: true };
    expect(faults({ port })).toEqual(["problem engine.port"]);
    expect(faults({ port, engine: { kind: "running", pid: 7, url: "http://x", stopped: null, agents: [] } })).toEqual(
      [],
    );
  });

  test("a terminal whose reporter is lost is a warning that names it and the remedy; exited ones are not counted", () => {
    const lost = agent("term-2", { name: "reviewer", level: "listener", demoted: "its hooks do not arrive" });
    expect(running([agent("term-1")])).toEqual([]);
    expect(running([agent("term-1"), lost])).toEqual(["warning engine.reporter"]);
    expect(running([agent("term-1", { demoted: "x", exit: { at: 1, why: "ended" } })])).toEqual([]);
    expect(running([agent("term-1", { stale: true })])).toEqual(["problem engine.tmux"]);
  });
});
