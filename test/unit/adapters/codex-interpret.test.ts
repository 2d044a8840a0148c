import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { LogSignal, Memory, Signal } from "../../../src/adapters/adapter.js";
import { interpretCodex } from "../../../src/adapters/codex-interpret.js";
import { codexLog, readRollout } from "../../../src/adapters/codex-rollout.js";
import type { Observation } from "../../../src/bus/protocol.js";
import { verifies } from "../../support/verifies.js";

const linesOf = (name: string): readonly string[] =>
  readFileSync(new URL(`../../fixtures/hooks/${name}`, import.meta.url), "utf8")
    .trim()
    .split("\n");
const rollout = linesOf("codex-rollout.jsonl").map((line) => JSON.parse(line) as { readonly timestamp: string });
const reports = linesOf("codex-turn-ends.jsonl").map((line) => JSON.parse(line) as Record<string, unknown>);

const THREAD = "01a22f17-dc64-7000-8c0a-e3db7c707f77";
const [HELLO, SLOW, FAILED, STEERED, SPAWNER] = [
  "01a22f18-0f73-7b20-bc05-3d624ffdf353",
  "01a22f18-7041-7490-a6f2-07242b50d470",
  "01a22f18-7e4a-7142-93e5-41ae5ffc49b7",
  "01a22f18-8c36-78b3-b6ed-239e0c459ab3",
  "01a22f18-aa17-7e03-bc91-cde13a9fc198",
];
const SUBAGENT = "01a22f18-aa58-7fd0-93a0-d1c707f065e6";

/** A terminal of the adapter: its memory, and what it said last. */
const terminal = () => {
  let memory: Memory = {};
  const take = (signal: Signal): { readonly said: readonly Observation[]; readonly readLog: boolean } => {
    const meaning = interpretCodex(memory, signal);
    memory = meaning.memory;
    return { said: meaning.observations, readLog: meaning.readLog ?? false };
  };
  return {
    osc: (state: "idle" | "working" | "blocked" | "done" | "error", about: "permission" | null = null) =>
      take({ kind: "programStatus", state, id: "", about, msg: "" }),
    helper: (payload: Record<string, unknown>, event = "TurnEnd") => take({ kind: "hook", event, payload, cliPid: 7 }),
    log: (entries: readonly unknown[], more: Partial<LogSignal> = {}) =>
      take({ kind: "log", session: THREAD, entries, since: 0, asked: false, isLast: false, ...more }),
    gap: () => take({ kind: "gap" }),
  };
};

const between = (turn: string): readonly unknown[] => {
  const isOf = (entry: unknown): boolean => JSON.stringify(entry).includes(turn);
  return rollout.filter((entry) => (entry as { readonly type?: string }).type === "event_msg" && isOf(entry));
};

const started = (cliTurn: string | undefined, prompt: string) => ({
  kind: "turnStarted",
  cliTurn,
  prompt,
  automatic: false,
  at: expect.any(Number),
});
const answered = (cliTurn: string | undefined, text: string) => ({
  kind: "turnStopped",
  cliTurn,
  end: { kind: "answered", text },
  subagentsRunning: false,
});
const READY = { kind: "ready", cliSession: THREAD, cleared: false };

describe("what OSC says", () => {
  test("the first idle means ready; working and resting ask for the rollout, once each", () => {
    const codex = terminal();
    const ready = codex.osc("idle");
    expect(ready.said[0]).toEqual({ kind: "ready", cliSession: null, cleared: false });
    expect(ready.readLog).toBe(false);
    expect(codex.osc("working")).toEqual({
      said: [{ kind: "programStatus", state: "working", about: null, text: "" }],
      readLog: true,
    });
    expect(codex.osc("blocked", "permission").readLog).toBe(false);
    expect(codex.osc("working").readLog).toBe(false);
    expect(codex.osc("done").readLog).toBe(true);
    // A key of the person's after the end.
    expect(codex.osc("idle").readLog).toBe(false);
    expect(codex.osc("idle").said).not.toContainEqual(expect.objectContaining({ kind: "ready" }));
  });

  test("going on after a dialog begins no turn: nothing is read", () => {
    const codex = terminal();
    codex.osc("idle");
    codex.osc("working");
    codex.log(between(HELLO!).slice(0, 2));
    codex.osc("blocked", "permission");
    expect(codex.osc("working").readLog).toBe(false);
  });

  test("a dialog is announced and taken back", () => {
    const codex = terminal();
    codex.osc("working");
    expect(codex.osc("blocked", "permission").said).toContainEqual({
      kind: "promptRaised",
      prompt: { about: "permission", text: "", source: "osc" },
    });
    expect(codex.osc("working").said).toContainEqual({ kind: "promptClosed", source: "osc" });
  });

  test("after a gap it is unknown, and its next word is held against the rollout", () => {
    const codex = terminal();
    codex.osc("idle");
    codex.osc("working");
    expect(codex.gap().said).toEqual([{ kind: "programStatusLost" }]);
    expect(codex.osc("done").readLog).toBe(true);
  });
});

describe("a turn", () => {
  test("is told of at its first prompt, under the thread's name, and read on until then", () => {
    const codex = terminal();
    codex.osc("idle");
    codex.osc("working");
    const [began, ...rest] = between(HELLO!);
    expect(codex.log([began])).toEqual({ said: [READY], readLog: true });
    expect(codex.log(rest.slice(0, 1))).toEqual({ said: [started(HELLO, "#say hello one")], readLog: false });
  });

  verifies("peer:codex-turn-end-helper", "ends with what the helper was given", () => {
    const codex = terminal();
    codex.osc("idle");
    codex.osc("working");
    codex.log(between(HELLO!).slice(0, 2));
    const report = codex.helper(reports[0]!);
    // It is heard at once; its end waits for the prompts that the record may have got meanwhile.
    expect(report).toEqual({ said: [{ kind: "turnContinued", cliTurn: null }], readLog: true });
    expect(codex.log([])).toEqual({ said: [answered(HELLO, "hello one")], readLog: false });
  });

  test("that the rollout says is over needs no helper, and a late helper amends it", () => {
    const codex = terminal();
    codex.osc("idle");
    expect(codex.log(between(HELLO!)).said).toEqual([
      READY,
      started(HELLO, "#say hello one"),
      answered(HELLO, "hello one"),
    ]);
    expect(codex.helper(reports[0]!)).toEqual({ said: [answered(HELLO, "hello one")], readLog: false });
  });

  verifies("codex:interrupt-and-error", "ends by Esc and by an error, though no helper is called", () => {
    const codex = terminal();
    codex.log(between(HELLO!));
    expect(codex.log([...between(SLOW!), ...between(FAILED!)]).said).toEqual([
      started(SLOW, "#slow 8"),
      { kind: "turnStopped", cliTurn: SLOW, end: { kind: "interrupted" }, subagentsRunning: false },
      started(FAILED, "#http 400"),
      { kind: "turnStopped", cliTurn: FAILED, end: { kind: "failed", text: "fake 400" }, subagentsRunning: false },
    ]);
  });

  verifies("deliver:codex-not-answered-by-persons-turn", "tells of a message that joined it under its own id", () => {
    const codex = terminal();
    codex.osc("idle");
    codex.osc("working");
    codex.log(between(STEERED!).slice(0, 2));
    codex.helper(reports[1]!);
    expect(codex.log(between(STEERED!).slice(2)).said).toEqual([
      started(STEERED, "#say steered"),
      answered(STEERED, "steered"),
    ]);
  });

  verifies("codex:subagents-end-nothing", "is not ended by a subagent's", () => {
    const codex = terminal();
    codex.log(between(SPAWNER!).slice(0, 2));
    expect(reports[3]).toMatchObject({ "thread-id": SUBAGENT });
    expect(codex.helper(reports[3]!)).toEqual({ said: [], readLog: false });
    const fresh = terminal();
    expect(fresh.helper(reports[3]!)).toEqual({ said: [], readLog: false });
  });

  test("without a prompt is a command of the CLI's own; one that nobody asked for is automatic", () => {
    const [began, , , over] = between(HELLO!);
    const codex = terminal();
    codex.log([]);
    expect(codex.log([began, over]).said).toEqual([started(HELLO, ""), expect.objectContaining({ cliTurn: HELLO })]);
    const other = JSON.parse(JSON.stringify(began).replace('"turn_trigger":"user"', '"turn_trigger":"goal"'));
    expect(readRollout([other])).toMatchObject([{ kind: "began", automatic: true }]);
  });
});

describe("without a rollout", () => {
  const none = { session: null, isLast: true } as const;

  test("the prompts that the helper has not named before are the turn's", () => {
    const codex = terminal();
    codex.helper(reports[0]!);
    expect(codex.log([], { session: null }).said).toEqual([]);
    const noTime = ({ at: _at, ...rest }: ReturnType<typeof started>) => rest;
    expect(codex.log([], none).said).toEqual([noTime(started(HELLO, "#say hello one")), answered(HELLO, "hello one")]);
    codex.helper(reports[1]!);
    // Two of them were turns that got no helper: to be careful all count as one turn's.
    expect(codex.log([], none).said.map((one) => (one.kind === "turnStarted" ? one.prompt : one.kind))).toEqual([
      "#slow 8",
      "#http 400",
      "#slow 4",
      "#say steered",
      "turnStopped",
    ]);
  });

  test("a helper that speaks for the first time is believed in its last prompt only", () => {
    const codex = terminal();
    codex.helper(reports[2]!);
    expect(codex.log([], none).said).toMatchObject([{ prompt: expect.stringContaining("spawn_agent") }, {}]);
  });
});

describe("another thread", () => {
  test("is a new session: by the helper's word, and by the rollout's name", () => {
    const codex = terminal();
    codex.log(between(HELLO!));
    const NEW = String(reports[4]?.["thread-id"]);
    expect(codex.helper(reports[4]!).said[0]).toEqual({ kind: "ready", cliSession: NEW, cleared: true });
    expect(codex.log([], { session: THREAD }).said[0]).toEqual({ ...READY, cleared: true });
  });
});

describe("after a restart", () => {
  const overAt = (turn: string): number => Date.parse((between(turn).at(-1) as { timestamp: string }).timestamp);

  test("turns that were over by then are not told of again", () => {
    const codex = terminal();
    const since = overAt(FAILED!);
    expect(codex.log(rollout, { since }).said).toEqual([
      READY,
      started(STEERED, "#slow 4"),
      started(STEERED, "#say steered"),
      answered(STEERED, "steered"),
      expect.objectContaining({ cliTurn: SPAWNER }),
      expect.objectContaining({ cliTurn: SPAWNER }),
    ]);
    expect(terminal().log(rollout, { since: overAt(SPAWNER!) }).said).toEqual([READY]);
  });

  verifies("codex:osc-is-held-against-record", "a bus that asks hears whether a turn runs", () => {
    const asked = { asked: true, isLast: true } as const;
    const statusIn = (entries: readonly unknown[], more: Partial<LogSignal> = {}) =>
      terminal()
        .log(entries, { ...asked, ...more })
        .said.at(-1);
    const told = (state: string) => ({ kind: "registryStatus", state, text: "", lastEnd: null });
    expect(statusIn(between(HELLO!).slice(0, 2))).toEqual(told("busy"));
    expect(statusIn(between(HELLO!))).toEqual(told("idle"));
    expect(statusIn(between(HELLO!), { since: overAt(HELLO!) })).toEqual(told("idle"));
    // A record that says nothing of turns, and none at all.
    expect(statusIn([])).toEqual({ kind: "resyncFailed" });
    expect(statusIn([], { session: null })).toEqual({ kind: "resyncFailed" });
  });
});

test("what is no report of a turn's end changes nothing", () => {
  const codex = terminal();
  expect(codex.helper(reports[0]!, "Stop")).toEqual({ said: [], readLog: false });
  for (const change of [{ type: "other" }, { "turn-id": 7 }, { "thread-id": "" }])
    expect(codex.helper({ ...reports[0], ...change })).toEqual({ said: [], readLog: false });
});

describe("the record's file", () => {
  test("is known by its name and its first line, which tells it from a subagent's", () => {
    const path = `/home/you/.codex/sessions/2026/12/01/rollout-2026-12-01T00-53-42-${THREAD}.jsonl`;
    expect(codexLog.sessionOf(path)).toBe(THREAD);
    for (const other of [`${path}.gz`, `/tmp/rollout-x-${THREAD}.jsonl`, "/a/sessions/x.jsonl", `${path} (deleted)`])
      expect(codexLog.sessionOf(other)).toBeNull();
    expect(codexLog.isMain(rollout[0])).toBe(true);
    expect(codexLog.isMain(JSON.parse(linesOf("codex-subagent-head.jsonl")[0]!))).toBe(false);
    expect(codexLog.isMain({ payload: { source: "cli", thread_source: "thread_title" } })).toBe(false);
    expect(codexLog.isMain({ payload: { source: "cli" } })).toBe(true);
    // As earlier versions wrote a subagent's.
    expect(codexLog.isMain({ payload: { source: { subagent: "review" } } })).toBe(false);
  });

  test("has few lines that matter", () => {
    const kept = linesOf("codex-rollout.jsonl").filter((line) => codexLog.keeps(line));
    expect(kept).toHaveLength(16);
    expect(readRollout(kept.map((line) => JSON.parse(line)))).toHaveLength(16);
    expect(codexLog.keeps(JSON.stringify({ text: '"type":"task_complete"' }))).toBe(false);
  });

  test.each([
    "2026-12-01T00:53:55.712Z",
    "2024-02-29T23:59:59.9Z",
    "2000-03-01T00:00:00Z",
    "2100-02-28T12:00:00.123456Z",
  ])("has its times in UTC: %s", (timestamp) => {
    const entry = { timestamp, type: "event_msg", payload: { type: "turn_aborted", turn_id: "t" } };
    expect(readRollout([entry])).toMatchObject([{ at: Date.parse(timestamp) }]);
  });

  test("of an earlier version says its prompts in another way", () => {
    const entry = {
      timestamp: "2026-01-01T00:00:00Z",
      type: "event_msg",
      payload: { type: "user_message", message: "hi" },
    };
    expect(readRollout([entry])).toEqual([{ kind: "prompted", turn: null, at: 1767225600000, text: "hi" }]);
    for (const odd of [null, 1, {}, { type: "event_msg" }, { type: "event_msg", payload: { type: "task_started" } }])
      expect(readRollout([odd])).toEqual([]);
  });
});
