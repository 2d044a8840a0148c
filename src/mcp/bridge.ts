/**
 * The one listener of Quay, on 127.0.0.1 only: /mcp for the tools of agents and of mailbox keys, /events for the pokes of plugins, /api for
 * screens and the command line. Order on every request: Host and Origin, then the token, then how much that token asks,
 * then the path. Nothing of a body is read before that.
 */
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { CallerDirectory, EngineClient } from "../engine/client.js";
import { messageOf, QuayError } from "../lib/errors.js";
import type { MailboxDoor } from "../mailbox/rules/door.js";
import { type ApiCaller, createApi } from "./api-route.js";
import { bearerOf, foreignHead } from "./guard.js";
import { readBody, sendFailure, sendJson, sendTooLarge, sendTooMany } from "./http.js";
import { answerMcp } from "./mcp-route.js";
import {
  type Allowance,
  createRateLimit,
  KEY_ALLOWANCE,
  OWNER_ALLOWANCE,
  TERMINAL_ALLOWANCE,
  wordOpen,
} from "./rate-limit.js";
import { createSessions, ownerOf, type Principal, SESSION_IDLE_MS } from "./sessions.js";

/** The part of a pino logger that the bridge uses. No token and no message text is ever given to it. */
export type BridgeLog = {
  debug(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
};

export type BridgeOptions = {
  readonly client: EngineClient;
  readonly directory: CallerDirectory;
  /** Whose keys come in beside the terminals' tokens, and what they and the terminals call. */
  readonly mailbox: MailboxDoor;
  /** The port to listen on; null: any free one. A port that is taken is an error, never another port. */
  readonly port: number | null;
  readonly log: BridgeLog;
  /** What the tool server gives its clients as its version; the package's own when left out. */
  readonly version?: string;
  /** Paces in ms; the defaults are those of the product. */
  readonly pace?: { readonly progressMs?: number; readonly keepAliveMs?: number; readonly sessionIdleMs?: number };
  /** How much one token may ask; the product's own where left out. */
  readonly allowances?: Partial<Allowances>;
};

export type Bridge = {
  /** Throws QuayError `port-taken` or `port-refused`, which names the port and what to do. */
  start(): Promise<{ readonly port: number }>;
  /** Ends every stream and wait, and lets go of the port. */
  stop(): Promise<void>;
};

const NO_TOKEN = "This needs the bearer token of a live terminal of Quay, or a mailbox key.";
const ALLOWANCES = { terminal: TERMINAL_ALLOWANCE, owner: OWNER_ALLOWANCE, key: KEY_ALLOWANCE } as const;
type Allowances = Readonly<Record<keyof typeof ALLOWANCES, Allowance>>;
const PROGRESS_MS = 5_000;
const KEEP_ALIVE_MS = 5_000;
/** The start is over, and said so, before the protocol's library is loaded, ms. */
const WARM_UP_MS = 50;
/** How long a response that is being written may take after the stop. */
const CUT_MS = 300;
/** Longer than a client's own keep-alive, so that no request meets a connection we are just closing. */
const IDLE_CONNECTION_MS = 75_000;

const portError = (port: number, error: NodeJS.ErrnoException): QuayError =>
  error.code === "EADDRINUSE"
    ? new QuayError(
        "port-taken",
        `Port ${port} on 127.0.0.1 is taken by another program, and Quay does not move to another one by itself: its agents know this one. ` +
          `End that program (\`ss -ltnp 'sport = :${port}'\` names it), or set another port (setting \`port\`) and relaunch the agents.`,
        { facts: { port }, cause: error },
      )
    : new QuayError(
        "port-refused",
        `Quay may not listen on port ${port} of 127.0.0.1 (${error.code ?? error.message}). Set another port (setting \`port\`) and relaunch the agents.`,
        { facts: { port }, cause: error },
      );

const listen = (server: Server, port: number | null): Promise<number> =>
  new Promise((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException) => reject(portError(port ?? 0, error));
    server.once("error", refused);
    server.listen({ host: "127.0.0.1", port: port ?? 0, exclusive: true }, () => {
      server.off("error", refused);
      resolve((server.address() as AddressInfo).port);
    });
  });

/** Answers on a raw connection (an upgrade or CONNECT), where node gives no response object. */
const endSocket = (socket: Duplex, status: string, message: string, header = ""): void => {
  const body = JSON.stringify({ ok: false, code: "refused", message });
  socket.on("error", () => undefined);
  socket.end(
    `HTTP/1.1 ${status}\r\n${header}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
};

const packageVersion = (): string => {
  const parsed: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const isNamed = typeof parsed === "object" && parsed !== null && "version" in parsed;
  return isNamed && typeof parsed.version === "string" ? parsed.version : "0";
};

/** Without the query, where a careless caller may have put a secret. */
const pathOf = (request: IncomingMessage): string => (request.url ?? "").split("?", 1)[0] ?? "";

export const createBridge = ({
  client,
  directory,
  mailbox,
  port,
  log,
  version = packageVersion(),
  pace = {},
  allowances: wanted = {},
}: BridgeOptions): Bridge => {
  const allowances = { ...ALLOWANCES, ...wanted };
  const keepAliveMs = pace.keepAliveMs ?? KEEP_ALIVE_MS;
  const answered = (delivery: string): void => directory.answered(delivery);
  const sessions = createSessions({
    client,
    mailbox,
    answered,
    version,
    keepAliveMs,
    progressEveryMs: pace.progressMs ?? PROGRESS_MS,
    idleMs: pace.sessionIdleMs ?? SESSION_IDLE_MS,
    onFault: (error) => log.debug({ error: error.message }, "an MCP request was not taken"),
  });
  const api = createApi({ client, answered, keepAliveMs });
  const limit = createRateLimit(() => performance.now());
  let bound = 0;

  const apiCallerOf = (token: string): ApiCaller | null => {
    if (directory.isOwner(token)) return { kind: "owner" };
    const caller = directory.callerOf(token);
    return caller === null ? null : { kind: "terminal", id: caller.id };
  };

  const principalOf = (token: string): Principal | null => {
    const caller = directory.callerOf(token);
    if (caller !== null) return { kind: "terminal", id: caller.id };
    const holder = mailbox.holderOf(token);
    return holder === null ? null : { kind: "key", ...holder };
  };

  const takeEvent = async (request: IncomingMessage, response: ServerResponse, terminal: string): Promise<void> => {
    if (request.method !== "POST") {
      return sendFailure(response, 405, "wrong-method", "/events takes POST.", { allow: "POST" });
    }
    const body = await readBody(request);
    if (body.kind === "tooLarge") return sendTooLarge(response);
    // The event itself is in the spool: the poke only says that it is time to look.
    directory.poke(terminal);
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    // A permission hook names its file and waits for what it is to print.
    const asks = body.kind === "text" && body.text !== "";
    const answer = asks ? await directory.answerOf(terminal, body.text, gone.signal) : null;
    if (answer === null) response.writeHead(204).end();
    else sendJson(response, 200, answer);
  };

  const unauthorised = (response: ServerResponse): void =>
    sendFailure(response, 401, "unauthorised", NO_TOKEN, {
      "www-authenticate": 'Bearer realm="quay"',
    });

  /** False when the caller asks too much, and was told so. One token has one allowance, whichever path it asks on. */
  const mayAsk = (response: ServerResponse, caller: ApiCaller | Principal): boolean => {
    const key = caller.kind === "owner" ? "owner" : ownerOf(caller);
    const allowance = allowances[caller.kind];
    const refused = limit.take(key, allowance);
    if (refused !== null) {
      sendTooMany(response, refused.message, refused.retryAfterS);
      return false;
    }
    const leave = limit.open(key, allowance);
    if (leave === null) {
      sendTooMany(response, wordOpen(allowance), 1);
      return false;
    }
    response.once("close", leave);
    return true;
  };

  const takeTools = async (request: IncomingMessage, response: ServerResponse, principal: Principal): Promise<void> => {
    if (!mayAsk(response, principal)) return;
    const charge = (count: number) => limit.take(ownerOf(principal), allowances[principal.kind], count);
    return answerMcp(request, response, sessions, { principal, charge }, bound);
  };

  const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const foreign = foreignHead(request, bound);
    if (foreign !== null) return sendFailure(response, 403, "foreign-request", foreign);
    const token = bearerOf(request);
    if (token === null) return unauthorised(response);
    const path = pathOf(request);
    if (path === "/mcp") {
      const principal = principalOf(token);
      return principal === null ? unauthorised(response) : takeTools(request, response, principal);
    }
    if (path === "/events") {
      const source = directory.eventSourceOf(token);
      return source === null ? unauthorised(response) : takeEvent(request, response, source.id);
    }
    const caller = apiCallerOf(token);
    if (caller === null) return unauthorised(response);
    if (!mayAsk(response, caller)) return;
    if (path.startsWith("/api/")) return api.answer(request, response, path, caller);
    return sendFailure(response, 404, "no-such-path", "Here are /mcp, /events and /api.");
  };

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    response.on("error", () => undefined);
    route(request, response).catch((error: unknown) => {
      log.error({ error: messageOf(error), path: pathOf(request) }, "the bridge met a fault");
      sendFailure(response, 500, "bridge-fault", "The bridge could not answer; its log says why.");
      if (response.headersSent && !response.writableEnded) response.destroy();
    });
  };

  /** No route of ours switches protocols, but a refusal must not depend on the path. */
  const onSwitch = (request: IncomingMessage, socket: Duplex): void => {
    const foreign = foreignHead(request, bound);
    if (foreign !== null) {
      endSocket(socket, "403 Forbidden", foreign);
      return;
    }
    const token = bearerOf(request);
    const isKnown =
      token !== null &&
      (directory.isOwner(token) || principalOf(token) !== null || directory.eventSourceOf(token) !== null);
    if (!isKnown) {
      endSocket(socket, "401 Unauthorized", NO_TOKEN, 'www-authenticate: Bearer realm="quay"\r\n');
      return;
    }
    endSocket(socket, "400 Bad Request", "The bridge speaks plain HTTP only.");
  };

  const server = createServer({ keepAliveTimeout: IDLE_CONNECTION_MS }, onRequest);
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    if (foreignHead(request, bound) === null && bearerOf(request) !== null) response.writeContinue();
    onRequest(request, response);
  });
  server.on("checkExpectation", onRequest);
  server.on("upgrade", onSwitch);
  server.on("connect", onSwitch);
  server.on("clientError", (_error, socket) => {
    if (socket.writable) endSocket(socket, "400 Bad Request", "This is not HTTP.");
    else socket.destroy();
  });

  return {
    start: async () => {
      bound = await listen(server, port);
      server.on("error", (error) => log.error({ error: error.message }, "the bridge's listener failed"));
      // Its failure is told by the first session, which loads the same.
      setTimeout(() => void sessions.warmUp().catch(() => {}), WARM_UP_MS).unref();
      return { port: bound };
    },
    stop: async () => {
      await sessions.close();
      api.close();
      if (!server.listening) return;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      // What is being written may finish; what hangs is cut.
      const cut = setTimeout(() => server.closeAllConnections(), CUT_MS);
      await closed;
      clearTimeout(cut);
    },
  };
};
