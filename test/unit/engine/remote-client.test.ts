import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Change, EngineClient } from "../../../src/engine/client.js";
import { connectRemote } from "../../../src/engine/remote-client.js";
import { agent, createFakeEngine, entry, OWNER_TOKEN, tokenOf } from "../../support/fake-engine.js";
import { startBridge } from "../../support/loopback.js";
import { until } from "../../support/until.js";
import { verifies } from "../../support/verifies.js";

const quick = { backOff: { firstMs: 5, longestMs: 20 }, goneAfterMs: 40 };

const connect = async (url: string, token = OWNER_TOKEN): Promise<{ client: EngineClient; changes: Change[] }> => {
  const client = await connectRemote({ url, token, ...quick });
  onTestFinished(() => client.close());
  const changes: Change[] = [];
  client.subscribe((change) => changes.push(change));
  return { client, changes };
};

const send = {
  kind: "send",
  caller: { kind: "person", as: null, project: null },
  target: "docs-writer",
  text: "hello",
  wait: true,
  raw: false,
} as const;

describe("a connected client", () => {
  test("has the snapshot at once and follows its changes and toasts", async () => {
    const { url, engine } = await startBridge([agent("term-1")]);
    const { client, changes } = await connect(url);
    expect(client.snapshot().agents.map(({ id }) => id)).toEqual(["term-1"]);
    await until(() => engine.listeners() === 2);
    engine.setTrail([entry("d-1", { text: "ünïcödé \n 漢字" })]);
    engine.toast("Swarm Broadcast from You");
    await until(() => changes.length === 2);
    expect(client.snapshot()).toEqual(engine.client.snapshot());
    expect(changes).toContainEqual({ kind: "snapshot" });
    expect(changes).toContainEqual({ kind: "toast", toast: { at: 0, text: "Swarm Broadcast from You" } });
  });

  test("gives a command and gets its answer, a failure too", async () => {
    const { url, engine } = await startBridge([agent("term-1")]);
    const { client } = await connect(url);
    engine.script("send", () => ({ ok: true, outcome: { kind: "dispatched", to: "x" }, delivery: "d-1" }));
    expect(await client.dispatch(send)).toEqual({
      ok: true,
      outcome: { kind: "dispatched", to: "x" },
      delivery: "d-1",
    });
    expect(engine.dispatched[0]?.command).toEqual(send);
    const failure = { ok: false, code: "unknownTarget", message: "No agent has that name." } as const;
    engine.script("kill", () => failure);
    expect(await client.dispatch({ kind: "kill", target: "x" })).toEqual(failure);
  });

  verifies("inside:person-verbs-refused", "gets the bridge's refusal as a failure", async () => {
    const { url } = await startBridge([agent("term-1")]);
    const { client } = await connect(url, tokenOf("term-1"));
    expect(await client.dispatch({ kind: "stop" })).toMatchObject({ ok: false, code: "person-only" });
  });

  verifies("wait:caller-gone-keeps-delivery", "ends a wait by its signal", async () => {
    const { url, engine } = await startBridge([agent("term-1")]);
    const { client } = await connect(url);
    const stop = new AbortController();
    const answer = client.dispatch(send, { signal: stop.signal });
    const command = await until(() => engine.dispatched[0]);
    stop.abort();
    expect(await answer).toMatchObject({ ok: false, code: "given-up" });
    await until(() => command.signal?.aborted);
  });

  test("lets go of everything on close", async () => {
    const { url, engine } = await startBridge([agent("term-1")]);
    const { client, changes } = await connect(url);
    await until(() => engine.listeners() === 2);
    const open = client.dispatch(send);
    await until(() => engine.dispatched.length === 1);
    await client.close();
    expect(await open).toMatchObject({ ok: false, code: "given-up" });
    await until(() => engine.listeners() === 1);
    engine.toast("too late");
    expect(changes).toEqual([]);
  });
});

describe("an engine that is away", () => {
  test("is an error with advice when it never answered", async () => {
    const { url, bridge } = await startBridge([]);
    await bridge.stop();
    await expect(connectRemote({ url, token: OWNER_TOKEN })).rejects.toMatchObject({
      code: "engine-away",
      message: expect.stringMatching(/does not answer at http.*Start it with `quay`/),
    });
  });

  test("is an error with the reason when it refuses the token, or is another program", async () => {
    const { url } = await startBridge([]);
    await expect(connectRemote({ url, token: "wrong" })).rejects.toMatchObject({
      code: "engine-refused",
      message: "This needs the bearer token of a live terminal of Quay, or a mailbox key.",
    });
    const other = createServer((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await expect(connectRemote({ url: `http://127.0.0.1:${port}`, token: OWNER_TOKEN })).rejects.toMatchObject({
      code: "engine-refused",
      message: expect.stringContaining("nothing readable"),
    });
  });

  test("is told once when the engine says that it ends", async () => {
    const { url, engine } = await startBridge([]);
    const { changes } = await connect(url);
    await until(() => engine.listeners() === 2);
    engine.endEngine("quay stop");
    // While the bridge still stands, nobody takes the last snapshot for a new engine's.
    await expect(connectRemote({ url, token: OWNER_TOKEN })).rejects.toMatchObject({ code: "engine-away" });
    expect(changes).toEqual([{ kind: "gone", why: "quay stop" }]);
  });

  test("is told once when it vanished; its return brings the new snapshot", async () => {
    const before = await startBridge([agent("before")]);
    const { client, changes } = await connect(before.url);
    await until(() => before.engine.listeners() === 2);
    await before.bridge.stop();
    await until(() => changes.length > 0);
    expect(changes).toEqual([{ kind: "gone", why: expect.stringContaining("does not answer") }]);
    expect(client.snapshot().agents[0]?.id).toBe("before");
    expect(await client.dispatch({ kind: "stop" })).toMatchObject({ ok: false, code: "engine-away" });

    const engine = createFakeEngine({ agents: [agent("after")] });
    await startBridge([], { engine, port: before.port });
    await until(() => changes.length > 1);
    expect(changes.slice(1)).toEqual([{ kind: "snapshot" }]);
    expect(client.snapshot().agents[0]?.id).toBe("after");
  });

  verifies("restart:readopts", "for less than the grace is not told as gone", async () => {
    const before = await startBridge([agent("before")]);
    const client = await connectRemote({ url: before.url, token: OWNER_TOKEN, ...quick, goneAfterMs: 10_000 });
    onTestFinished(() => client.close());
    const changes: Change[] = [];
    client.subscribe((change) => changes.push(change));
    await until(() => before.engine.listeners() === 2);
    await before.bridge.stop();
    const engine = createFakeEngine({ agents: [agent("after")] });
    engine.setTrail([]);
    await startBridge([], { engine, port: before.port });
    await until(() => client.snapshot().agents[0]?.id === "after");
    expect(changes).toEqual([{ kind: "snapshot" }]);
  });
});
