/**
 * Carries out what the bus asks for, through the ports, and brings back what came of it as an input. Never throws:
 * a failure is a result. Watching a held line lives here too, one loop per terminal.
 */
import type { Adapter } from "../adapters/adapter.js";
import type { DeliveryId, TerminalId } from "../bus/ids.js";
import { assertNever } from "../bus/ids.js";
import type { Effect, Input, Toast } from "../bus/protocol.js";
import { messageOf } from "../lib/errors.js";
import type { Calls } from "./calls.js";
import type { Engine } from "./engine.js";
import type { PaneSeen, TerminalHost } from "./ports.js";
import type { Pause, Typist } from "./typist.js";

export type EffectParts = {
  readonly engine: () => Engine;
  readonly host: TerminalHost;
  readonly typist: Typist;
  readonly calls: Calls;
  readonly pause: Pause;
  readonly adapterFor: (terminal: TerminalId) => Adapter | null;
  /** Reads the CLI's own files and takes what they say; resolves false when there are none. */
  readonly resync: (terminal: TerminalId) => Promise<boolean>;
  readonly toast: (toast: Toast) => void;
  readonly note: (what: string, facts: Readonly<Record<string, unknown>>) => void;
};

export type Effects = {
  perform(effect: Effect): Promise<void>;
  /** The commit before a paste costs about as much as a look at its line: both go on at once. */
  foresee(effect: Effect): void;
  stop(): void;
};

/** How often a held line is looked at, in ms. */
const WATCH_MS = 250;
/** Between two tries to reach a tmux that does not answer, in ms. */
const RETRY_MS = 1_000;

/** What the markers of a pane say of a delivery after a fence. */
export const typedOf = (pane: PaneSeen, delivery: DeliveryId): "nothing" | "pasted" | "entered" => {
  if (pane.pastedMarker !== delivery) return "nothing";
  return pane.enteredMarker === delivery ? "entered" : "pasted";
};

export const createEffects = (parts: EffectParts): Effects => {
  const { host, typist, pause } = parts;
  const watched = new Set<TerminalId>();
  let stopped = false;
  const submit = async (input: Input): Promise<void> => {
    // A stopped or broken engine takes no results; its successor reads the markers.
    await parts
      .engine()
      .submit(input)
      .catch(() => {});
  };

  const type = async (work: Promise<Input>, terminal: TerminalId, delivery: DeliveryId): Promise<void> => {
    try {
      await submit(await work);
    } catch (error) {
      parts.note("typing failed", { terminal, delivery, error: messageOf(error) });
      await submit({ kind: "typingUnknown", terminal, delivery });
    }
  };

  /** Not the terminal's lock: nothing else is typed there before its evidence, and its own marker keeps it from doubling. */
  const enterAgain = async (terminal: TerminalId, delivery: DeliveryId, text: string): Promise<void> => {
    try {
      await submit(await typist.enterAgain(terminal, delivery, text));
    } catch (error) {
      parts.note("no second look at the line", { terminal, delivery, error: messageOf(error) });
      await submit({ kind: "enteredAgain", terminal, delivery, pressed: null });
    }
  };

  /** After an unanswered line: only a fence makes the markers final, so it is tried until tmux answers. */
  const probe = async (terminal: TerminalId, delivery: DeliveryId): Promise<void> => {
    while (!stopped) {
      try {
        const pane = (await host.fence()).find((seen) => seen.terminal === terminal);
        if (pane === undefined || pane.dead) {
          return await submit({ kind: "typingFailed", terminal, delivery, why: "its program has ended" });
        }
        return await submit({ kind: "markersRead", terminal, delivery, typed: typedOf(pane, delivery) });
      } catch (error) {
        parts.note("tmux does not answer the probe", { terminal, error: messageOf(error) });
        const state = parts.engine().state();
        const exited = state.terminals.get(terminal)?.exit !== null;
        // Another engine holds the server: this one never gets a fence again.
        if (exited || state.stopped !== null) return;
        await pause(RETRY_MS);
      }
    }
  };

  /** Looks until the line may be typed on; false when there is nothing to wait for any more. */
  const untilFree = async (terminal: TerminalId): Promise<boolean> => {
    for (;;) {
      await pause(WATCH_MS);
      const known = parts.engine().state().terminals.get(terminal);
      if (stopped || known === undefined || known.exit !== null) return false;
      if (known.hold === null && known.line === "free") return false;
      try {
        const hold = await typist.look(terminal);
        if (hold === null) {
          // A pane in a mode, or with its input off, looks like any other: the next paste tells.
          if (known.hold === "the pane is in a mode" || known.hold === "input is off") await pause(RETRY_MS);
          return true;
        }
        if (hold !== known.hold) await submit({ kind: "lineSeen", terminal, hold });
      } catch (error) {
        // tmux does not answer: what is held stays held, and is looked at again.
        parts.note("the line cannot be watched", { terminal, error: messageOf(error) });
        await pause(RETRY_MS);
      }
    }
  };

  const watchLine = async (terminal: TerminalId): Promise<void> => {
    if (watched.has(terminal)) return;
    watched.add(terminal);
    const isFree = await untilFree(terminal);
    // Before the input: what follows from it may ask for a watch again.
    watched.delete(terminal);
    if (isFree) await submit({ kind: "lineSeen", terminal, hold: null });
  };

  const capture = async (terminal: TerminalId, delivery: DeliveryId): Promise<void> => {
    const text = parts.engine().state().deliveries.get(delivery)?.typed ?? "";
    const { screen, onLine } = await typist.evidence(terminal, text);
    await submit({ kind: "evidenceCaptured", delivery, screen, onLine });
  };

  const perform = async (effect: Effect): Promise<void> => {
    switch (effect.kind) {
      case "paste":
        return type(typist.paste(effect.terminal, effect.delivery, effect.text), effect.terminal, effect.delivery);
      case "enter":
        return type(typist.enter(effect.terminal, effect.delivery, effect.text), effect.terminal, effect.delivery);
      case "enterAgain":
        return enterAgain(effect.terminal, effect.delivery, effect.text);
      case "probe":
        return probe(effect.terminal, effect.delivery);
      case "watchLine":
        // Not part of the work under way: it lasts as long as a person's draft.
        void watchLine(effect.terminal);
        return;
      case "captureEvidence":
        return capture(effect.terminal, effect.delivery).catch((error: unknown) =>
          parts.note("no evidence", { delivery: effect.delivery, error: messageOf(error) }),
        );
      case "resync": {
        const isRead = await parts.resync(effect.terminal).catch(() => false);
        if (!isRead) {
          await submit({ kind: "observed", terminal: effect.terminal, observation: { kind: "resyncFailed" } });
        }
        return;
      }
      case "settle":
        return parts.calls.settle(effect.call, effect.outcome, effect.deliveries);
      case "toast":
        return parts.toast(effect.toast);
      default:
        return assertNever(effect);
    }
  };

  return {
    perform,
    foresee: (effect) => {
      if (effect.kind === "paste") typist.foresee(effect.terminal);
    },
    stop: () => {
      stopped = true;
    },
  };
};
