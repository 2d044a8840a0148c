import { describe, expect, test } from "vitest";
import { API } from "../../src/engine/api-contract.js";
import { createBridge } from "../../src/mcp/bridge.js";
import { agent, createFakeEngine, OWNER_TOKEN, secretOf, tokenOf } from "../support/fake-engine.js";
import { askOnce, noMailbox, openAsk, openSession, rpc, sayRaw, silent, startBridge } from "../support/loopback.js";
import { verifies } from "../support/verifies.js";

const agents = [agent("term-1"), agent("term-2")];
const paths = ["/mcp", "/events", API.snapshot, API.stream, API.command, "/", "/nothing"];
const methods = ["GET", "POST", "DELETE", "OPTIONS", "PUT"];

describe("before anything else", () => {
  verifies(
    "hazard:host-and-origin-first",
    "a foreign Host gets 403 on every path and method, with any token",
    async () => {
      const { port, engine } = await startBridge(agents);
      for (const path of paths) {
        for (const method of methods) {
          for (const token of [tokenOf("term-1"), OWNER_TOKEN, undefined]) {
            const heard = await askOnce(port, {
              method,
              path,
              headers: { host: `evil.example:${port}` },
              ...(token === undefined ? {} : { token }),
            });
            expect([path, method, heard.status]).toEqual([path, method, 403]);
          }
        }
      }
      expect(engine.dispatched).toHaveLength(0);
      expect(engine.poked).toHaveLength(0);
    },
  );

  verifies("hazard:host-and-origin-first", "a foreign Origin gets 403, on the GET streams too", async () => {
    const { port, engine } = await startBridge(agents);
    const session = await openSession(port, tokenOf("term-1"));
    const origin = { origin: "http://evil.example" };
    const asks = [
      { path: "/mcp", token: tokenOf("term-1"), headers: { ...origin, "mcp-session-id": session } },
      { path: API.stream, token: OWNER_TOKEN, headers: origin },
      { path: API.command, token: OWNER_TOKEN, headers: origin, body: { kind: "stop" } },
      { path: "/events", token: secretOf("term-1"), headers: origin, body: {} },
    ];
    for (const ask of asks) expect([ask.path, (await askOnce(port, ask)).status]).toEqual([ask.path, 403]);
    expect(engine.dispatched).toHaveLength(0);
    // The bridge itself listens, no stream does.
    expect(engine.listeners()).toBe(1);
  });

  verifies("hazard:host-and-origin-first", "upgrades and CONNECT are refused the same way", async () => {
    const { port } = await startBridge(agents);
    const upgrade = (host: string, more = "") =>
      `GET /mcp HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${more}\r\n`;
    const own = `127.0.0.1:${port}`;
    expect(await sayRaw(port, upgrade("evil.example"))).toMatch(/^HTTP\/1\.1 403 /);
    expect(await sayRaw(port, upgrade(own, "Origin: http://evil.example\r\n"))).toMatch(/^HTTP\/1\.1 403 /);
    expect(await sayRaw(port, upgrade(own))).toMatch(/^HTTP\/1\.1 401 [\s\S]*www-authenticate: Bearer/);
    expect(await sayRaw(port, upgrade(own, `Authorization: Bearer ${tokenOf("term-1")}\r\n`))).toMatch(
      /^HTTP\/1\.1 400 /,
    );
    expect(await sayRaw(port, "CONNECT evil.example:80 HTTP/1.1\r\nHost: evil.example:80\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 403 /,
    );
    expect(await sayRaw(port, "nonsense\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
  });

  verifies("tools:token-required", "no token, or nobody's, gets 401 and says Bearer", async () => {
    const { port } = await startBridge(agents);
    for (const path of paths) {
      for (const token of [undefined, "nobody"]) {
        const heard = await askOnce(port, { method: "POST", path, ...(token === undefined ? {} : { token }) });
        expect([path, heard.status]).toEqual([path, 401]);
        expect(heard.headers["www-authenticate"]).toMatch(/^Bearer/);
      }
    }
  });

  verifies("hazard:token-works-alone", "each secret opens its own path only", async () => {
    const { port, engine } = await startBridge(agents);
    const body = rpc(1, "initialize");
    expect((await askOnce(port, { path: "/mcp", token: secretOf("term-1"), body })).status).toBe(401);
    expect((await askOnce(port, { path: "/mcp", token: OWNER_TOKEN, body })).status).toBe(401);
    expect((await askOnce(port, { path: "/events", token: tokenOf("term-1"), body })).status).toBe(401);
    expect((await askOnce(port, { path: API.snapshot, token: secretOf("term-1") })).status).toBe(401);
    expect(engine.poked).toHaveLength(0);
  });

  verifies(
    "tools:live-terminal-only",
    "the token of a terminal that exited gets 401, in an open session too",
    async () => {
      const { port, engine } = await startBridge(agents);
      const session = await openSession(port, tokenOf("term-1"));
      engine.exit("term-1");
      const heard = await askOnce(port, {
        token: tokenOf("term-1"),
        headers: { "mcp-session-id": session },
        body: rpc(1, "tools/list"),
      });
      expect(heard.status).toBe(401);
    },
  );
});

describe("bodies", () => {
  test("2 MB and a byte is 413, declared or not, and the answer can be read", async () => {
    const { port } = await startBridge(agents);
    const body = "x".repeat(2 * 1024 * 1024 + 1);
    for (const headers of [{}, { "transfer-encoding": "chunked" }] as readonly Record<string, string>[]) {
      for (const [path, token] of [
        ["/mcp", tokenOf("term-1")],
        ["/events", secretOf("term-1")],
        [API.command, OWNER_TOKEN],
      ] as const) {
        const heard = await askOnce(port, { path, token, body, headers });
        expect([path, heard.status]).toEqual([path, 413]);
        expect(heard.text).toContain("2097152 bytes");
      }
    }
  });
});

describe("/events", () => {
  test("a poke wakes the spool of that terminal, and nothing in its body counts", async () => {
    const { port, engine } = await startBridge(agents);
    const heard = await askOnce(port, { path: "/events", token: secretOf("term-2"), body: { terminal: "term-1" } });
    expect(heard.status).toBe(204);
    expect(engine.poked).toEqual(["term-2"]);
    expect(engine.dispatched).toHaveLength(0);
    expect((await askOnce(port, { path: "/events", token: secretOf("term-2") })).status).toBe(405);
  });
});

describe("the listener", () => {
  verifies("bridge:loopback-only", "listens on 127.0.0.1", async () => {
    const { port } = await startBridge(agents);
    const { createServer } = await import("node:net");
    // The same port is still free on another address of this host: the bridge did not take them all.
    const other = createServer();
    await new Promise<void>((resolve, reject) => {
      other.once("error", reject);
      other.listen(port, "127.0.0.2", resolve);
    });
    await new Promise((resolve) => other.close(resolve));
  });

  test("a taken port is an error that names it and what to do", async () => {
    const { port } = await startBridge(agents);
    const { client, directory } = createFakeEngine();
    const second = createBridge({ client, directory, mailbox: noMailbox, port, log: silent });
    await expect(second.start()).rejects.toMatchObject({
      code: "port-taken",
      facts: { port },
      message: expect.stringContaining(`Port ${port} on 127.0.0.1 is taken`),
    });
    await second.stop();
  });

  test("stop ends open streams and lets go of the port", async () => {
    const { bridge, port } = await startBridge(agents);
    const stream = await openAsk(port, { path: API.stream, token: OWNER_TOKEN });
    stream.resume();
    const ended = new Promise((resolve) => stream.once("end", resolve));
    await bridge.stop();
    await ended;
    await startBridge(agents, { port });
  });
});
