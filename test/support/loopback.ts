/** A bridge over a scripted engine, and hand-made HTTP for the requests that no decent client sends. */
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { onTestFinished } from "vitest";
import type { AgentView } from "../../src/bus/views.js";
import type { MailboxDoor } from "../../src/mailbox/rules/door.js";
import { type Bridge, type BridgeOptions, createBridge } from "../../src/mcp/bridge.js";
import { createFakeEngine, type FakeEngine, tokenOf } from "./fake-engine.js";

export const silent = { debug: () => undefined, warn: () => undefined, error: () => undefined };

export type Loopback = {
  readonly engine: FakeEngine;
  readonly bridge: Bridge;
  readonly port: number;
  readonly url: string;
};

/** For bridges whose mailbox nobody calls: it knows no key. */
export const noMailbox: MailboxDoor = {
  machine: "acc_none",
  holderOf: () => null,
  call: () => Promise.reject(new Error("no mailbox in this test")),
};

export const startBridge = async (
  agents: readonly AgentView[],
  options: Partial<BridgeOptions> & { readonly engine?: FakeEngine } = {},
): Promise<Loopback> => {
  const engine = options.engine ?? createFakeEngine({ agents });
  const bridge = createBridge({
    client: engine.client,
    directory: engine.directory,
    mailbox: noMailbox,
    port: null,
    log: silent,
    ...options,
  });
  const { port } = await bridge.start();
  onTestFinished(() => bridge.stop());
  return { engine, bridge, port, url: `http://127.0.0.1:${port}` };
};

export type Heard = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };
export type Ask = {
  readonly method?: string;
  readonly path?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

const headersFor = ({ token, headers, body }: Ask, port: number): Record<string, string> => ({
  host: `127.0.0.1:${port}`,
  accept: "application/json, text/event-stream",
  ...(body === undefined ? {} : { "content-type": "application/json" }),
  ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  ...headers,
});

/** Resolves when the head of the answer is here; the body may still be open. */
export const openAsk = (port: number, ask: Ask): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const sent = request(
      {
        host: "127.0.0.1",
        port,
        method: ask.method ?? (ask.body === undefined ? "GET" : "POST"),
        path: ask.path ?? "/mcp",
        headers: headersFor(ask, port),
        agent: false,
      },
      resolve,
    );
    sent.on("error", reject);
    sent.end(ask.body === undefined ? undefined : typeof ask.body === "string" ? ask.body : JSON.stringify(ask.body));
  });

export const textOf = async (answer: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
};

export const askOnce = async (port: number, ask: Ask): Promise<Heard> => {
  const answer = await openAsk(port, ask);
  return { status: answer.statusCode ?? 0, headers: answer.headers, text: await textOf(answer) };
};

/** Raw bytes to the port, and what comes back until the other side closes. */
export const sayRaw = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    let heard = "";
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      heard += chunk;
    });
    socket.on("close", () => resolve(heard));
    socket.on("error", reject);
  });

/** A real MCP client that speaks as this terminal. */
export const connectAs = async (
  url: string,
  terminal: string,
): Promise<{ readonly client: Client; readonly transport: StreamableHTTPClientTransport }> => {
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${tokenOf(terminal)}` } },
    reconnectionOptions: {
      initialReconnectionDelay: 20,
      maxReconnectionDelay: 50,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 100,
    },
  });
  const client = new Client({ name: "test", version: "1" });
  // The SDK is not written for exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  onTestFinished(() => client.close());
  return { client, transport };
};

export const textIn = (result: unknown): string => {
  const { content } = result as { readonly content: readonly { readonly text: string }[] };
  return content.map((part) => part.text).join("");
};

export const rpc = (id: number, method: string, params: unknown = {}): unknown => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

export const callOf = (id: number, name: string, args: unknown, meta: unknown = {}): unknown =>
  rpc(id, "tools/call", { name, arguments: args, _meta: meta });

/** Opens an MCP session by hand; returns its id. */
export const openSession = async (port: number, token: string): Promise<string> => {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "by hand", version: "1" } };
  const heard = await askOnce(port, { token, body: rpc(0, "initialize", params) });
  const id = heard.headers["mcp-session-id"];
  if (heard.status !== 200 || typeof id !== "string") throw new Error(`no session: ${heard.status} ${heard.text}`);
  await askOnce(port, {
    token,
    headers: { "mcp-session-id": id },
    body: { jsonrpc: "2.0", method: "notifications/initialized" },
  });
  return id;
};
