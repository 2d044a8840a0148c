/** A server like the one that OpenCode's TUI runs: behind a password, JSON by path, one stream of events. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { ServerDoor } from "../../src/adapters/adapter.js";

export type ServerOfCli = {
  readonly door: ServerDoor;
  /** What a path answers: a value, an error status, or null for a 404. "hang": nothing, ever. */
  readonly answers: Map<string, unknown>;
  /** Paths in the order in which they were asked for. */
  readonly asked: string[];
  readonly streams: Set<ServerResponse>;
  /** Tells an event to everybody who listens. */
  tell(type: string, properties?: Readonly<Record<string, unknown>>): void;
  /** Cuts the streams; the server goes on. */
  cut(): void;
  stop(): Promise<void>;
  /** Again, on the same port. */
  start(): Promise<void>;
};

export const serverOfCli = async (password = "p: ä"): Promise<ServerOfCli> => {
  const answers = new Map<string, unknown>([["/health", { ok: true }]]);
  const asked: string[] = [];
  const streams = new Set<ServerResponse>();
  const expected = `Basic ${Buffer.from(`me:${password}`).toString("base64")}`;
  const make = () =>
    createServer((request, response) => {
      const path = request.url ?? "";
      asked.push(path);
      if (request.headers.authorization !== expected) return void response.writeHead(401).end();
      if (path === "/events") {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.flushHeaders();
        streams.add(response);
        response.on("close", () => streams.delete(response));
        return;
      }
      const answer = answers.get(path) ?? null;
      if (answer === "hang") return;
      if (typeof answer === "number") return void response.writeHead(answer).end();
      response.writeHead(answer === null ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(answer));
    });
  let server = make();
  let port = 0;
  const start = async (): Promise<void> => {
    server = make();
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  };
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  await start();
  onTestFinished(() => void stop());
  return {
    door: { port, user: "me", password, cliSession: null },
    answers,
    asked,
    streams,
    tell: (type, properties = {}) => {
      for (const stream of streams) stream.write(`data: ${JSON.stringify({ id: "evt_1", type, properties })}\n\n`);
    },
    cut: () => {
      for (const stream of streams) stream.destroy();
    },
    stop,
    start,
  };
};
