/** Who a token stands for. Secrets are known here by their hashes only, and compared in constant time. */
import { deliveryId, isSafeId, terminalId } from "../bus/ids.js";
import type { Approvals } from "./approvals.js";
import type { CallerDirectory } from "./client.js";
import type { Engine } from "./engine.js";
import type { Vault } from "./ports.js";
import { hashSecret, isSameHash } from "./signals.js";

export type DirectoryParts = {
  readonly engine: Engine;
  readonly vault: Vault;
  readonly ownerToken: string;
  readonly poke: () => void;
  readonly answer: Approvals["answer"];
};

/** What a hook may name: its own file in the terminal's spool folder. */
const EVENT_FILE = /^\d{1,20}-[\w-]{1,32}\.event$/;

export const createDirectory = ({ engine, vault, ownerToken, poke, answer }: DirectoryParts): CallerDirectory => {
  const owner = hashSecret(ownerToken);

  /** Every secret is compared, so that the time says nothing about which one fits. */
  const find = (secret: string, which: "tool" | "event"): { readonly id: string; readonly name: string } | null => {
    const hash = hashSecret(secret);
    let found: { readonly id: string; readonly name: string } | null = null;
    for (const known of vault.secrets()) {
      const isIt = isSameHash(known[which], hash);
      const terminal = engine.state().terminals.get(known.terminal);
      if (isIt && terminal !== undefined && terminal.exit === null) found = { id: terminal.id, name: terminal.name };
    }
    return found;
  };

  return {
    callerOf: (token) => find(token, "tool"),
    eventSourceOf: (secret) => find(secret, "event"),
    isOwner: (token) => isSameHash(owner, hashSecret(token)),
    poke,
    answerOf: async (terminal, file, signal) =>
      EVENT_FILE.test(file) ? answer(terminalId(terminal), file, signal) : null,
    answered: (delivery) => {
      if (!isSafeId(delivery)) return;
      // A caller that got its answer and calls again means a new message (DECISIONS A4).
      engine.submit({ kind: "responseWritten", delivery: deliveryId(delivery) }).catch(() => {});
    },
  };
};
