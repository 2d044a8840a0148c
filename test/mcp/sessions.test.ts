import { describe, expect, test } from "vitest";
import { agent, createFakeEngine, tokenOf } from "../support/fake-engine.js";
import { askOnce, callOf, connectAs, openAsk, openSession, rpc, startBridge, textIn } from "../support/loopback.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

const agents = [agent("term-1"), agent("term-2")];
const token = tokenOf("term-1");

/** The JSON-RPC message in an SSE answer. */
const dataIn = (text: string): unknown => JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? "null");

describe("the handshake", () => {
  test("server/discover is answered with -32601, so that a CLI falls back to initialize", async () => {
    const { port } = await startBridge(agents);
    const heard = await askOnce(port, {
      token,
      headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "server/discover" },
      body: rpc(7, "server/discover"),
    });
    expect(heard.status).toBe(200);
    expect(JSON.parse(heard.text)).toMatchObject({ jsonrpc: "2.0", id: 7, error: { code: -32601 } });
    const session = await openSession(port, token);
    const again = { token, headers: { "mcp-session-id": session }, body: rpc(8, "server/discover") };
    expect(JSON.parse((await askOnce(port, again)).text)).toMatchObject({ id: 8, error: { code: -32601 } });
  });

  test("a request without a session id gets 400, broken JSON too", async () => {
    const { port } = await startBridge(agents);
    const without = await askOnce(port, { token, body: rpc(1, "tools/list") });
    expect([without.status, JSON.parse(without.text).error.message]).toEqual([
      400,
      "The Mcp-Session-Id header is missing; send initialize first.",
    ]);
    expect((await askOnce(port, { token, body: "{" })).status).toBe(400);
    expect((await askOnce(port, { token, method: "PUT" })).status).toBe(400);
  });

  test("a client that starts again under its old id gets a new session", async () => {
    const { port } = await startBridge(agents);
    const session = await openSession(port, token);
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "again", version: "1" } };
    const heard = await askOnce(port, {
      token,
      headers: { "mcp-session-id": session },
      body: rpc(0, "initialize", params),
    });
    expect(heard.status).toBe(200);
    expect(heard.headers["mcp-session-id"]).not.toBe(session);
  });
});

describe("a session", () => {
  verifies("hazard:token-works-alone", "is refused to another terminal's token, for every method", async () => {
    const { port, engine } = await startBridge(agents);
    const session = await openSession(port, token);
    const headers = { "mcp-session-id": session };
    const other = tokenOf("term-2");
    const call = callOf(1, "quay_broadcast", { text: "mine" });
    expect((await askOnce(port, { token: other, headers, body: call })).status).toBe(404);
    expect((await askOnce(port, { token: other, headers })).status).toBe(404);
    expect((await askOnce(port, { token: other, headers, method: "DELETE" })).status).toBe(404);
    expect(engine.dispatched).toHaveLength(0);
    const own = await askOnce(port, { token, headers, body: rpc(2, "tools/list") });
    expect(own.status).toBe(200);
  });

  test("has one GET stream that opens at once and shows that it lives", async () => {
    const { port } = await startBridge(agents, { pace: { keepAliveMs: 20 } });
    const headers = { "mcp-session-id": await openSession(port, token) };
    const stream = await openAsk(port, { token, headers });
    expect([stream.statusCode, stream.headers["content-type"]]).toEqual([200, "text/event-stream"]);
    let heard = "";
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      heard += chunk;
    });
    await until(() => heard.includes(": keepalive"));
    expect((await askOnce(port, { token, headers })).status).toBe(409);
    stream.destroy();
    // Once the first has gone, a client may open it again.
    await until(async () => {
      const next = await openAsk(port, { token, headers });
      next.destroy();
      return next.statusCode === 200;
    });
  });

  test("ends on DELETE; deleting what is not there is 404 and adopts nothing", async () => {
    const { port } = await startBridge(agents);
    const headers = { "mcp-session-id": await openSession(port, token) };
    expect((await askOnce(port, { token, headers, method: "DELETE" })).status).toBe(200);
    expect((await askOnce(port, { token, headers, method: "DELETE" })).status).toBe(404);
  });

  verifies("hazard:old-mcp-session", "of an unknown id is adopted, also by two requests at once", async () => {
    const { port, engine } = await startBridge(agents);
    engine.script("broadcast", () => ({
      ok: true,
      outcome: { kind: "broadcast", reached: [], holding: [], failed: [] },
    }));
    const headers = { "mcp-session-id": "from-before-the-restart", "mcp-protocol-version": "2025-06-18" };
    const stream = openAsk(port, { token, headers });
    const asks = [11, 12, 13].map((id) =>
      askOnce(port, { token, headers, body: callOf(id, "quay_broadcast", { text: `t${id}` }) }),
    );
    const answers = await Promise.all(asks);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect(answers.map((answer) => answer.headers["mcp-session-id"])).toEqual(
      asks.map(() => "from-before-the-restart"),
    );
    expect(dataIn(answers[1]?.text ?? "")).toMatchObject({ id: 12, result: { content: [{ type: "text" }] } });
    expect((await stream).statusCode).toBe(200);
    (await stream).destroy();
    // Adopted for its terminal: nobody else's token speaks in it now.
    expect((await askOnce(port, { token: tokenOf("term-2"), headers, body: rpc(14, "tools/list") })).status).toBe(404);
  });

  test("an id that no server gives out is not adopted", async () => {
    const { port } = await startBridge(agents);
    for (const id of ["a b", "x".repeat(129)]) {
      const heard = await askOnce(port, { token, headers: { "mcp-session-id": id }, body: rpc(1, "tools/list") });
      expect(heard.status).toBe(404);
    }
  });

  test("that idles is dropped and adopted again when its client comes back", async () => {
    const { port, engine } = await startBridge(agents, { pace: { sessionIdleMs: 30 } });
    const session = await openSession(port, token);
    const headers = { "mcp-session-id": session };
    // Only a dropped session is free to be taken up by another terminal.
    const other = { token: tokenOf("term-2"), headers, body: rpc(1, "tools/list") };
    await until(async () => (await askOnce(port, other)).status === 200);
    expect(engine.dispatched).toHaveLength(0);
  });

  test("beyond 32 of one terminal takes the place of the one idle for longest, never of one with an open stream", async () => {
    const { port } = await startBridge(agents);
    const first = { "mcp-session-id": await openSession(port, token) };
    const stream = await openAsk(port, { token, headers: first });
    stream.resume();
    const second = { "mcp-session-id": await openSession(port, token) };
    for (let count = 2; count < 33; count += 1) await openSession(port, token);
    const list = { token: tokenOf("term-2"), body: rpc(1, "tools/list") };
    expect((await askOnce(port, { ...list, headers: first })).status).toBe(404);
    expect((await askOnce(port, { ...list, headers: second })).status).toBe(200);
    stream.destroy();
  });

  test("with an open stream does not idle", async () => {
    const { port } = await startBridge(agents, { pace: { sessionIdleMs: 30, keepAliveMs: 10 } });
    const headers = { "mcp-session-id": await openSession(port, token) };
    const stream = await openAsk(port, { token, headers });
    let beats = 0;
    stream.on("data", () => {
      beats += 1;
    });
    await until(() => beats > 15);
    expect((await askOnce(port, { token: tokenOf("term-2"), headers, body: rpc(1, "tools/list") })).status).toBe(404);
    stream.destroy();
  });
});

describe("a restart of Quay", () => {
  verifies(
    ["hazard:tools-survive-restart", "hazard:old-mcp-session"],
    "leaves a real client its tools: same port, same token, same session",
    async () => {
      const before = await startBridge(agents);
      const { client, transport } = await connectAs(before.url, "term-1");
      const session = transport.sessionId;
      expect(session).toBeDefined();
      await before.bridge.stop();

      const engine = createFakeEngine({ agents: [agent("term-1", { name: "after" })] });
      await startBridge([], { engine, port: before.port });
      const result = await client.callTool({ name: "quay_list_agents", arguments: {} });
      expect(textIn(result)).toContain('"name": "after"');
      expect(transport.sessionId).toBe(session);
      expect((await client.listTools()).tools).toHaveLength(13);
    },
  );
});
