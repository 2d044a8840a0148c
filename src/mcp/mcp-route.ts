/**
 * /mcp: finds the session a request speaks in and lets the SDK's transport answer it. The caller was established by
 * its token before; a session id only says which conversation, never who.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Exchange } from "./call.js";
import { parseJson, readBody, sendFailure, sendJson, sendTooLarge, sendTooMany, streamOut } from "./http.js";
import type { Refused } from "./rate-limit.js";
import { ownerOf, type Principal, type Session, type Sessions } from "./sessions.js";

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

const headerOf = (request: IncomingMessage, name: string): string | null => {
  const value = request.headers[name];
  return typeof value === "string" ? value : null;
};

const rpcError = (response: ServerResponse, status: number, id: unknown, code: number, message: string): void =>
  sendJson(response, status, {
    jsonrpc: "2.0",
    id: typeof id === "string" || typeof id === "number" ? id : null,
    error: { code, message },
  });

const exchangeOn = (response: ServerResponse, requests: number): Exchange => {
  const gone = new AbortController();
  const written = new Promise<boolean>((resolve) => {
    response.once("close", () => {
      resolve(response.writableFinished);
      if (!response.writableFinished) gone.abort();
    });
  });
  // In a batch the other requests still need the response.
  return { gone: gone.signal, written, cancelled: () => void (requests === 1 && response.end()) };
};

const requestsIn = (body: unknown): number =>
  (Array.isArray(body) ? body : [body]).filter((message) => isJson(message) && "id" in message && "method" in message)
    .length;

const webRequest = (request: IncomingMessage, port: number): Request => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // The token stays here: nothing behind this line needs it.
    if (typeof value === "string" && name !== "authorization") headers.set(name, value);
  }
  return new Request(`http://127.0.0.1:${port}/mcp`, { method: request.method ?? "POST", headers });
};

/** Who asks, and what the allowance says to so many more requests: a batch is not one. */
export type ToolCaller = { readonly principal: Principal; readonly charge: (count: number) => Refused | null };

export const answerMcp = async (
  request: IncomingMessage,
  response: ServerResponse,
  sessions: Sessions,
  { principal, charge }: ToolCaller,
  port: number,
): Promise<void> => {
  let body: unknown;
  if (request.method === "POST") {
    const read = await readBody(request);
    if (read.kind === "cut") return;
    if (read.kind === "tooLarge") return sendTooLarge(response);
    body = parseJson(read.text);
    if (body === undefined) return rpcError(response, 400, null, -32700, "Parse error: the body is not JSON.");
    const refused = Array.isArray(body) ? charge(body.length - 1) : null;
    if (refused !== null) return sendTooMany(response, refused.message, refused.retryAfterS);
  }
  const message: Json = isJson(body) ? body : {};
  // A client of the 2026-07-28 protocol asks this first and falls back to initialize on exactly this code.
  if (message.method === "server/discover") {
    return rpcError(
      response,
      200,
      message.id,
      -32601,
      "Method not found: this server speaks the initialize handshake.",
    );
  }

  const id = headerOf(request, "mcp-session-id");
  let session: Session | "notYours";
  if (message.method === "initialize") {
    session = await sessions.create(principal);
  } else if (id === null) {
    return rpcError(response, 400, message.id, -32000, "The Mcp-Session-Id header is missing; send initialize first.");
  } else if (request.method === "DELETE" && !sessions.has(id, principal)) {
    return rpcError(response, 404, null, -32001, "Session not found");
  } else {
    session = await sessions.find(id, principal, headerOf(request, "mcp-protocol-version"));
  }
  if (session === "notYours") return rpcError(response, 404, message.id, -32001, "Session not found");
  if (response.destroyed) return;

  const exchange = exchangeOn(response, requestsIn(body));
  const release = sessions.hold(session.id);
  try {
    const answer = await session.transport.handleRequest(webRequest(request, port), {
      ...(body === undefined ? {} : { parsedBody: body }),
      authInfo: { token: "", clientId: ownerOf(principal), scopes: [], extra: { exchange } },
    });
    await streamOut(answer, response);
  } catch (error) {
    if (response.headersSent) throw error;
    sendFailure(response, 500, "bridge-fault", "The bridge could not answer; its log says why.");
    throw error;
  } finally {
    release();
    // An initialize that was refused leaves a session that nobody knows.
    if (message.method === "initialize" && session.transport.sessionId === undefined) await sessions.drop(session.id);
  }
};
