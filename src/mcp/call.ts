/**
 * One tool call between the protocol and the engine: who calls, when its wait must end, and the signs of life sent
 * meanwhile. A cancel or a closed response ends the wait and never the delivery (`wait:caller-gone-keeps-delivery`).
 */
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { CallToolResult, ServerNotification, ServerRequest } from "@modelcontextprotocol/sdk/types.js";
import type { Caller } from "../bus/protocol.js";
import type { CallerDirectory, EngineClient } from "../engine/client.js";
import { messageOf } from "../lib/errors.js";
import type { ToolText } from "./wording.js";

export type CallExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** What every tool gets: the engine, the terminal whose session this is, and the pace of progress. */
export type ToolContext = {
  readonly client: EngineClient;
  readonly caller: Caller;
  /** Told once the answer about a delivery was handed over to its caller. */
  readonly answered: CallerDirectory["answered"];
  /** Milliseconds between two progress notifications of a call that asked for them. */
  readonly progressEveryMs: number;
};

/** The HTTP response that a call is answered on; travels with the request as `authInfo.extra.exchange`. */
export type Exchange = {
  /** Aborts when the response's reader goes away before it was answered. */
  readonly gone: AbortSignal;
  /** Resolves true once the whole response was handed over, false when its reader went away before. */
  readonly written: Promise<boolean>;
  /** The client cancelled: the protocol sends no answer, so the response has to be ended by hand. */
  readonly cancelled: () => void;
};

const isExchange = (value: unknown): value is Exchange =>
  typeof value === "object" && value !== null && "gone" in value && value.gone instanceof AbortSignal;

const exchangeOf = (extra: CallExtra): Exchange | null => {
  const exchange = extra.authInfo?.extra?.exchange;
  return isExchange(exchange) ? exchange : null;
};

const startProgress = (extra: CallExtra, everyMs: number): (() => void) => {
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    extra
      .sendNotification({ method: "notifications/progress", params: { progressToken, progress, message: "Waiting" } })
      .catch(() => undefined);
  }, everyMs);
  return () => clearInterval(timer);
};

/** Tells the engine when the response that carries the answer about this delivery has left. */
export const reportWhenWritten = (context: ToolContext, extra: CallExtra, delivery: string): void => {
  void exchangeOf(extra)?.written.then((isWritten) => {
    if (isWritten && !extra.signal.aborted) context.answered(delivery);
  });
};

/** Runs the engine's part of a call; a throw becomes a tool error, so that the model can read it. */
export const answerCall = async (
  context: Pick<ToolContext, "progressEveryMs">,
  extra: CallExtra,
  work: (signal: AbortSignal) => Promise<ToolText>,
): Promise<CallToolResult> => {
  const exchange = exchangeOf(extra);
  const signal = exchange === null ? extra.signal : AbortSignal.any([extra.signal, exchange.gone]);
  const onCancel = () => exchange?.cancelled();
  extra.signal.addEventListener("abort", onCancel, { once: true });
  const stopProgress = startProgress(extra, context.progressEveryMs);
  try {
    const { text, isError } = await work(signal);
    return { content: [{ type: "text", text }], ...(isError ? { isError } : {}) };
  } catch (error) {
    return { content: [{ type: "text", text: `Quay could not do that: ${messageOf(error)}` }], isError: true };
  } finally {
    stopProgress();
    extra.signal.removeEventListener("abort", onCancel);
  }
};
