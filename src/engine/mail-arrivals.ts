/**
 * Mail for an agent that runs in a terminal here: people see it, and with the setting `mailbox.notify` the terminal gets a
 * notice. The mailbox itself pushes nothing: its recipients read it.
 */
import { isSafeId, terminalId } from "../bus/ids.js";
import type { Toast } from "../bus/protocol.js";
import type { Engine } from "./engine.js";
import type { Ids, Settings } from "./ports.js";

/** A message that became durable. Terminals are those that registered its two agents last; null: none of Quay's. */
export type Arrival = {
  readonly from: string;
  readonly to: string;
  readonly sender: string | null;
  readonly terminal: string | null;
};

export type ArrivalParts = {
  readonly engine: Engine;
  readonly ids: Ids;
  readonly settings: () => Settings;
  readonly toast: (toast: Toast) => void;
};

const idOf = (text: string | null) => (text === null || !isSafeId(text) ? null : terminalId(text));

export const createMailArrivals =
  ({ engine, ids, settings, toast }: ArrivalParts) =>
  ({ from, to, sender, terminal }: Arrival): void => {
    const id = idOf(terminal);
    const live = id === null ? undefined : engine.state().terminals.get(id);
    if (live === undefined || live.exit !== null) return;
    const where = live.name === to ? to : `${to} (${live.name})`;
    toast({ at: engine.now(), text: `Mail for ${where} from ${from}` });
    let isWanted = false;
    try {
      isWanted = settings().mailbox.notify;
    } catch {
      // A settings file that is broken right now asks for nothing.
    }
    if (!isWanted) return;
    const input = {
      kind: "mailCame",
      delivery: ids.delivery(),
      terminal: live.id,
      from,
      sender: idOf(sender),
    } as const;
    engine.submit(input).catch(() => {});
  };
