import { describe, expect, test } from "vitest";
import type { EngineClient } from "../../src/engine/client.js";
import { agentView, doorsWith, fakeEngine, run, snapshotOf } from "../support/fake-cli.js";
import { verifies } from "../support/verifies.js";

const PEER = { QUAY_TERMINAL_ID: "term-a1", QUAY_TOKEN: "own-token", QUAY_MCP_URL: "http://127.0.0.1:4100/mcp" };
const SHELL = { QUAY_TERMINAL_ID: "term-s1" };

const dispatched = { ok: true, delivery: "d-1", outcome: { kind: "dispatched", to: "writer" } } as const;

const withAddresses = (engine: EngineClient) => {
  const asked: { url: string; token: string }[] = [];
  const doors = doorsWith(engine, {
    connect: async (address) => {
      asked.push(address);
      return engine;
    },
  });
  return { asked, doors };
};

describe("inside a terminal of Quay", () => {
  verifies("inside:person-verbs-refused", "the verbs for people are refused, with what to do", async () => {
    const verbs = [
      [],
      ["serve"],
      ["up", "tdd-swarm"],
      ["new", "claude", "--name", "x"],
      ["attach", "writer"],
      ["kill", "writer"],
      ["relaunch", "writer"],
      ["forget", "writer"],
      ["stop"],
      ["down", "--all", "--yes"],
      ["demo"],
    ];
    for (const args of verbs) {
      for (const env of [PEER, SHELL]) {
        const engine = fakeEngine(snapshotOf());
        const { code, err } = await run(args, doorsWith(engine), { env });
        expect(err).toMatch(
          /^quay: .*is for people, and this is terminal term-[as]1 of Quay\. Run it in a shell outside/,
        );
        expect(code).toBe(1);
        expect(engine.commands).toEqual([]);
      }
    }
  });

  verifies("inside:acts-as-terminal", "send speaks as the terminal, with its token, to its own engine", async () => {
    const engine = fakeEngine(snapshotOf(), { send: dispatched });
    const { asked, doors } = withAddresses(engine);
    const { code, out } = await run(["send", "writer", "Hello"], doors, { env: PEER });
    expect([code, out]).toEqual([0, "Typed into writer.\n"]);
    expect(asked).toEqual([{ url: "http://127.0.0.1:4100", token: "own-token" }]);
    expect(engine.commands).toMatchObject([{ kind: "send", caller: { kind: "terminal", id: "term-a1" } }]);
  });

  verifies("inside:acts-as-terminal", "broadcast speaks as the terminal", async () => {
    const outcome = { kind: "broadcast", reached: ["writer"], holding: [], failed: [] } as const;
    const engine = fakeEngine(snapshotOf(), { broadcast: { ok: true, outcome } });
    await run(["broadcast", "Freeze"], doorsWith(engine), { env: PEER });
    expect(engine.commands).toMatchObject([{ kind: "broadcast", caller: { kind: "terminal", id: "term-a1" } }]);
  });

  test("--as is refused: a terminal has one name", async () => {
    const engine = fakeEngine(snapshotOf());
    const { code, err } = await run(["send", "writer", "Hello", "--as", "boss"], doorsWith(engine), { env: PEER });
    expect([code, err]).toEqual([1, expect.stringContaining("always speaks under its own name")]);
    expect(engine.commands).toEqual([]);
  });

  test("a shell has no token, so it cannot send, but it can look", async () => {
    const engine = fakeEngine(snapshotOf({ agents: [agentView()] }));
    for (const args of [
      ["send", "writer", "Hello"],
      ["broadcast", "Hello"],
    ]) {
      const { code, err } = await run(args, doorsWith(engine), { env: SHELL });
      expect([code, err]).toEqual([1, expect.stringContaining("is a shell of Quay and not a peer: it has no token")]);
    }
    expect(engine.commands).toEqual([]);
    expect((await run(["ls"], doorsWith(engine), { env: SHELL })).out).toContain("reviewer");
  });

  test("no engine at its address: exit 3, and nothing is started", async () => {
    const doors = doorsWith(null, {
      connect: async () => {
        const { QuayError } = await import("../../src/lib/errors.js");
        throw new QuayError("engine-away", "away");
      },
    });
    const { code, err } = await run(["send", "writer", "Hello"], doors, { env: PEER });
    expect([code, err]).toEqual([3, expect.stringContaining("does not answer at http://127.0.0.1:4100")]);
  });
});
