/**
 * An EngineClient that outlives its engine: when the connection is gone it keeps the last snapshot, connects again with
 * a growing pause, and tells its readers. What is asked while no engine is there fails with a sentence; nothing is
 * kept back and sent later.
 */
import type { Snapshot } from "../bus/views.js";
import type { Answer, Change, Command, EngineClient, Failure } from "../engine/client.js";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;

export type SteadyOptions = {
  /** Connects anew, reading the address again; null: nothing answers yet. Errors count as null. */
  readonly connect: () => Promise<EngineClient | null>;
  /** Told once per loss and once per return. */
  readonly onLost?: (why: string) => void;
  readonly onBack?: () => void;
  /** How long an engine may be away before readers hear `gone`, in ms: another may be taking over. Default 0. */
  readonly goneAfterMs?: number;
  /** Waits; a test winds it. */
  readonly pause: (ms: number) => Promise<void>;
};

const AWAY: Failure = {
  ok: false,
  code: "no-engine",
  message: "The engine is not running at the moment. Start it with quay serve, then try again.",
};

/** `first` null: it begins with a stored snapshot and looks for an engine. */
export const steadyClient = (
  first: EngineClient | null,
  stored: Snapshot | null,
  options: SteadyOptions,
): EngineClient => {
  const listeners = new Set<(change: Change) => void>();
  let current: EngineClient | null = null;
  let unsubscribe: () => void = () => {};
  let last: Snapshot | null = first === null ? stored : first.snapshot();
  let closed = false;

  const tell = (change: Change): void => {
    for (const listener of [...listeners]) listener(change);
  };

  const adopt = (client: EngineClient): void => {
    current = client;
    last = client.snapshot();
    unsubscribe = client.subscribe((change) => {
      if (client !== current) return;
      if (change.kind === "gone") lose(change.why);
      else tell(change);
    });
  };

  const lose = (why: string): void => {
    const lost = current;
    if (lost !== null) last = lost.snapshot();
    current = null;
    unsubscribe();
    void lost?.close().catch(() => {});
    if (closed) return;
    options.onLost?.(why);
    void seek(why);
  };

  /** `why` null: it looks for its first engine, and nothing was lost. */
  const seek = async (why: string | null): Promise<void> => {
    let away = 0;
    let isTold = why === null;
    for (let wait = FIRST_PAUSE_MS; !closed; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      if (!isTold && away >= (options.goneAfterMs ?? 0)) {
        isTold = true;
        tell({ kind: "gone", why: why ?? "" });
      }
      const patience = (options.goneAfterMs ?? 0) - away;
      const pause = isTold ? wait : Math.min(wait, patience);
      await options.pause(pause);
      away += pause;
      if (closed) return;
      const client = await options.connect().catch(() => null);
      if (client === null) continue;
      if (closed) {
        await client.close();
        return;
      }
      adopt(client);
      options.onBack?.();
      tell({ kind: "snapshot" });
      return;
    }
  };

  if (first === null) void seek(null);
  else adopt(first);

  return {
    snapshot: () => {
      if (current !== null) last = current.snapshot();
      if (last === null) throw new Error("a steady client begins with an engine or a stored snapshot");
      return last;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispatch: async <C extends Command>(command: C, asked?: { readonly signal?: AbortSignal }) =>
      current === null ? (AWAY as Answer<C["kind"]>) : await current.dispatch(command, asked),
    close: async () => {
      closed = true;
      unsubscribe();
      await current?.close();
      current = null;
    },
  };
};
