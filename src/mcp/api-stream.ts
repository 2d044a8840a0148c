/**
 * /api/stream: the snapshot at once and after each change, and toasts. A reader that does not keep up gets the latest
 * snapshot when it can take it, the ones between are dropped: what waits for it is one snapshot and a few toasts.
 */
import type { ServerResponse } from "node:http";
import type { Toast } from "../bus/protocol.js";
import { writeEvent } from "../engine/api-contract.js";
import type { EngineClient } from "../engine/client.js";

/** At most this often a snapshot goes out, in ms: a screen draws ten times in a second. */
const SPACING_MS = 50;
/** Toasts kept for a slow reader; older ones are dropped, each also stands on the trail. */
const TOASTS_KEPT = 20;

/** Streams until the reader leaves, the engine ends, or the returned function is called. */
export const streamChanges = (client: EngineClient, response: ServerResponse, keepAliveMs: number): (() => void) => {
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store, no-transform",
    "x-content-type-options": "nosniff",
  });
  response.flushHeaders();

  let changed = true;
  let toasts: readonly Toast[] = [];
  let blocked = false;
  let spacing: NodeJS.Timeout | null = null;

  const write = (text: string): void => {
    if (!response.write(text)) blocked = true;
  };
  const flush = (): void => {
    if (blocked || response.destroyed) return;
    for (const toast of toasts) write(writeEvent({ event: "toast", body: toast }));
    toasts = [];
    if (!changed || spacing !== null || blocked) return;
    changed = false;
    write(writeEvent({ event: "snapshot", body: client.snapshot() }));
    spacing = setTimeout(() => {
      spacing = null;
      flush();
    }, SPACING_MS);
  };

  const keepAlive = setInterval(() => {
    if (!blocked) write(": still here\n\n");
  }, keepAliveMs);
  keepAlive.unref();

  const unsubscribe = client.subscribe((change) => {
    if (change.kind === "snapshot") changed = true;
    if (change.kind === "toast") toasts = [...toasts, change.toast].slice(-TOASTS_KEPT);
    if (change.kind === "gone") {
      response.end(writeEvent({ event: "gone", body: { why: change.why } }));
      return;
    }
    flush();
  });
  response.on("drain", () => {
    blocked = false;
    flush();
  });
  response.once("close", () => {
    unsubscribe();
    clearInterval(keepAlive);
    if (spacing !== null) clearTimeout(spacing);
  });
  flush();
  return () => response.end();
};
