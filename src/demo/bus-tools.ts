/**
 * The demo agent as an MCP client of Quay's tool server. A call that never reached the server, or whose connection
 * broke, is made again on a new connection: the server recognises the same call. A refusal is not a fault: it comes
 * back as text.
 */
import { setTimeout as wait } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { messageOf, QuayError } from "../lib/errors.js";

export type ToolAnswer = { readonly ok: boolean; readonly text: string };

export type BusTools = {
  /** Throws QuayError when the server cannot be reached within `RETRY_FOR_MS`. */
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
  close(): Promise<void>;
};

/** Long enough for Quay's engine to be stopped and started again under its agents. */
const RETRY_FOR_MS = 20_000;
const RETRY_EVERY_MS = 500;
const CALL_MS = 70_000;

const textOf = (content: unknown): string => {
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((part: unknown) =>
      typeof part === "object" && part !== null && "text" in part && typeof part.text === "string" ? [part.text] : [],
    )
    .join("\n");
};

/** An answer of the server is final, also a refused token; a broken or absent connection is not. */
const isFinal = (error: unknown): boolean => {
  if (error instanceof StreamableHTTPError) return error.code === 401 || error.code === 403;
  return (
    error instanceof McpError && error.code !== ErrorCode.ConnectionClosed && error.code !== ErrorCode.RequestTimeout
  );
};

/** A connection, and the promise that rejects when the server dies: the SDK leaves the calls of a broken stream open. */
type Connection = { readonly client: Client; readonly broken: Promise<never> };

const connect = async (url: string, token: string): Promise<Connection> => {
  const client = new Client({ name: "quay-demo-agent", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  const broken = new Promise<never>((_resolve, reject) => {
    client.onerror = (error) => reject(error);
  });
  // Heard only while a call runs.
  broken.catch(() => undefined);
  // The SDK's transport type is not written for exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  return { client, broken };
};

export const openBusTools = (address: { readonly url: string; readonly token: string } | null): BusTools => {
  let connection: Connection | null = null;

  const close = async (): Promise<void> => {
    const old = connection;
    connection = null;
    await old?.client.close().catch(() => undefined);
  };

  return {
    call: async (tool, args) => {
      if (address === null)
        throw new QuayError(
          "demo.no-bus",
          "QUAY_MCP_URL and QUAY_TOKEN are not set: start this agent with quay new demo.",
        );
      const giveUpAt = Date.now() + RETRY_FOR_MS;
      for (;;) {
        try {
          connection ??= await connect(address.url, address.token);
          const { client, broken } = connection;
          const call = client.callTool({ name: tool, arguments: { ...args } }, undefined, { timeout: CALL_MS });
          const result = await Promise.race([call, broken]);
          return { ok: result.isError !== true, text: textOf(result.content) };
        } catch (error) {
          await close();
          if (isFinal(error) || Date.now() >= giveUpAt)
            throw new QuayError("demo.tool-failed", `${tool} failed: ${messageOf(error)}`, { cause: error });
          await wait(RETRY_EVERY_MS);
        }
      }
    },
    close,
  };
};
