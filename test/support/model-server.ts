/**
 * A scripted stand-in for the models' APIs, for driving real CLIs without a network. One server speaks them all: the
 * path of a request tells the dialect, and all share one script.
 * Two kinds of script: `queue` is played once, in order; `when` answers each turn whose latest prompt matches, step by
 * step. Every request is recorded. It must not guess: an unscripted prompt gets a plain answer that says so.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropic } from "./dialects/anthropic.js";
import type { Answer, Asked, Body, Dialect } from "./dialects/dialect.js";
import { gemini } from "./dialects/gemini.js";
import { openaiChat } from "./dialects/openai-chat.js";
import { openaiResponses } from "./dialects/openai-responses.js";

const DIALECTS: readonly Dialect[] = [anthropic, openaiResponses, openaiChat, gemini];

export type Reply =
  | { readonly kind: "text"; readonly text: string; readonly delayMs?: number }
  | {
      readonly kind: "tools";
      readonly calls: readonly { readonly name: string; readonly input: Readonly<Record<string, unknown>> }[];
      readonly text?: string;
      readonly delayMs?: number;
    }
  /** The stream opens and says nothing more until the client leaves or `release` is called. */
  | { readonly kind: "hang"; readonly answer?: string }
  | { readonly kind: "error"; readonly status: number; readonly message?: string }
  /** The connection is cut in the middle of the stream. */
  | { readonly kind: "reset" };

export type ModelRequest = Asked & {
  readonly at: number;
  readonly method: string;
  readonly url: string;
  /** Round trips of tools since the prompt. */
  readonly step: number;
  readonly body: Body;
};

export type Match = string | RegExp | ((request: ModelRequest) => boolean);

export type ModelServer = {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /**
   * Answers every turn whose prompt matches; the k-th request of the turn gets the k-th step, the last one stays.
   * Of several rules that match the one made last wins.
   */
  when(match: Match, ...steps: readonly Reply[]): void;
  /** Played once, before any `when`, for the next request (that matches). */
  queue(reply: Reply, match?: Match): void;
  /** Ends every hanging stream with its `answer`. */
  release(): void;
  close(): Promise<void>;
};

export const say = (text: string, delayMs = 0): Reply => ({ kind: "text", text, delayMs });
export const call = (name: string, input: Readonly<Record<string, unknown>> = {}): Reply => ({
  kind: "tools",
  calls: [{ name, input }],
});

const fits = (match: Match, request: ModelRequest): boolean => {
  if (typeof match === "function") return match(request);
  return typeof match === "string" ? request.prompt.includes(match) : match.test(request.prompt);
};

const readBody = async (request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8")) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
};

const NOTHING: Asked = { prompt: "", results: [], tools: [], system: "" };

const recordOf = (request: IncomingMessage, body: Body, dialect: Dialect | null): ModelRequest => {
  const asked = dialect?.read(body) ?? NOTHING;
  const { method = "", url = "" } = request;
  return { at: Date.now(), method, url, ...asked, step: asked.results.length, body };
};

const pathOf = (request: IncomingMessage): string => (request.url ?? "").split("?", 1)[0] ?? "";

export const startModelServer = async (): Promise<ModelServer> => {
  const requests: ModelRequest[] = [];
  const rules: { readonly match: Match; readonly steps: readonly Reply[] }[] = [];
  const queued: { readonly match: Match; readonly reply: Reply }[] = [];
  const hanging = new Set<() => void>();
  const timers = new Set<NodeJS.Timeout>();
  let count = 0;

  const replyTo = (dialect: Dialect, request: ModelRequest): Reply => {
    const aside = dialect.aside(request.body);
    if (aside !== null) return say(aside);
    const next = queued.findIndex(({ match }) => fits(match, request));
    if (next >= 0) return queued.splice(next, 1)[0]!.reply;
    const rule = rules.find(({ match }) => fits(match, request));
    return rule?.steps[Math.min(request.step, rule.steps.length - 1)] ?? say(`no script for: ${request.prompt}`);
  };

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        resolve();
      }, ms);
      timers.add(timer);
    });

  const json = (response: ServerResponse, status: number, content: unknown): void => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(content));
  };

  /** Waits as the reply says; null: the connection was cut instead. */
  const play = async (response: ServerResponse, reply: Exclude<Reply, { kind: "error" }>): Promise<Answer | null> => {
    if (reply.kind === "reset") {
      response.socket?.destroy();
      return null;
    }
    if (reply.kind === "hang") {
      await new Promise<void>((resolve) => {
        const end = (): void => {
          hanging.delete(end);
          resolve();
        };
        hanging.add(end);
        response.on("close", end);
      });
      return { text: reply.answer ?? "released", calls: [] };
    }
    if (reply.delayMs) await pause(reply.delayMs);
    return { text: reply.text ?? "", calls: reply.kind === "tools" ? reply.calls : [] };
  };

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = pathOf(incoming);
    const dialect = (incoming.method === "POST" && DIALECTS.find((one) => one.path.test(path))) || null;
    const request = recordOf(incoming, await readBody(incoming), dialect);
    requests.push(request);
    count += 1;
    if (request.method === "HEAD") return void response.writeHead(200).end();
    if (dialect === null) {
      const fixed = DIALECTS.flatMap((one) => one.fixed).find((one) => one.path.test(path));
      return fixed === undefined
        ? json(response, 404, anthropic.failure(404, `no such address here: ${path}`))
        : json(response, 200, fixed.content);
    }
    const reply = replyTo(dialect, request);
    if (reply.kind === "error") {
      return json(
        response,
        reply.status,
        dialect.failure(reply.status, reply.message ?? `scripted error ${reply.status}`),
      );
    }
    const id = `script_${count}`;
    const streams = dialect.streams(request.body, path);
    if (streams) {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
      response.flushHeaders();
      dialect.open(response, id, request.body);
    }
    const said = await play(response, reply);
    if (said === null) return;
    if (!streams) return json(response, 200, dialect.whole(id, request.body, said));
    dialect.finish(response, id, request.body, said);
    response.end();
  };

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    when(match, ...steps) {
      rules.unshift({ match, steps });
    },
    queue(reply, match = () => true) {
      queued.push({ match, reply });
    },
    release() {
      for (const end of [...hanging]) end();
    },
    async close() {
      for (const timer of timers) clearTimeout(timer);
      for (const end of [...hanging]) end();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
