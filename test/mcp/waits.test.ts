import { describe, expect, test } from "vitest";
import { agent, tokenOf } from "../support/fake-engine.js";
import { askOnce, callOf, connectAs, openAsk, openSession, startBridge, textIn, textOf } from "../support/loopback.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

const agents = [agent("term-1"), agent("term-2")];
const token = tokenOf("term-1");
const send = { target_terminal_id: "term-2", message: "take your time" };
const reply = { ok: true, outcome: { kind: "reply", to: "term-2", text: "done" }, delivery: "d-1" } as const;

describe("a wait of 58 s", () => {
  verifies("hazard:stream-opens-at-once", "has its response head within 50 ms, long before its answer", async () => {
    const { port, engine } = await startBridge(agents);
    const headers = { "mcp-session-id": await openSession(port, token) };
    const heads: number[] = [];
    const open = async (id: number) => {
      const start = performance.now();
      const answer = await openAsk(port, { token, headers, body: callOf(id, "quay_send_message", send) });
      heads.push(performance.now() - start);
      expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "text/event-stream"]);
      return answer;
    };
    const answer = await open(1);
    // The best of some: other tests share this machine.
    for (let id = 2; id <= 8; id += 1) (await open(id)).destroy();
    expect(Math.min(...heads)).toBeLessThan(50);
    expect(engine.answered).toHaveLength(0);
    (await until(() => engine.dispatched[0])).answer(reply);
    expect(await textOf(answer)).toContain("Reply from term-2:\\ndone");
    await until(() => engine.answered.includes("d-1"));
  });

  verifies(
    "hazard:stream-opens-at-once",
    "shows progress to a client that asked for it, and keep-alives to all",
    async () => {
      const { url, port, engine } = await startBridge(agents, { pace: { progressMs: 15, keepAliveMs: 15 } });
      const { client } = await connectAs(url, "term-1");
      const seen: number[] = [];
      const call = client.callTool({ name: "quay_send_message", arguments: send }, undefined, {
        // Shorter than the wait: only progress keeps this client from giving up.
        timeout: 500,
        resetTimeoutOnProgress: true,
        onprogress: ({ progress }) => seen.push(progress),
      });
      await until(() => seen.length >= 40);
      const sent = engine.dispatched[0];
      expect(sent?.signal?.aborted).toBe(false);
      sent?.answer(reply);
      expect(textIn(await call)).toBe("Reply from term-2:\ndone");
      expect(seen.slice(0, 3)).toEqual([1, 2, 3]);

      const headers = { "mcp-session-id": await openSession(port, token) };
      const quiet = await openAsk(port, { token, headers, body: callOf(1, "quay_send_message", send) });
      let heard = "";
      quiet.setEncoding("utf8").on("data", (chunk: string) => {
        heard += chunk;
      });
      await until(() => heard.includes(": keepalive"));
      expect(heard).not.toContain("notifications/progress");
      quiet.destroy();
    },
  );
});

describe("a caller that gives up", () => {
  verifies(
    "wait:caller-gone-keeps-delivery",
    "by notifications/cancelled ends the wait, and its response",
    async () => {
      const { port, engine } = await startBridge(agents);
      const headers = { "mcp-session-id": await openSession(port, token) };
      const answer = await openAsk(port, { token, headers, body: callOf(3, "quay_send_message", send) });
      const sent = await until(() => engine.dispatched[0]);
      const cancelled = await askOnce(port, {
        token,
        headers,
        body: {
          jsonrpc: "2.0",
          method: "notifications/cancelled",
          params: { requestId: 3, reason: "AbortError: user-cancel" },
        },
      });
      expect(cancelled.status).toBe(202);
      await until(() => sent.signal?.aborted);
      expect(await textOf(answer)).not.toContain("data:");
      sent.answer({ ok: true, outcome: { kind: "abandoned" }, delivery: "d-1" });
      // Nothing but the send itself reached the engine: the delivery was not cancelled.
      expect(engine.dispatched.map(({ command }) => command.kind)).toEqual(["send"]);
      expect(engine.answered).toHaveLength(0);
      const next = askOnce(port, { token, headers, body: callOf(4, "quay_send_message", send) });
      (await until(() => engine.dispatched[1])).answer(reply);
      expect((await next).text).toContain("Reply from term-2");
    },
  );

  verifies("wait:caller-gone-keeps-delivery", "by the SDK's own cancel", async () => {
    const { url, engine } = await startBridge(agents);
    const { client } = await connectAs(url, "term-1");
    const stop = new AbortController();
    const call = client.callTool({ name: "quay_send_message", arguments: send }, undefined, { signal: stop.signal });
    const sent = await until(() => engine.dispatched[0]);
    stop.abort("the user pressed Esc");
    await expect(call).rejects.toThrow();
    await until(() => sent.signal?.aborted);
  });

  verifies("wait:caller-gone-keeps-delivery", "by closing the response ends the wait", async () => {
    const { port, engine } = await startBridge(agents);
    const headers = { "mcp-session-id": await openSession(port, token) };
    const answer = await openAsk(port, { token, headers, body: callOf(3, "quay_send_message", send) });
    const sent = await until(() => engine.dispatched[0]);
    expect(sent.signal?.aborted).toBe(false);
    answer.destroy();
    await until(() => sent.signal?.aborted);
    sent.answer(reply);
    // The session lives on, and the lost answer does not count as given.
    const list = await askOnce(port, { token, headers, body: callOf(4, "quay_list_agents", {}) });
    expect(list.text).toContain("Active Quay Agents:");
    expect(engine.answered).toHaveLength(0);
  });

  test("ends only its own wait", async () => {
    const { port, engine } = await startBridge(agents);
    const headers = { "mcp-session-id": await openSession(port, token) };
    const first = await openAsk(port, { token, headers, body: callOf(1, "quay_send_message", send) });
    await until(() => engine.dispatched[0]);
    const second = askOnce(port, { token, headers, body: callOf(2, "quay_send_message", send) });
    await until(() => engine.dispatched[1]);
    first.destroy();
    await until(() => engine.dispatched[0]?.signal?.aborted);
    expect(engine.dispatched[1]?.signal?.aborted).toBe(false);
    engine.dispatched[1]?.answer(reply);
    expect((await second).text).toContain("Reply from term-2");
  });

  test("the bridge's stop ends every wait", async () => {
    const { port, engine, bridge } = await startBridge(agents);
    const headers = { "mcp-session-id": await openSession(port, token) };
    const answer = await openAsk(port, { token, headers, body: callOf(1, "quay_send_message", send) });
    answer.resume();
    const sent = await until(() => engine.dispatched[0]);
    await bridge.stop();
    expect(sent.signal?.aborted).toBe(true);
  });
});
