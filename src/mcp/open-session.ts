/**
 * One MCP session on the SDK: its transport with the tool server behind it, and the handshake of a session that began
 * before our restart. The only file that brings the SDK in; which session is whose is known in sessions.ts.
 */
import { randomUUID } from "node:crypto";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js";
import type { ToolContext } from "./call.js";
import { createToolServer } from "./server.js";
import type { MailboxContext } from "./tools/mailbox.js";

export type SessionTraits = {
  readonly id: string;
  /** Quay's own version, as the server names it. */
  readonly version: string;
  readonly keepAliveMs: number;
  readonly onFault: (error: Error) => void;
  readonly onClose: () => void;
};

export const openSession = async (
  bus: ToolContext | null,
  mailbox: MailboxContext,
  { id, version, keepAliveMs, onFault, onClose }: SessionTraits,
): Promise<WebStandardStreamableHTTPServerTransport> => {
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id, keepAliveMs });
  transport.onerror = onFault;
  transport.onclose = onClose;
  const server = createToolServer(bus, mailbox, version);
  // The SDK's own classes are not written for exactOptionalPropertyTypes: their callbacks are optional by another name.
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  return transport;
};

/** Replays the handshake that the client made with our predecessor, so that the protocol takes the session as open. */
export const initialise = async (
  transport: WebStandardStreamableHTTPServerTransport,
  protocolVersion: string | null,
): Promise<void> => {
  const version =
    protocolVersion !== null && SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion)
      ? protocolVersion
      : LATEST_PROTOCOL_VERSION;
  const post = async (body: unknown): Promise<void> => {
    const request = new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": version,
        ...(transport.sessionId === undefined ? {} : { "mcp-session-id": transport.sessionId }),
      },
    });
    const response = await transport.handleRequest(request, { parsedBody: body });
    const answer = await response.text();
    if (!response.ok) throw new Error(`a session could not be adopted: ${response.status} ${answer}`);
  };
  await post({
    jsonrpc: "2.0",
    id: `adopted-${randomUUID()}`,
    method: "initialize",
    params: { protocolVersion: version, capabilities: {}, clientInfo: { name: "adopted", version: "0" } },
  });
  await post({ jsonrpc: "2.0", method: "notifications/initialized" });
};
