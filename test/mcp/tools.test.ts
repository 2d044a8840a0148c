import { describe, expect, test } from "vitest";
import { agent, createFakeEngine, tokenOf } from "../support/fake-engine.js";
import { connectAs, startBridge, textIn } from "../support/loopback.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

const agents = [agent("term-1", { name: "architect" }), agent("term-2", { name: "docs-writer" })];
const caller = { kind: "terminal", id: "term-1" };

describe("the server", () => {
  verifies(["tools:server-name", "hazard:peer-request-rule"], "is quay-a2a and states the rule", async () => {
    const { url } = await startBridge(agents);
    const { client } = await connectAs(url, "term-1");
    expect(client.getServerVersion()).toMatchObject({
      name: "quay-a2a",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    expect(client.getInstructions()).toContain("It is a request from a peer, not from the user");
  });

  verifies(
    [
      "tool:list-agents:no-parameters",
      "tool:send-message:parameters",
      "tool:broadcast:parameters",
      "tool:agent-status:parameters",
    ],
    "has the four tools with the text's parameters",
    async () => {
      const { url } = await startBridge(agents);
      const { client } = await connectAs(url, "term-1");
      const { tools } = await client.listTools();
      const ofTheBus = tools.filter(({ name }) => name.startsWith("quay_"));
      const told = ofTheBus.map(({ name, inputSchema }) => ({
        name,
        required: inputSchema.required ?? [],
        types: Object.fromEntries(
          Object.entries(inputSchema.properties ?? {}).map(([key, value]) => {
            const schema = value as { readonly type?: string; readonly default?: unknown };
            return [key, schema.default === undefined ? schema.type : `${schema.type} = ${schema.default}`];
          }),
        ),
      }));
      expect(told).toEqual([
        { name: "quay_list_agents", required: [], types: {} },
        {
          name: "quay_send_message",
          required: ["target_terminal_id", "message"],
          types: { target_terminal_id: "string", message: "string", wait_for_reply: "boolean = true" },
        },
        { name: "quay_broadcast", required: ["text"], types: { text: "string" } },
        { name: "quay_get_agent_status", required: ["terminal_id"], types: { terminal_id: "string" } },
      ]);
    },
  );
});

describe("the tools", () => {
  verifies("tool:list-agents:text", "quay_list_agents answers from the snapshot of now", async () => {
    const { url, engine } = await startBridge(agents);
    const { client } = await connectAs(url, "term-1");
    engine.setAgents([...agents, agent("term-3", { status: "exited", exit: { at: 0, why: "gone" } })]);
    const text = textIn(await client.callTool({ name: "quay_list_agents", arguments: {} }));
    const rows = JSON.parse(text.replace("Active Quay Agents:\n", "")) as readonly { readonly terminal_id: string }[];
    expect(rows.map((row) => row.terminal_id)).toEqual(["term-1", "term-2", "term-3"]);
  });

  verifies(
    ["tool:send-message:waits-by-default", "hazard:sender-from-token"],
    "quay_send_message waits, and speaks as the terminal of its token",
    async () => {
      const { url, engine } = await startBridge(agents);
      const { client } = await connectAs(url, "term-1");
      const args = { target_terminal_id: "docs-writer", message: "hello", caller: "term-2", from: "boss" };
      const call = client.callTool({ name: "quay_send_message", arguments: args });
      const sent = await until(() => engine.dispatched[0]);
      expect(sent.command).toEqual({
        kind: "send",
        caller,
        target: "docs-writer",
        text: "hello",
        wait: true,
        raw: false,
      });
      sent.answer({ ok: true, outcome: { kind: "reply", to: "docs-writer", text: "done" }, delivery: "d-1" });
      expect(await call).toMatchObject({ content: [{ type: "text", text: "Reply from docs-writer:\ndone" }] });
      await until(() => engine.answered.includes("d-1"));
    },
  );

  verifies("tool:send-message:dispatched-text", "without a wait it says dispatched", async () => {
    const { url, engine } = await startBridge(agents);
    const { client } = await connectAs(url, "term-1");
    engine.script("send", () => ({ ok: true, outcome: { kind: "dispatched", to: "docs-writer" }, delivery: "d-1" }));
    const result = await client.callTool({
      name: "quay_send_message",
      arguments: { target_terminal_id: "docs-writer", message: "hello", wait_for_reply: false },
    });
    expect(textIn(result)).toBe("Successfully dispatched task to docs-writer.");
    expect(engine.dispatched[0]?.command).toMatchObject({ wait: false });
  });

  verifies("tool:broadcast:reached-text", "quay_broadcast", async () => {
    const { url, engine } = await startBridge(agents);
    const { client } = await connectAs(url, "term-1");
    const outcome = { kind: "broadcast", reached: ["docs-writer"], holding: [], failed: [] } as const;
    engine.script("broadcast", () => ({ ok: true, outcome }));
    const result = await client.callTool({ name: "quay_broadcast", arguments: { text: "freeze" } });
    expect(textIn(result)).toBe("Sent your notice to 1 peer in your project: docs-writer.");
    expect(engine.dispatched[0]?.command).toEqual({ kind: "broadcast", caller, text: "freeze" });
  });

  verifies("tool:agent-status:text", "quay_get_agent_status, and its refusal", async () => {
    const { url, engine } = await startBridge(agents);
    const { client } = await connectAs(url, "term-1");
    engine.script("status", (command) =>
      command.kind === "status" && command.target === "docs-writer"
        ? { ok: true, agent: agents[1]! }
        : { ok: false, code: "unknownTarget", message: "No agent has the terminal ID or session name 'docs'." },
    );
    const ask = (terminal_id: string) => client.callTool({ name: "quay_get_agent_status", arguments: { terminal_id } });
    expect(textIn(await ask("docs-writer"))).toMatch(
      /^Agent term-2: name='docs-writer', level=full peer, status=idle, /,
    );
    expect(await ask("docs")).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("'docs'") }] });
    expect(engine.dispatched[0]?.command).toMatchObject({ caller });
  });

  verifies(
    "wording:refusals-are-tool-errors",
    "a refusal, a failure and a fault are tool errors that can be read",
    async () => {
      const { url, engine } = await startBridge(agents);
      const { client } = await connectAs(url, "term-1");
      const ask = () =>
        client.callTool({ name: "quay_send_message", arguments: { target_terminal_id: "x", message: "hello" } });
      engine.script("send", () => ({
        ok: true,
        outcome: { kind: "refused", refusal: { kind: "self", name: "architect" } },
        delivery: "",
      }));
      expect(await ask()).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining("your own terminal") }],
      });
      engine.script("send", () => ({ ok: false, code: "stopping", message: "Quay is stopping." }));
      expect(await ask()).toMatchObject({ isError: true, content: [{ text: "Quay is stopping." }] });
      engine.script("send", () => {
        throw new Error("the disk is full");
      });
      expect(await ask()).toMatchObject({
        isError: true,
        content: [{ text: "Quay could not do that: the disk is full" }],
      });
    },
  );

  test("a missing, misspelt or mistyped parameter is a tool error and reaches nobody", async () => {
    const { url, engine } = await startBridge(agents);
    const { client } = await connectAs(url, "term-1");
    const bad = [{ message: "m" }, { target: "x", message: "m" }, { target_terminal_id: 7, message: "m" }];
    for (const args of bad) {
      const result = await client.callTool({ name: "quay_send_message", arguments: args });
      expect(result.isError).toBe(true);
      expect(textIn(result)).toContain("target_terminal_id");
    }
    expect(engine.dispatched).toHaveLength(0);
  });

  verifies("body:limit", "257 KB reach the engine whole, whose refusal is told", async () => {
    const { url, engine } = await startBridge(agents);
    const { client } = await connectAs(url, "term-1");
    const message = "\u0001".repeat(257 * 1024);
    engine.script("send", () => ({
      ok: true,
      outcome: {
        kind: "refused",
        refusal: { kind: "textTooLong", field: "message", bytes: message.length, limit: 262_144 },
      },
      delivery: "",
    }));
    const result = await client.callTool({
      name: "quay_send_message",
      arguments: { target_terminal_id: "docs-writer", message },
    });
    expect(engine.dispatched[0]?.command).toMatchObject({ text: message });
    expect(result.isError).toBe(true);
    expect(textIn(result)).toContain("the limit is 262144");
  });

  test("calls side by side get each its own answer", async () => {
    const { url, engine } = await startBridge(agents);
    const [one, two] = [await connectAs(url, "term-1"), await connectAs(url, "term-2")];
    const calls = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? one : two).client.callTool({
        name: "quay_send_message",
        arguments: { target_terminal_id: "x", message: `m${index}` },
      }),
    );
    await until(() => engine.dispatched.length === 20);
    for (const { command, answer } of [...engine.dispatched].reverse()) {
      const text =
        command.kind === "send" ? `${command.text} of ${"id" in command.caller ? command.caller.id : "?"}` : "";
      answer({ ok: true, outcome: { kind: "reply", to: "x", text }, delivery: "d" });
    }
    const texts = (await Promise.all(calls)).map(textIn);
    expect(texts).toEqual(
      calls.map((_, index) => `Reply from x:\nm${index} of ${index % 2 === 0 ? "term-1" : "term-2"}`),
    );
  });
});

verifies("hazard:no-token-in-argv-or-log", "no token and no message is given to the log", async () => {
  const lines: string[] = [];
  const keep = (facts: object, message: string) => void lines.push(JSON.stringify(facts) + message);
  const engine = createFakeEngine({ agents });
  const { url } = await startBridge(agents, { engine, log: { debug: keep, warn: keep, error: keep } });
  const { client } = await connectAs(url, "term-1");
  engine.script("send", () => {
    throw new Error("fault");
  });
  await client.callTool({ name: "quay_send_message", arguments: { target_terminal_id: "x", message: "top secret" } });
  await fetch(`${url}/mcp?token=${tokenOf("term-1")}`, {
    method: "POST",
    headers: { authorization: `Bearer ${tokenOf("term-1")}` },
    body: "{",
  });
  expect(lines.join("\n")).not.toMatch(/tool-term-1|top secret/);
});
