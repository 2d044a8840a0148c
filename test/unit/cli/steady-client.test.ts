import { describe, expect, test } from "vitest";
import { steadyClient } from "../../../src/cli/steady-client.js";
import type { Change, EngineClient } from "../../../src/engine/client.js";
import { agentView, fakeEngine, snapshotOf } from "../../support/fake-cli.js";
import { until } from "../../support/until.js";

const named = (name: string) => snapshotOf({ agents: [agentView({ name })] });
const firstName = (client: EngineClient) => client.snapshot().agents[0]?.name;

/** A pause that counts itself and ends at once. */
const counted = () => {
  const pauses: number[] = [];
  return {
    pauses,
    pause: async (ms: number) => {
      pauses.push(ms);
      await Promise.resolve();
    },
  };
};

describe("a client that outlives its engine", () => {
  test("keeps the last snapshot, connects again, and tells its readers", async () => {
    const first = fakeEngine(named("before"));
    const second = fakeEngine(named("after"), { stop: { ok: true, agentsLeft: 0 } });
    const { pauses, pause } = counted();
    const told: string[] = [];
    let tries = 0;
    const client = steadyClient(first, null, {
      connect: async () => {
        tries += 1;
        if (tries === 1) throw new Error("refused");
        return tries < 4 ? null : second;
      },
      onLost: (why) => told.push(`lost: ${why}`),
      onBack: () => told.push("back"),
      pause,
    });
    const changes: Change["kind"][] = [];
    client.subscribe((change) => changes.push(change.kind));
    first.show(named("changed"));
    first.tell({ kind: "gone", why: "stopped" });
    expect(firstName(client)).toBe("changed");
    expect(await client.dispatch({ kind: "stop" })).toMatchObject({ ok: false, code: "no-engine" });
    await until(() => told.length === 2);
    expect(told).toEqual(["lost: stopped", "back"]);
    expect(firstName(client)).toBe("after");
    expect(await client.dispatch({ kind: "stop" })).toMatchObject({ ok: true });
    expect(changes).toEqual(["snapshot", "gone", "snapshot"]);
    expect(first.isClosed()).toBe(true);
    expect(pauses).toEqual([250, 500, 1000, 2000]);
    await client.close();
    expect(second.isClosed()).toBe(true);
  });

  test("tells of an absence only when it lasts", async () => {
    const hear = async (tries: number): Promise<readonly Change["kind"][]> => {
      const first = fakeEngine(named("before"));
      const second = fakeEngine(named("after"));
      let left = tries;
      const client = steadyClient(first, null, {
        connect: async () => (left-- > 1 ? null : second),
        goneAfterMs: 1_000,
        pause: counted().pause,
      });
      const changes: Change["kind"][] = [];
      client.subscribe((change) => changes.push(change.kind));
      first.tell({ kind: "gone", why: "stopped" });
      await until(() => firstName(client) === "after");
      await until(() => changes.includes("snapshot"));
      return changes;
    };
    expect(await hear(2)).toEqual(["snapshot"]);
    expect(await hear(4)).toEqual(["gone", "snapshot"]);
  });

  test("begins with a stored snapshot and looks for an engine", async () => {
    const engine = fakeEngine(named("live"));
    const client = steadyClient(null, named("stored"), { connect: async () => engine, pause: counted().pause });
    expect(firstName(client)).toBe("stored");
    await until(() => firstName(client) === "live");
    await client.close();
  });

  test("a connection that comes after close is closed, not used", async () => {
    const late = fakeEngine(named("late"));
    let answer: (client: EngineClient) => void = () => {};
    const client = steadyClient(null, named("stored"), {
      connect: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
      pause: counted().pause,
    });
    await until(() => answer.length === 1);
    await client.close();
    answer(late);
    await until(() => late.isClosed());
    expect(firstName(client)).toBe("stored");
  });
});
