/**
 * /api: the engine's client over loopback, for a screen or a command line in another process. The owner's token may ask for
 * everything; a terminal's own token may read, and may send as itself (DECISIONS S18).
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { terminalId } from "../bus/ids.js";
import { API, commandSchema, TERMINAL_MAY } from "../engine/api-contract.js";
import type { CallerDirectory, Command, EngineClient } from "../engine/client.js";
import { messageOf } from "../lib/errors.js";
import { streamChanges } from "./api-stream.js";
import { parseJson, readBody, sendFailure, sendJson, sendTooLarge } from "./http.js";

/** Who asks: the person by the owner's token, or a terminal by its own. */
export type ApiCaller = { readonly kind: "owner" } | { readonly kind: "terminal"; readonly id: string };

export type ApiOptions = {
  readonly client: EngineClient;
  /** Told once the answer about a delivery was handed over to its caller. */
  readonly answered: CallerDirectory["answered"];
  readonly keepAliveMs: number;
};

export type Api = {
  answer(request: IncomingMessage, response: ServerResponse, path: string, caller: ApiCaller): Promise<void>;
  /** Ends every open stream. */
  close(): void;
};

type Checked =
  | { readonly ok: true; readonly command: Command }
  | { readonly ok: false; readonly status: number; readonly code: string; readonly message: string };

/** The command as this caller may give it: a terminal speaks as itself, whatever the command says. */
const allow = (command: Command, caller: ApiCaller): Checked => {
  if (caller.kind === "owner") {
    const claimed = "caller" in command && command.caller.kind === "terminal";
    return claimed
      ? {
          ok: false,
          status: 403,
          code: "not-your-terminal",
          message: "Only a terminal's own token speaks as that terminal. A person sends in its name with `as`.",
        }
      : { ok: true, command };
  }
  if (!TERMINAL_MAY.includes(command.kind)) {
    return {
      ok: false,
      status: 403,
      code: "person-only",
      message: `'${command.kind}' is for the person at the keyboard and is refused inside a terminal of Quay. Run it in a terminal that Quay did not start.`,
    };
  }
  const own = { kind: "terminal", id: terminalId(caller.id) } as const;
  if (command.kind === "send") return { ok: true, command: { ...command, caller: own, raw: false } };
  if (command.kind === "broadcast" || command.kind === "status" || command.kind === "mailbox")
    return { ok: true, command: { ...command, caller: own } };
  return { ok: true, command };
};

const readCommand = (text: string, caller: ApiCaller): Checked => {
  const bad = (message: string): Checked => ({ ok: false, status: 400, code: "bad-command", message });
  const value = parseJson(text);
  if (value === undefined) return bad("The body is not JSON.");
  const parsed = commandSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const at = issue === undefined || issue.path.length === 0 ? "the command" : `'${issue.path.join(".")}'`;
    return bad(`The command is not understood: ${at}: ${issue?.message ?? "wrong shape"}.`);
  }
  return allow(parsed.data, caller);
};

const runCommand = async (
  request: IncomingMessage,
  response: ServerResponse,
  { client, answered }: ApiOptions,
  caller: ApiCaller,
): Promise<void> => {
  const body = await readBody(request);
  if (body.kind === "cut") return;
  if (body.kind === "tooLarge") return sendTooLarge(response);
  const checked = readCommand(body.text, caller);
  if (!checked.ok) return sendFailure(response, checked.status, checked.code, checked.message);
  const gone = new AbortController();
  let delivery: string | null = null;
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
    else if (delivery !== null) answered(delivery);
  });
  try {
    const answer = await client.dispatch(checked.command, { signal: gone.signal });
    if (answer.ok && "delivery" in answer) delivery = answer.delivery;
    sendJson(response, 200, answer);
  } catch (error) {
    sendFailure(response, 500, "engine-fault", `Quay could not do that: ${messageOf(error)}`);
    throw error;
  }
};

export const createApi = (options: ApiOptions): Api => {
  const { client, keepAliveMs } = options;
  const streams = new Set<() => void>();
  let ended: string | null = null;
  const unsubscribe = client.subscribe((change) => {
    if (change.kind === "gone") ended = change.why;
  });
  const routes: Readonly<Record<string, "GET" | "POST">> = {
    [API.snapshot]: "GET",
    [API.stream]: "GET",
    [API.command]: "POST",
  };
  return {
    answer: async (request, response, path, caller) => {
      // Between the engine's end and the bridge's: who comes back now must not take the last snapshot for a new engine's.
      if (ended !== null) return sendFailure(response, 503, "engine-away", `Quay's engine is ending: ${ended}.`);
      const method = routes[path];
      if (method === undefined) return sendFailure(response, 404, "no-such-path", `There is no ${path} here.`);
      if (request.method !== method) {
        return sendFailure(response, 405, "wrong-method", `${path} takes ${method}.`, { allow: method });
      }
      if (path === API.snapshot) return sendJson(response, 200, client.snapshot());
      if (path === API.command) return runCommand(request, response, options, caller);
      const stop = streamChanges(client, response, keepAliveMs);
      streams.add(stop);
      response.once("close", () => streams.delete(stop));
    },
    close: () => {
      unsubscribe();
      for (const stop of streams) stop();
      streams.clear();
    },
  };
};
