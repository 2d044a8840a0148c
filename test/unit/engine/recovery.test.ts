import { describe, expect, test } from "vitest";
import { newGround, type Rig, startRig } from "../../support/engine-rig.js";
import { verifies } from "../../support/verifies.js";

const HELLO = "[Peer agent (a)]: hello";

const both = async (): Promise<Rig> => {
  const rig = await startRig({ ground: newGround() });
  await rig.launch("a");
  await rig.launch("b");
  return rig;
};
/** b works on a message of a, a second one waits. */
const working = async (): Promise<Rig> => {
  const rig = await both();
  void rig.send("a", "b", "hello");
  await rig.advance(500);
  await rig.sees("b", { kind: "turnStarted", cliTurn: "t1", prompt: HELLO, automatic: false });
  void rig.send("a", "b", "next");
  await rig.advance(500);
  return rig;
};
const again = async (rig: Rig): Promise<Rig> => {
  await rig.kill();
  const next = await startRig({ ground: rig.ground });
  await next.advance(1_000);
  return next;
};

describe("a killed engine's successor", () => {
  verifies("restart:readopts", "takes up the live terminals with queue, trail and tokens", async () => {
    const rig = await working();
    const token = rig.host.pane(rig.idOf("a")).plan.env.QUAY_TOKEN!;
    const trail = rig.trail();
    const next = await again(rig);
    expect(next.trail()).toEqual(trail);
    expect(next.client.snapshot().agents.map((agent) => [agent.name, agent.status, agent.queued])).toEqual([
      ["a", "idle", 0],
      ["b", "working", 1],
    ]);
    expect(next.directory.callerOf(token)).toMatchObject({ name: "a" });
  });

  verifies(
    "restart:turn-ended-meanwhile",
    "knows of a turn that ended meanwhile, and types the next message after it",
    async () => {
      const rig = await working();
      await rig.kill();
      const end = { kind: "answered", text: "GREEN" } as const;
      rig.leaves("b", { kind: "turnStopped", cliTurn: "t1", end, subagentsRunning: false });
      const before = rig.ground.world.typed.length;
      let typedEarly = 0;
      const next = await startRig({
        ground: rig.ground,
        beforeRecovery: (_host, engine) => {
          typedEarly = rig.ground.world.typed.length - before;
          expect(engine.state().deliveries.size).toBe(2);
        },
      });
      expect(typedEarly).toBe(0);
      expect(next.ground.spool.events).toEqual([]);
      expect(next.ground.world.typed.length).toBe(before);
      await next.advance(1_000);
      expect(next.trail().map((entry) => [entry.status, entry.response])).toEqual([
        ["Dispatched", null],
        ["Completed", "GREEN"],
      ]);
      expect(next.typed("b").at(-2)).toBe("paste [Peer agent (a)]: next");
    },
  );

  verifies("restart:nothing-twice", "types nothing twice, wherever the predecessor was killed", async () => {
    for (let ms = 0; ms <= 60; ms += 5) {
      const rig = await both();
      void rig.send("a", "b", "hello");
      await rig.advance(ms);
      const next = await again(rig);
      await next.advance(5_000);
      const whole = [`paste ${HELLO}`, "enter"];
      expect(next.typed("b"), `killed after ${ms} ms`).toEqual(next.trail().length === 0 ? [] : whole);
    }
  });

  test("types nothing on what has begun to work meanwhile", async () => {
    const rig = await both();
    rig.host.pane(rig.idOf("b")).text = "draft";
    void rig.send("a", "b", "hello");
    await rig.advance(1_000);
    await rig.kill();
    rig.host.pane(rig.idOf("b")).text = "";
    rig.leaves("b", { kind: "turnStarted", cliTurn: "t1", prompt: "draft", automatic: false });
    const next = await startRig({ ground: rig.ground });
    await next.advance(5_000);
    expect(next.typed("b")).toEqual([]);
    expect(next.trail()[0]!.status).toBe("Queued");
  });

  test("does not take a pane of another tmux server for its own", async () => {
    const rig = await both();
    await rig.kill();
    rig.ground.world.serverPid += 1;
    const next = await again(rig);
    expect(next.client.snapshot().agents.map((agent) => agent.status)).toEqual(["exited", "exited"]);
  });

  test("goes on at Enter when the paste was in", async () => {
    const rig = await both();
    rig.host.nextEnter(rig.idOf("b"), { kind: "unknown" });
    rig.host.whenTyped((typed) => {
      if (typed.kind === "paste") void rig.kill();
    });
    void rig.send("a", "b", "hello");
    await rig.advance(1_000);
    expect(rig.typed("b")).toEqual([`paste ${HELLO}`]);
    const next = await startRig({ ground: rig.ground });
    await next.advance(1_000);
    expect(next.typed("b")).toEqual([`paste ${HELLO}`, "enter"]);
    expect(next.trail()[0]!.status).toBe("Dispatched");
  });

  test("records an exit that happened meanwhile, with the answer that was left before it", async () => {
    const rig = await working();
    await rig.kill();
    const end = { kind: "answered", text: "GREEN" } as const;
    rig.leaves("b", { kind: "turnStopped", cliTurn: "t1", end, subagentsRunning: false });
    rig.host.exit(rig.idOf("b"), 3);
    const next = await again(rig);
    const agent = next.client.snapshot().agents.find((one) => one.name === "b");
    expect(agent).toMatchObject({ status: "exited", exit: { why: "exited while no engine ran" } });
    expect(next.trail().map((entry) => [entry.status, entry.response])).toEqual([
      ["Failed", null],
      ["Completed", "GREEN"],
    ]);
    expect(next.ground.world.panes.has(next.idOf("b"))).toBe(false);
    expect(next.ground.vault.secrets().map((secrets) => secrets.terminal)).toEqual([next.idOf("a")]);
  });

  test("knows that terminals of a tmux server that died are gone, also when another server is there", async () => {
    const rig = await both();
    await rig.kill();
    rig.host.dieServer();
    rig.ground.world.alive = true;
    rig.ground.world.serverPid += 1;
    const next = await again(rig);
    expect(next.client.snapshot().agents.map((agent) => agent.status)).toEqual(["exited", "exited"]);
  });

  verifies(
    "hazard:freeze-is-stale",
    "and the engine before it take a silent tmux as stale, never as dead",
    async () => {
      const rig = await both();
      rig.host.setReachable(false);
      await rig.advance(600_000);
      expect(rig.client.snapshot().agents.map((agent) => [agent.status, agent.stale])).toEqual([
        ["idle", true],
        ["idle", true],
      ]);
      rig.host.setReachable(true);
      await rig.advance(10);
      expect(rig.client.snapshot().agents.map((agent) => agent.stale)).toEqual([false, false]);
    },
  );

  verifies("hazard:retry-recognised", "knows a call again whose answer its predecessor never wrote", async () => {
    const rig = await working();
    const next = await again(rig);
    void next.send("a", "b", "next", true);
    await next.advance(10);
    expect(next.trail()).toHaveLength(2);
  });
});
