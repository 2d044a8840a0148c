/** Quay's tool server as a demo agent meets it: MCP over HTTP with a bearer token; the calls are handed to the test. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

export type SendCall = {
  readonly token: string;
  readonly target: string;
  readonly message: string;
  readonly wait: boolean | undefined;
};

export type ToolsServer = {
  readonly url: string /** How many calls came in. */;
  calls(): number;
  close(): Promise<void>;
};

const bearer = (request: IncomingMessage): string =>
  /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";

/** `onSend` gives the text of the answer; a throw becomes a tool error. */
export const startToolsServer = async (
  tokens: readonly string[],
  onSend: (call: SendCall) => string | Promise<string>,
  port = 0,
): Promise<ToolsServer> => {
  let calls = 0;
  const sessions = new Map<string, StreamableHTTPServerTransport>();

  const open = async (token: string): Promise<StreamableHTTPServerTransport> => {
    const server = new McpServer({ name: "quay-a2a", version: "0" });
    const inputSchema = {
      target_terminal_id: z.string(),
      message: z.string(),
      wait_for_reply: z.boolean().optional(),
    };
    server.registerTool("quay_send_message", { inputSchema }, async (args) => {
      calls += 1;
      const call = { token, target: args.target_terminal_id, message: args.message, wait: args.wait_for_reply };
      try {
        return { content: [{ type: "text" as const, text: await onSend(call) }] };
      } catch (error) {
        return { isError: true, content: [{ type: "text" as const, text: (error as Error).message }] };
      }
    });
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await server.connect(transport as Parameters<McpServer["connect"]>[0]);
    return transport;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const token = bearer(request);
    if (!tokens.includes(token)) return void response.writeHead(401).end();
    const known = sessions.get(String(request.headers["mcp-session-id"] ?? ""));
    await (known ?? (await open(token))).handleRequest(request, response);
  };

  const http = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => http.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    calls: () => calls,
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
};
