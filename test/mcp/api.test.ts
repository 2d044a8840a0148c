import { describe, expect, test } from "vitest";
import { API } from "../../src/engine/api-contract.js";
import type { Command } from "../../src/engine/client.js";
import { agent, entry, OWNER_TOKEN, tokenOf } from "../support/fake-engine.js";
import { askOnce, openAsk, startBridge } from "../support/loopback.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

const agents = [agent("term-1"), agent("term-2")];
const person = { kind: "person", as: null, project: null };
const post = (port: number, token: string, body: unknown) => askOnce(port, { path: API.command, token, body });

const seat = { name: "a", kind: "claude", cwd: "/p", args: [], env: { A: "b" }, prompt: null, preset: null };
const commands: readonly (Command | unknown)[] = [
  { kind: "send", caller: person, target: "term-2", text: "hello", wait: false, raw: true },
  { kind: "broadcast", caller: { ...person, as: "term-1", project: "/p" }, text: "hello" },
  { kind: "status", caller: person, target: "term-2" },
  { kind: "launch", seat },
  { kind: "up", preset: "tdd-swarm", cwd: "/p" },
  { kind: "down", target: null, project: "/p" },
  { kind: "kill", target: "term-2" },
  { kind: "relaunch", target: "term-2" },
  { kind: "forget", target: "term-2" },
  { kind: "cancel", delivery: "d-1" },
  { kind: "typeNow", delivery: "d-1" },
  { kind: "look", target: "term-a" },
  { kind: "attach", target: "term-2", insideTmux: null },
  { kind: "trail", limit: 50, before: null },
  { kind: "stop" },
];

describe("the owner's token", () => {
  test("gives every command, as it is", async () => {
    const { port, engine } = await startBridge(agents);
    for (const command of commands) {
      engine.script((command as Command).kind, () => ({ ok: true, agentsLeft: 0 }));
      const heard = await post(port, OWNER_TOKEN, command);
      expect([heard.status, JSON.parse(heard.text)]).toEqual([200, { ok: true, agentsLeft: 0 }]);
    }
    expect(engine.dispatched.map(({ command }) => command)).toEqual(commands);
  });

  test("reads the snapshot", async () => {
    const { port, engine } = await startBridge(agents);
    const heard = await askOnce(port, { path: API.snapshot, token: OWNER_TOKEN });
    expect(JSON.parse(heard.text)).toEqual(JSON.parse(JSON.stringify(engine.client.snapshot())));
  });

  verifies("hazard:sender-from-token", "does not speak as a terminal by claiming to be one", async () => {
    const { port, engine } = await startBridge(agents);
    const caller = { kind: "terminal", id: "term-1" };
    const heard = await post(port, OWNER_TOKEN, { kind: "broadcast", caller, text: "hello" });
    expect([heard.status, JSON.parse(heard.text)]).toMatchObject([403, { ok: false, code: "not-your-terminal" }]);
    expect(engine.dispatched).toHaveLength(0);
  });

  test("gets a failure of the engine as it is, and a fault as a failure", async () => {
    const { port, engine } = await startBridge(agents);
    const failure = { ok: false, code: "unknownTarget", message: "No agent has that name." } as const;
    engine.script("kill", () => failure);
    const heard = await post(port, OWNER_TOKEN, { kind: "kill", target: "x" });
    expect([heard.status, JSON.parse(heard.text)]).toEqual([200, failure]);
    engine.script("kill", () => {
      throw new Error("boom");
    });
    const fault = await post(port, OWNER_TOKEN, { kind: "kill", target: "x" });
    expect([fault.status, JSON.parse(fault.text)]).toEqual([
      500,
      { ok: false, code: "engine-fault", message: "Quay could not do that: boom" },
    ]);
  });

  const bad: readonly (readonly [string, unknown, string])[] = [
    ["no JSON", "{", "not JSON"],
    ["an unknown kind", { kind: "reboot" }, "'kind'"],
    ["an unknown key", { kind: "kill", target: "x", force: true }, "force"],
    ["a missing key", { kind: "kill" }, "'target'"],
    ["a wrong type", { kind: "trail", limit: "all", before: null }, "'limit'"],
    ["a broken id", { kind: "status", caller: { ...person, as: "a b" }, target: "x" }, "'caller.as'"],
  ];
  for (const [what, body, named] of bad) {
    test(`gets an error that names what is wrong with ${what}`, async () => {
      const { port, engine } = await startBridge(agents);
      const heard = await post(port, OWNER_TOKEN, body);
      expect([heard.status, JSON.parse(heard.text).code]).toEqual([400, "bad-command"]);
      expect(JSON.parse(heard.text).message).toContain(named);
      expect(engine.dispatched).toHaveLength(0);
    });
  }

  test("finds no other path, and no other method", async () => {
    const { port } = await startBridge(agents);
    expect((await askOnce(port, { path: "/api/nothing", token: OWNER_TOKEN })).status).toBe(404);
    const heard = await askOnce(port, { path: API.command, token: OWNER_TOKEN });
    expect([heard.status, heard.headers.allow]).toEqual([405, "POST"]);
  });

  verifies("wait:caller-gone-keeps-delivery", "that hangs up ends its wait", async () => {
    const { port, engine } = await startBridge(agents);
    const { request } = await import("node:http");
    const body = JSON.stringify({ kind: "send", caller: person, target: "x", text: "t", wait: true, raw: false });
    const headers = { authorization: `Bearer ${OWNER_TOKEN}`, "content-type": "application/json" };
    const sent = request({ host: "127.0.0.1", port, method: "POST", path: API.command, headers });
    sent.on("error", () => undefined);
    sent.end(body);
    const command = await until(() => engine.dispatched[0]);
    sent.destroy();
    await until(() => command.signal?.aborted);
  });
});

describe("a terminal's own token", () => {
  verifies("inside:acts-as-terminal", "sends and asks as itself, whatever the command claims", async () => {
    const { port, engine } = await startBridge(agents);
    const boss = { kind: "person", as: "term-2", project: "/other" };
    engine.script("send", () => ({ ok: true, outcome: { kind: "dispatched", to: "x" }, delivery: "d-9" }));
    engine.script("broadcast", () => ({
      ok: true,
      outcome: { kind: "broadcast", reached: [], holding: [], failed: [] },
    }));
    engine.script("status", () => ({ ok: true, agent: agents[1]! }));
    const token = tokenOf("term-1");
    await post(port, token, { kind: "send", caller: boss, target: "x", text: "t", wait: false, raw: true });
    await post(port, token, { kind: "broadcast", caller: { kind: "terminal", id: "term-2" }, text: "t" });
    await post(port, token, { kind: "status", caller: boss, target: "x" });
    const own = { kind: "terminal", id: "term-1" };
    expect(engine.dispatched.map(({ command }) => command)).toEqual([
      { kind: "send", caller: own, target: "x", text: "t", wait: false, raw: false },
      { kind: "broadcast", caller: own, text: "t" },
      { kind: "status", caller: own, target: "x" },
    ]);
    await until(() => engine.answered.includes("d-9"));
  });

  verifies("inside:person-verbs-refused", "is refused every verb of a person, with a sentence", async () => {
    const { port, engine } = await startBridge(agents);
    const allowed = ["send", "broadcast", "status", "trail"];
    for (const command of commands as readonly Command[]) {
      if (allowed.includes(command.kind)) continue;
      const heard = await post(port, tokenOf("term-1"), command);
      expect([command.kind, heard.status, JSON.parse(heard.text)]).toEqual([
        command.kind,
        403,
        {
          ok: false,
          code: "person-only",
          message: `'${command.kind}' is for the person at the keyboard and is refused inside a terminal of Quay. Run it in a terminal that Quay did not start.`,
        },
      ]);
    }
    expect(engine.dispatched).toHaveLength(0);
  });

  test("reads snapshot, stream and trail", async () => {
    const { port, engine } = await startBridge(agents);
    const token = tokenOf("term-1");
    engine.script("trail", () => ({ ok: true, entries: [entry("d-1")] }));
    expect((await askOnce(port, { path: API.snapshot, token })).status).toBe(200);
    expect(JSON.parse((await post(port, token, { kind: "trail", limit: 1, before: null })).text)).toMatchObject({
      entries: [{ id: "d-1" }],
    });
    const stream = await openAsk(port, { path: API.stream, token });
    expect(stream.statusCode).toBe(200);
    stream.destroy();
  });
});

describe("the stream", () => {
  test("begins with the snapshot, then tells changes, toasts and the end", async () => {
    const { port, engine } = await startBridge(agents);
    const stream = await openAsk(port, { path: API.stream, token: OWNER_TOKEN });
    let heard = "";
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      heard += chunk;
    });
    await until(() => heard.includes('"revision":1'));
    engine.setTrail([entry("d-1")]);
    engine.toast("Swarm Broadcast from You");
    await until(() => heard.includes('"revision":2') && heard.includes("Swarm Broadcast from You"));
    engine.endEngine("quay stop");
    await until(() => stream.complete);
    expect(heard).toMatch(/event: gone\ndata: {"why":"quay stop"}\n\n$/);
    await until(() => engine.listeners() === 1);
  });
});
