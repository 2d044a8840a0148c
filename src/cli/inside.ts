/**
 * The rules inside a terminal of Quay: the command line acts there as that terminal, with its token, and the verbs for
 * people are refused. It keeps honest agents in their place; docs/security.md says what it cannot stop.
 * Source: DECISIONS "Screen and command line", inside a terminal.
 */
import { refused } from "./errors-to-exit.js";

export type Inside = {
  readonly terminal: string;
  /** Address and token of a peer; null in a terminal that is not a peer (a shell). */
  readonly peer: { readonly url: string; readonly token: string } | null;
};

/** The terminal of Quay that this process runs in, by its environment; null outside. */
export const insideOf = (env: NodeJS.ProcessEnv): Inside | null => {
  const terminal = env.QUAY_TERMINAL_ID;
  if (terminal === undefined || terminal === "") return null;
  const token = env.QUAY_TOKEN;
  const mcpUrl = env.QUAY_MCP_URL;
  if (token === undefined || token === "" || mcpUrl === undefined || mcpUrl === "") return { terminal, peer: null };
  return { terminal, peer: { url: baseUrlOf(mcpUrl), token } };
};

/** The bridge's address without the path of its tool server. */
const baseUrlOf = (mcpUrl: string): string => {
  try {
    return new URL(mcpUrl).origin;
  } catch {
    throw refused(`QUAY_MCP_URL is not an address: '${mcpUrl}'. Quay sets it for each terminal; do not change it.`);
  }
};

/** Throws when a verb for people is used inside a terminal of Quay. */
export const refuseInside = (env: NodeJS.ProcessEnv, verb: string): void => {
  const inside = insideOf(env);
  if (inside === null) return;
  throw refused(
    `${verb} is for people, and this is terminal ${inside.terminal} of Quay. Run it in a shell outside Quay's terminals, or ask the person to.`,
  );
};

/** The token to speak with, or a refusal: a shell has none, so that nothing it runs can speak on the bus. */
export const requirePeer = (inside: Inside): { readonly url: string; readonly token: string } => {
  if (inside.peer !== null) return inside.peer;
  throw refused(
    `Terminal ${inside.terminal} is a shell of Quay and not a peer: it has no token, so it cannot send. Send from a shell outside Quay's terminals, or from Mission Control.`,
  );
};
