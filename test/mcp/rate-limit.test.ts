import { describe, expect, test } from "vitest";
import { API } from "../../src/engine/api-contract.js";
import { agent, createFakeEngine, OWNER_TOKEN, secretOf, tokenOf } from "../support/fake-engine.js";
import { askOnce, callOf, connectAs, type Heard, openAsk, openSession, rpc, startBridge } from "../support/loopback.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

const SENDERS = 10;
const MESSAGES = 50;
const agents = [...Array(SENDERS + 1).keys()].map((n) => agent(`term-${n}`));
const sent = { ok: true, outcome: { kind: "dispatched", delivery: "d-1" }, delivery: "d-1" } as never;

const willing = () => {
  const engine = createFakeEngine({ agents });
  engine.script("send", () => sent);
  return engine;
};

/** Asks until it is refused; the answers before that all passed. */
const loopUntilRefused = async (
  ask: () => Promise<Heard>,
  most: number,
): Promise<Heard & { readonly after: number }> => {
  for (let after = 0; after < most; after += 1) {
    const heard = await ask();
    if (heard.status === 429) return { ...heard, after };
    expect(heard.status).toBeLessThan(300);
  }
  throw new Error(`${most} requests were let in`);
};

const PLAIN =
  /^Too many requests with this token: \d+ may come at once, and [\d.]+ in each second after that\. Wait \d+ seconds?, then go on\./;

const expectPlain = (heard: Heard): void => {
  expect(Number(heard.headers["retry-after"])).toBeGreaterThanOrEqual(1);
  expect(JSON.parse(heard.text)).toMatchObject({
    ok: false,
    code: "too-many-requests",
    message: expect.stringMatching(PLAIN),
  });
};

describe("how much one token may ask", () => {
  verifies("hazard:rate-limit", "ten senders with fifty messages each pass, at once and over MCP", async () => {
    const { url, engine } = await startBridge(agents, { engine: willing() });
    const senders = await Promise.all(
      [...Array(SENDERS).keys()].map((n) => connectAs(url, `term-${n}`).then(({ client }) => client)),
    );
    const args = { target_terminal_id: `term-${SENDERS}`, message: "hello", wait_for_reply: false };
    const calls = senders.flatMap((client) =>
      [...Array(MESSAGES)].map(() => client.callTool({ name: "quay_send_message", arguments: args })),
    );
    const results = await Promise.all(calls);
    expect(results.filter((result) => result.isError === true)).toEqual([]);
    expect(engine.dispatched).toHaveLength(SENDERS * MESSAGES);
  });

  verifies(
    "hazard:rate-limit",
    "a loop on /mcp meets 429 with Retry-After, and another terminal does not",
    async () => {
      const { port, engine } = await startBridge(agents, { engine: willing() });
      const token = tokenOf("term-1");
      const session = await openSession(port, token);
      const headers = { "mcp-session-id": session };
      const heard = await loopUntilRefused(
        () => askOnce(port, { token, headers, body: callOf(1, "quay_list_agents", {}) }),
        3_000,
      );
      expect(heard.after).toBeGreaterThan(200);
      expectPlain(heard);
      // One token, one allowance: the same terminal's command line waits too, and its events never do.
      const again = await loopUntilRefused(() => askOnce(port, { token, path: API.snapshot }), 200);
      expectPlain(again);
      expect((await askOnce(port, { token: secretOf("term-1"), path: "/events", body: {} })).status).toBe(204);
      await openSession(port, tokenOf("term-2"));
      expect((await askOnce(port, { token: OWNER_TOKEN, path: API.snapshot })).status).toBe(200);
      expect(engine.dispatched).toHaveLength(0);
    },
  );

  test("a loop on /api meets it as well, the owner's too, and nothing is dispatched then", async () => {
    const allowances = {
      terminal: { burst: 5, perSecond: 0.1, open: 10 },
      owner: { burst: 8, perSecond: 0.1, open: 10 },
    };
    const { port, engine } = await startBridge(agents, { engine: willing(), allowances });
    const caller = { kind: "person", as: null, project: null };
    const body = { kind: "send", caller, target: "term-1", text: "hello", wait: false, raw: false };
    for (const [token, most] of [
      [OWNER_TOKEN, 8],
      [tokenOf("term-1"), 5],
    ] as const) {
      const before = engine.dispatched.length;
      const heard = await loopUntilRefused(() => askOnce(port, { token, path: API.command, body }), 20);
      expect(heard.after).toBe(most);
      expectPlain(heard);
      expect(engine.dispatched).toHaveLength(before + most);
    }
  });

  test("a batch counts as what it holds", async () => {
    const allowances = {
      terminal: { burst: 20, perSecond: 0.1, open: 10 },
      owner: { burst: 20, perSecond: 0.1, open: 10 },
    };
    const { port, engine } = await startBridge(agents, { engine: willing(), allowances });
    const token = tokenOf("term-1");
    const headers = { "mcp-session-id": await openSession(port, token) };
    const batch = [...Array(30).keys()].map((n) => callOf(n, "quay_list_agents", {}));
    expectPlain(await askOnce(port, { token, headers, body: batch }));
    expect(engine.dispatched).toHaveLength(0);
  });

  test("streams that stay open are counted, and end their count", async () => {
    const allowances = {
      terminal: { burst: 50, perSecond: 50, open: 2 },
      owner: { burst: 50, perSecond: 50, open: 3 },
    };
    const { port, engine } = await startBridge(agents, { allowances });
    const stream = { token: OWNER_TOKEN, path: API.stream };
    const open = await Promise.all([...Array(3)].map(() => openAsk(port, stream)));
    for (const one of open) one.resume();
    const refused = await askOnce(port, stream);
    expect(refused.status).toBe(429);
    expect(refused.headers["retry-after"]).toBe("1");
    expect(JSON.parse(refused.text).message).toMatch(
      /^Too many answers are open with this token: 3 may be open at once/,
    );
    expect(engine.listeners()).toBe(4);
    open[0]?.destroy();
    await until(() => engine.listeners() === 3);
    expect((await openAsk(port, stream)).statusCode).toBe(200);
  });

  test("a request that names a foreign host costs the token nothing", async () => {
    const allowances = {
      terminal: { burst: 3, perSecond: 0.1, open: 10 },
      owner: { burst: 3, perSecond: 0.1, open: 10 },
    };
    const { port } = await startBridge(agents, { allowances });
    const token = tokenOf("term-1");
    const headers = { host: `evil.example:${port}` };
    for (let n = 0; n < 10; n += 1) {
      expect((await askOnce(port, { token, headers, body: rpc(1, "initialize") })).status).toBe(403);
    }
    await openSession(port, token);
  });
});
