/**
 * Reads the HTTP server that a CLI runs, on 127.0.0.1 and nowhere else: one JSON value, or the stream of its events.
 * Every request has a deadline, every answer a size. It only ever reads, and judges nothing.
 */
import { type ClientRequest, get, type IncomingMessage } from "node:http";
import type { ServerDoor } from "../adapters/adapter.js";
import { createSseParser } from "../lib/sse-parser.js";

/** A session with many tool results is some MB; more than this is not read. */
const MOST_BYTES = 64 * 1024 * 1024;

export type ReaderTimes = {
  /** One answer, in ms. */
  readonly answerMs: number;
  /** The stream carries at least a heartbeat within this; else it is dead, in ms. */
  readonly silenceMs: number;
};

export type EventStream = {
  /** Resolves when it is over, whatever ended it. */
  readonly ended: Promise<void>;
  close(): void;
};

const open = (door: ServerDoor, path: string, accept: string, timeoutMs: number): ClientRequest =>
  get({
    host: "127.0.0.1",
    port: door.port,
    path,
    // No pooled connection: one that the CLI closed meanwhile would fail the next request.
    agent: false,
    auth: `${door.user}:${door.password}`,
    headers: { accept },
    timeout: timeoutMs,
  });

const answerOf = (request: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.on("timeout", () => request.destroy(new Error("no answer in time")));
    request.on("error", reject);
    request.on("response", resolve);
  });

/**
 * The JSON value at this path; null when the server has no such thing (4xx, but for a refused password).
 * Throws Error with the reason: unreachable, too late, too long, refused, not JSON.
 */
export const readJson = async (door: ServerDoor, path: string, { answerMs }: ReaderTimes): Promise<unknown> => {
  const request = open(door, path, "application/json", answerMs);
  const deadline = setTimeout(() => request.destroy(new Error("no answer in time")), answerMs);
  try {
    const response = await answerOf(request);
    const status = response.statusCode ?? 0;
    if (status === 401 || status === 403) throw new Error("the server refuses the password");
    if (status >= 500) throw new Error(`the server answers ${status}`);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response) {
      size += (chunk as Buffer).length;
      if (size > MOST_BYTES) throw new Error("the answer is too long");
      chunks.push(chunk as Buffer);
    }
    return status === 200 ? (JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown) : null;
  } finally {
    clearTimeout(deadline);
    request.destroy();
  }
};

/** Resolves when the stream is open. Throws Error with the reason when it cannot be opened. */
export const openEvents = async (
  door: ServerDoor,
  path: string,
  { answerMs, silenceMs }: ReaderTimes,
  found: (data: string) => void,
): Promise<EventStream> => {
  const request = open(door, path, "text/event-stream", answerMs);
  const response = await answerOf(request);
  if (response.statusCode !== 200) {
    request.destroy();
    throw new Error(`the server answers ${response.statusCode ?? "nothing"}`);
  }
  // From here on silence is measured between two pieces.
  request.setTimeout(silenceMs);
  const parse = createSseParser(({ data }) => found(data));
  response.setEncoding("utf8");
  response.on("data", parse);
  const ended = new Promise<void>((resolve) => {
    response.on("close", resolve);
    response.on("error", () => resolve());
  });
  return { ended, close: () => request.destroy() };
};
