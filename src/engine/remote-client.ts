/**
 * EngineClient over /api, for an engine in another process of this host. Keeps the last snapshot, follows the stream, and
 * goes on trying when the engine is away: a reader hears `gone` once per absence, and `snapshot` when it is back.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Snapshot } from "../bus/views.js";
import { messageOf, QuayError } from "../lib/errors.js";
import { createSseParser } from "../lib/sse-parser.js";
import { API, readAnswer, readEvent, readSnapshot, type StreamEvent } from "./api-contract.js";
import type { Answer, Change, Command, EngineClient, Failure } from "./client.js";

export type RemoteOptions = {
  /** Root of the bridge, `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** The owner's token, or a terminal's own. */
  readonly token: string;
  /** First and longest pause between two attempts to reach the stream again, in ms. */
  readonly backOff?: { readonly firstMs: number; readonly longestMs: number };
  /** How long an engine may be away before readers hear `gone`: a restart takes less. Default 1,500 ms. */
  readonly goneAfterMs?: number;
};

const BACK_OFF = { firstMs: 100, longestMs: 2_000 };
const GONE_AFTER_MS = 1_500;

const away = (url: string, error: unknown): string =>
  `Quay's engine does not answer at ${url} (${messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error)}). Start it with \`quay\` or \`quay serve\`.`;

const failureOf = (value: unknown, status: number): Failure => {
  const answer = readAnswer(value);
  if (answer !== null && !answer.ok) return answer;
  return {
    ok: false,
    code: "bad-answer",
    message: `Quay's engine answered with status ${status} and nothing readable.`,
  };
};

const readJson = async (response: Response): Promise<unknown> => {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
};

/**
 * Reads the first snapshot, then follows the stream until `close`.
 * Throws QuayError `engine-away` when nobody answers, `engine-refused` when the answer is a refusal.
 */
export const connectRemote = async ({
  url,
  token,
  backOff = BACK_OFF,
  goneAfterMs = GONE_AFTER_MS,
}: RemoteOptions): Promise<EngineClient> => {
  const headers = { authorization: `Bearer ${token}` };
  const root = url.replace(/\/+$/, "");
  const listeners = new Set<(change: Change) => void>();
  const closed = new AbortController();
  const commands = new Set<AbortController>();

  const tell = (change: Change): void => {
    for (const listener of [...listeners]) listener(change);
  };

  const fetchSnapshot = async (): Promise<Snapshot> => {
    let response: Response;
    try {
      response = await fetch(root + API.snapshot, { headers, signal: closed.signal });
    } catch (error) {
      throw new QuayError("engine-away", away(root, error), { facts: { url: root }, cause: error });
    }
    const value = await readJson(response);
    const snapshot = response.ok ? readSnapshot(value) : null;
    if (snapshot !== null) return snapshot;
    const { code, message } = failureOf(value, response.status);
    throw new QuayError(code === "engine-away" ? code : "engine-refused", message, {
      facts: { url: root, status: response.status, code },
    });
  };

  let latest = await fetchSnapshot();
  let isAway = false;

  const take = (event: StreamEvent): void => {
    if (event.event === "snapshot") {
      const isNews = isAway || event.body.revision !== latest.revision || event.body.engine.pid !== latest.engine.pid;
      latest = event.body;
      isAway = false;
      if (isNews) tell({ kind: "snapshot" });
    } else if (event.event === "toast") tell({ kind: "toast", toast: event.body });
    else leave(event.body.why);
  };
  const leave = (why: string): void => {
    if (isAway || closed.signal.aborted) return;
    isAway = true;
    tell({ kind: "gone", why });
  };

  /** One connection of the stream, until it ends; true when it had carried anything. */
  const followOnce = async (): Promise<boolean> => {
    const response = await fetch(root + API.stream, { headers, signal: closed.signal });
    if (!response.ok || response.body === null) {
      throw new Error(failureOf(await readJson(response), response.status).message);
    }
    let carried = false;
    const parse = createSseParser(({ event, data }) => {
      const known = readEvent(event, data);
      if (known === null) return;
      carried = true;
      take(known);
    });
    const decoder = new TextDecoder();
    for await (const chunk of response.body as AsyncIterable<Uint8Array>)
      parse(decoder.decode(chunk, { stream: true }));
    return carried;
  };

  const follow = async (): Promise<void> => {
    let wait = backOff.firstMs;
    let awaySince = Date.now();
    let why: unknown = new Error("the stream ended");
    while (!closed.signal.aborted) {
      try {
        if (await followOnce()) {
          wait = backOff.firstMs;
          awaySince = Date.now();
        }
      } catch (error) {
        why = error;
      }
      if (Date.now() - awaySince >= goneAfterMs) leave(away(root, why));
      if (closed.signal.aborted) return;
      await pause(wait, undefined, { signal: closed.signal }).catch(() => undefined);
      wait = Math.min(wait * 2, backOff.longestMs);
    }
  };
  const following = follow();

  const dispatch = async <C extends Command>(
    command: C,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<Answer<C["kind"]>> => {
    const own = new AbortController();
    commands.add(own);
    try {
      const response = await fetch(root + API.command, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(command),
        signal: options.signal === undefined ? own.signal : AbortSignal.any([own.signal, options.signal]),
      });
      const value = await readJson(response);
      const answer = readAnswer(value) ?? failureOf(value, response.status);
      return answer as Answer<C["kind"]>;
    } catch (error) {
      const gaveUp = options.signal?.aborted === true || own.signal.aborted;
      return gaveUp
        ? {
            ok: false,
            code: "given-up",
            message: "The wait for the engine's answer was given up; a message that was sent goes on.",
          }
        : { ok: false, code: "engine-away", message: away(root, error) };
    } finally {
      commands.delete(own);
    }
  };

  return {
    snapshot: () => latest,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    dispatch,
    close: async () => {
      listeners.clear();
      closed.abort();
      for (const command of commands) command.abort();
      await following;
    },
  };
};
