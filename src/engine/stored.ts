/** The value that the store holds, and what it says to readers when no engine runs. */
import type { Fact } from "../bus/protocol.js";
import { emptyState, evolve, fromJson, type State } from "../bus/state.js";
import { agentViews, trailViews } from "../bus/trail.js";
import type { Snapshot } from "../bus/views.js";

export type Stored = { readonly checkpoint: unknown | null; readonly facts: readonly Fact[] };

export const loadState = (stored: Stored): State =>
  evolve(stored.checkpoint === null ? emptyState : fromJson(stored.checkpoint), stored.facts);

/** Entries that `quay trail` can show without an engine. */
const STORED_TRAIL = 1_000;

/** Live terminals are marked as stale: nobody looked since. Null: there never was an engine here. */
export const storedSnapshot = (stored: Stored, home: string, now: number): Snapshot | null => {
  if (stored.checkpoint === null && stored.facts.length === 0) return null;
  const state = loadState(stored);
  const agents = agentViews(state, now).map((agent) => (agent.exit === null ? { ...agent, stale: true } : agent));
  const engine = { pid: 0, socket: "", tmuxSession: "quay", home, mcpUrl: "", stopped: "no engine runs" };
  return { revision: 0, now, agents, trail: trailViews(state, STORED_TRAIL), engine, presets: [], runKinds: [] };
};
