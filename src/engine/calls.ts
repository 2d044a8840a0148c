/**
 * Calls under way: each waits for the one outcome that the bus settles it with. A caller that hangs up ends its wait,
 * never its delivery.
 */
import type { CallId, DeliveryId } from "../bus/ids.js";
import type { Input, Outcome } from "../bus/protocol.js";
import type { Engine } from "./engine.js";

export type Settled = { readonly outcome: Outcome; readonly deliveries: readonly DeliveryId[] };

export type Calls = {
  /** Submits the call's input and waits for its outcome. */
  make(call: CallId, input: Input, signal: AbortSignal | undefined): Promise<Settled>;
  settle(call: CallId, outcome: Outcome, deliveries: readonly DeliveryId[]): void;
  /** The engine stops: nobody will settle what is open. */
  abandon(): void;
};

export const createCalls = (engine: () => Engine): Calls => {
  const open = new Map<CallId, (settled: Settled) => void>();
  const abandoned: Settled = { outcome: { kind: "abandoned" }, deliveries: [] };

  const hangUp = (call: CallId): void => {
    const resolve = open.get(call);
    if (resolve === undefined) return;
    open.delete(call);
    resolve(abandoned);
    void engine()
      .submit({ kind: "callerGone", call })
      .catch(() => {});
  };

  return {
    make: async (call, input, signal) => {
      const settled = new Promise<Settled>((resolve) => {
        open.set(call, resolve);
      });
      const gone = (): void => hangUp(call);
      signal?.addEventListener("abort", gone, { once: true });
      try {
        await engine().submit(input);
        if (signal?.aborted === true) hangUp(call);
        return await settled;
      } finally {
        open.delete(call);
        signal?.removeEventListener("abort", gone);
      }
    },
    settle: (call, outcome, deliveries) => {
      const resolve = open.get(call);
      open.delete(call);
      resolve?.({ outcome, deliveries });
    },
    abandon: () => {
      for (const resolve of open.values()) resolve(abandoned);
      open.clear();
    },
  };
};
