/**
 * The few things that every route of the bridge does with plain node:http: read a bounded body, answer JSON,
 * stream a web Response. Knows no route and no token.
 */
import type { IncomingMessage, ServerResponse } from "node:http";

/** Bytes of a request body: a message is at most 256 KB, and JSON may escape each byte to six. */
export const BODY_LIMIT = 2 * 1024 * 1024;

export type Body =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "tooLarge" }
  | { readonly kind: "cut" };

/**
 * Reads at most BODY_LIMIT bytes. `cut`: the sender went away in the middle. What is too much is thrown away as it comes, so
 * that the sender can still read why.
 */
export const readBody = (request: IncomingMessage): Promise<Body> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = Number(request.headers["content-length"] ?? 0) || 0;
    const isTooLarge = () => size > BODY_LIMIT;
    if (isTooLarge()) {
      request.resume();
      resolve({ kind: "tooLarge" });
      return;
    }
    size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (!isTooLarge()) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      resolve({ kind: "tooLarge" });
    });
    request.once("end", () => resolve({ kind: "text", text: Buffer.concat(chunks).toString("utf8") }));
    request.once("close", () => resolve({ kind: "cut" }));
    request.on("error", () => resolve({ kind: "cut" }));
  });

export const sendJson = (
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void => {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...headers,
  });
  response.end(JSON.stringify(value));
};

/** A failure in the shape of the engine's own (`Failure` of engine/client.ts). */
export const sendFailure = (
  response: ServerResponse,
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void => sendJson(response, status, { ok: false, code, message }, headers);

export const sendTooLarge = (response: ServerResponse): void =>
  sendFailure(response, 413, "body-too-large", `A request body may have at most ${BODY_LIMIT} bytes.`);

/** What waits in the request is thrown away as it comes, so that the sender can read why. */
export const sendTooMany = (response: ServerResponse, message: string, retryAfterS: number): void => {
  response.req.resume();
  sendFailure(response, 429, "too-many-requests", message, { "retry-after": String(retryAfterS) });
};

/** The JSON value of a text, or undefined when it is none. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Resolves once the response may take more, or is over. */
export const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.once("drain", done);
    response.once("close", done);
  });

/**
 * Copies a web Response out. The head goes out before the first byte of the body exists, because a client
 * counts its 60 s until the head (facts: "TIME-OUTS" of Claude Code). A reader that goes away cancels the body.
 */
export const streamOut = async (from: Response, to: ServerResponse): Promise<void> => {
  if (to.destroyed) {
    await from.body?.cancel();
    return;
  }
  to.writeHead(from.status, Object.fromEntries(from.headers.entries()));
  if (from.body === null) {
    to.end();
    return;
  }
  to.flushHeaders();
  const reader = from.body.getReader();
  const leave = () => void reader.cancel().catch(() => undefined);
  to.once("close", leave);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || to.destroyed) break;
      if (!to.write(value)) await drained(to);
    }
  } finally {
    to.off("close", leave);
    if (!to.writableEnded) to.end();
  }
};
