/**
 * The environment by which a launched terminal finds Quay: its id, its tools, and the bridge that takes its events.
 * Which of them a CLI gets is said once, with the names that must not leak in from an outer terminal, and which of the
 * values are secrets. Knows no CLI; a secret stands in the environment only. Pure.
 */
import type { LaunchInput, LaunchPlan } from "./adapter.js";

const TOOLS_ENV = ["QUAY_MCP_URL", "QUAY_TOKEN"] as const;
const BRIDGE_ENV = ["QUAY_SPOOL", "QUAY_EVENTS_URL", "QUAY_EVENTS_SECRET"] as const;

type LaunchWiring = Pick<LaunchPlan, "env" | "unsetEnv" | "secrets">;

/** A peer's: the tools, and the bridge or not. Switched off means off: nothing of an outer terminal's may leak in. */
export const wirePeer = ({ id, env, wiring }: LaunchInput, hasBridge: boolean): LaunchWiring => {
  const tools = { QUAY_TERMINAL_ID: id, QUAY_MCP_URL: wiring.mcpUrl, QUAY_TOKEN: wiring.token };
  const bridge = {
    QUAY_SPOOL: wiring.spoolDir,
    QUAY_EVENTS_URL: wiring.eventsUrl,
    QUAY_EVENTS_SECRET: wiring.eventSecret,
  };
  return {
    env: { ...env, ...tools, ...(hasBridge ? bridge : {}) },
    unsetEnv: hasBridge ? [] : BRIDGE_ENV,
    secrets: hasBridge ? ["QUAY_TOKEN", "QUAY_EVENTS_SECRET"] : ["QUAY_TOKEN"],
  };
};

/** What is no peer knows its id alone: neither a token nor an address. */
export const wireNoPeer = ({ id, env }: LaunchInput): LaunchWiring => ({
  env: { ...env, QUAY_TERMINAL_ID: id },
  unsetEnv: [...TOOLS_ENV, ...BRIDGE_ENV],
  secrets: [],
});
