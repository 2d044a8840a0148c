/** Which tmux server this engine works on: one's own, or the one that the person is in. */
import type { State } from "../bus/state.js";
import { QuayError } from "../lib/errors.js";
import type { Vault } from "./ports.js";

type Wanted = { readonly socket: string | null; readonly insideTmux: string | null };

export type ServerChoice =
  | { readonly kind: "own"; readonly name: string }
  | { readonly kind: "user"; readonly socketPath: string };

const nameOf = (known: string | null): readonly string[] => {
  const choice = known === null ? null : (JSON.parse(known) as ServerChoice);
  return choice?.kind === "own" ? [choice.name] : [];
};

/** In a pane of Quay's own server the person is on Quay's ground, and no user's options are to be spared. */
const serverAt = (socketPath: string, ownNames: readonly string[]): ServerChoice => {
  const name = /\/tmux-\d+\/([^/]+)$/.exec(socketPath)?.[1];
  return name !== undefined && ownNames.includes(name) ? { kind: "own", name } : { kind: "user", socketPath };
};

/** Live terminals are looked for where they were started, wherever the person is now. */
export const chooseServer = (options: Wanted, vault: Vault, state: State, ownName: string): ServerChoice => {
  const hasLive = [...state.terminals.values()].some((terminal) => terminal.exit === null);
  const known = vault.get("tmuxServer");
  const wanted: ServerChoice =
    options.socket !== null
      ? { kind: "own", name: options.socket }
      : options.insideTmux !== null && options.insideTmux !== ""
        ? serverAt(options.insideTmux.split(",")[0]!, [ownName, ...nameOf(known)])
        : { kind: "own", name: ownName };
  if (!hasLive || known === null) return wanted;
  const stored = JSON.parse(known) as ServerChoice;
  if (options.socket !== null && known !== JSON.stringify(wanted)) {
    throw new QuayError(
      "other-socket",
      `Terminals of this state folder still run on another tmux server (${stored.kind === "own" ? stored.name : stored.socketPath}). End them with \`quay down --all\` first, or leave --socket out.`,
    );
  }
  return stored;
};
