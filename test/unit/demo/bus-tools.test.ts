import { afterEach, describe, expect, it } from "vitest";
import { type BusTools, openBusTools } from "../../../src/demo/bus-tools.js";
import { type SendCall, startToolsServer, type ToolsServer } from "../../support/demo-tools-server.js";
import { until } from "../../support/until.js";

const ARGS = { target_terminal_id: "feature-impl", message: "hello", wait_for_reply: false };
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const serve = async (onSend: (call: SendCall) => string | Promise<string>, port = 0): Promise<ToolsServer> => {
  const server = await startToolsServer(["token"], onSend, port);
  closers.push(server.close);
  return server;
};

const client = (url: string, token = "token"): BusTools => {
  const tools = openBusTools({ url, token });
  closers.push(tools.close);
  return tools;
};

const portOf = (server: ToolsServer): number => Number(new URL(server.url).port);

describe("calling the bus's tools", () => {
  it("passes the arguments with its token and brings the text back", async () => {
    const calls: SendCall[] = [];
    const server = await serve((call) => {
      calls.push(call);
      return "Successfully dispatched task to feature-impl.";
    });
    const answer = await client(server.url).call("quay_send_message", ARGS);
    expect(answer).toEqual({ ok: true, text: "Successfully dispatched task to feature-impl." });
    expect(calls).toEqual([{ token: "token", target: "feature-impl", message: "hello", wait: false }]);
  });

  it("brings a refusal back as text", async () => {
    const server = await serve(() => {
      throw new Error("No agent has that name.");
    });
    const tools = client(server.url);
    expect(await tools.call("quay_send_message", ARGS)).toEqual({ ok: false, text: "No agent has that name." });
  });

  it("calls again when the server comes back, with a new session", async () => {
    const first = await serve(() => "first");
    const tools = client(first.url);
    expect((await tools.call("quay_send_message", ARGS)).text).toBe("first");
    await first.close();
    closers.splice(0, 1);
    const again = tools.call("quay_send_message", ARGS);
    await serve(() => "second", portOf(first));
    expect((await again).text).toBe("second");
  });

  it("calls again when the server dies over an open call", async () => {
    const first = await serve(() => new Promise<never>(() => {}));
    const called = client(first.url).call("quay_send_message", ARGS);
    await until(() => first.calls() === 1, 5_000, "the first call");
    await first.close();
    closers.splice(0, 1);
    await serve(() => "second", portOf(first));
    expect((await called).text).toBe("second");
  });

  it("gives up at once on a refused token, and names the tool", async () => {
    const server = await serve(() => "never");
    const begun = Date.now();
    await expect(client(server.url, "wrong").call("quay_send_message", ARGS)).rejects.toThrow(
      "quay_send_message failed",
    );
    expect(Date.now() - begun).toBeLessThan(5_000);
  });

  it("says how to get on the bus when it has no address", async () => {
    await expect(openBusTools(null).call("quay_send_message", ARGS)).rejects.toThrow("quay new demo");
  });
});
