import { expect, test } from "vitest";
import type { Adapter, Signal } from "../../../src/adapters/adapter.js";
import { terminalId } from "../../../src/bus/ids.js";
import type { Engine } from "../../../src/engine/engine.js";
import type { Spool, SpooledEvent, TerminalHost, Vault } from "../../../src/engine/ports.js";
import { cliKey, createDrain, createSignals, hashSecret } from "../../../src/engine/signals.js";
import { verifies } from "../../support/verifies.js";

const T = terminalId("term-1");
const OTHER = terminalId("term-2");
const [PANE_PID, NESTED, ELSEWHERE] = [10, 20, 50];

const event = (changes: Partial<SpooledEvent> = {}): SpooledEvent => ({
  file: `f${Math.random()}`,
  terminal: T,
  secret: "right",
  pane: "%7",
  cliPid: PANE_PID,
  event: "Stop",
  payload: {},
  writtenAt: 0,
  ...changes,
});

/** A drain over made-up edges: what reached the adapter, what was noted, and with which memory. */
const world = (kept = new Map<string, string>()) => {
  const taken: Signal[] = [];
  const memories: unknown[] = [];
  const notes: unknown[] = [];
  let waiting: readonly SpooledEvent[] = [];
  const adapter = {
    interpret: (memory: object, signal: Signal) => {
      taken.push(signal);
      memories.push(memory);
      return { memory: { seen: memories.length }, observations: [] };
    },
  } as unknown as Adapter;
  const signals = createSignals({} as Engine, () => adapter);
  const hashes = (secret: string) => ({ tool: hashSecret("tool"), event: hashSecret(secret) });
  const drain = createDrain({
    spool: {
      drain: async () => waiting,
      taken: async () => {
        waiting = [];
      },
    } as unknown as Spool,
    vault: {
      secrets: () => [
        { terminal: T, ...hashes("right") },
        { terminal: OTHER, ...hashes("others") },
      ],
      get: (key: string) => kept.get(key) ?? null,
      set: (key: string, value: string) => void kept.set(key, value),
      drop: (key: string) => void kept.delete(key),
    } as unknown as Vault,
    host: { paneOf: () => "%7", pidOf: () => PANE_PID } as unknown as TerminalHost,
    signals,
    readOn: async () => {},
    counted: async () => {},
    ancestorsOf: (pid) => ({ [PANE_PID]: [1], [NESTED]: [15, PANE_PID, 1], [ELSEWHERE]: [1] })[pid] ?? null,
    note: (what, facts) => void notes.push(`${what}: ${facts.why}`),
  });
  return {
    kept,
    taken,
    memories,
    notes,
    leaves: async (...events: readonly SpooledEvent[]): Promise<void> => {
      waiting = events;
      await drain.drain();
    },
  };
};

verifies("hazard:token-works-alone", "an event counts only with its terminal's own event secret", async () => {
  const { leaves, taken, notes } = world();
  for (const secret of ["", "wrong", "others", "tool", hashSecret("right")]) await leaves(event({ secret }));
  await leaves(event({ terminal: OTHER, secret: "right" }), event({ terminal: terminalId("term-9") }));
  expect(taken).toEqual([]);
  expect(new Set(notes)).toEqual(new Set(["event not counted: wrong secret", "event not counted: no such terminal"]));
  await leaves(event());
  expect(taken).toMatchObject([{ event: "Stop", cliPid: PANE_PID }]);
});

verifies("hazard:own-cli-only", "an event of another pane does not count", async () => {
  const { leaves, taken, notes } = world();
  await leaves(event({ pane: "%8" }));
  expect([taken, notes]).toEqual([[], ["event not counted: another pane"]]);
});

verifies("hazard:own-cli-only", "a CLI below the terminal's does not count, before a restart and after", async () => {
  const first = world();
  await first.leaves(event({ event: "SessionStart" }), event({ cliPid: NESTED, event: "SessionStart" }));
  await first.leaves(event({ cliPid: NESTED }));
  expect(first.taken).toHaveLength(1);
  const second = world(first.kept);
  await second.leaves(event({ cliPid: NESTED }), event({ cliPid: ELSEWHERE }), event({ cliPid: 99 }));
  expect(second.taken).toEqual([]);
  await second.leaves(event());
  expect(second.taken).toHaveLength(1);
});

test("the pane's own process takes its place back, and begins with an empty memory", async () => {
  const { leaves, memories, kept } = world();
  await leaves(event({ cliPid: NESTED }), event({ cliPid: NESTED }), event({ cliPid: PANE_PID }));
  expect(memories).toEqual([{}, { seen: 1 }, {}]);
  expect(kept.get(cliKey(T))).toBe(String(PANE_PID));
});

test("a wrong secret binds no process", async () => {
  const { leaves, kept } = world();
  await leaves(event({ secret: "wrong" }));
  expect(kept.size).toBe(0);
});
