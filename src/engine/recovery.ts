/**
 * What an engine does before it serves: compares what it remembers with what tmux shows, reads the markers of a
 * typing that its predecessor did not finish, and takes what hooks left meanwhile. Nothing is typed until all of
 * that is known. Order: docs/architecture.md, "The engine".
 */
import type { Adapter } from "../adapters/adapter.js";
import type { TerminalId } from "../bus/ids.js";
import type { Terminal } from "../bus/terminal.js";
import { typedOf } from "./effects.js";
import type { Engine } from "./engine.js";
import type { PaneSeen, TerminalHost, Vault } from "./ports.js";

export type RecoveryParts = {
  readonly engine: Engine;
  readonly host: TerminalHost;
  readonly vault: Vault;
  readonly panes: readonly PaneSeen[];
  readonly drain: () => Promise<void>;
  readonly resync: (terminal: TerminalId) => Promise<boolean>;
  /** Opens the feeds of a terminal that is adopted. */
  readonly listen: (terminal: TerminalId, adapter: Adapter) => void;
  readonly close: (terminal: TerminalId) => Promise<void>;
  readonly adapterFor: (terminal: TerminalId) => Adapter | null;
};

const liveOnes = (engine: Engine): readonly Terminal[] =>
  [...engine.state().terminals.values()].filter((terminal) => terminal.exit === null);

/** The pane of a terminal on this very server; a server that was started later has no pane of ours. */
const paneOf = (parts: RecoveryParts, terminal: Terminal): PaneSeen | null => {
  const server = parts.host.server();
  const place = parts.vault.places().find((known) => known.terminal === terminal.id);
  const isHere = place === undefined || (place.serverPid === server.pid && place.serverStartedAt === server.startedAt);
  return isHere ? (parts.panes.find((pane) => pane.terminal === terminal.id) ?? null) : null;
};

const settleExit = async (parts: RecoveryParts, terminal: Terminal, pane: PaneSeen | null): Promise<void> => {
  const why = pane === null ? "ended while no engine ran" : "exited while no engine ran";
  const exit = { status: pane?.status ?? null, signal: pane?.signal ?? null, why };
  await parts.engine.submit({ kind: "terminalExited", terminal: terminal.id, exit });
  await parts.close(terminal.id);
  if (pane !== null) await parts.host.bury(terminal.id);
};

export const recover = async (parts: RecoveryParts): Promise<void> => {
  const { engine } = parts;
  // restart:nothing-twice. Stale terminals are not typed on.
  await engine.submit({ kind: "tmuxReachable", reachable: false });
  await engine.submit({ kind: "engineStarted" });
  for (const terminal of liveOnes(engine)) {
    const adapter = parts.adapterFor(terminal.id);
    if (adapter !== null && paneOf(parts, terminal)?.dead === false) parts.listen(terminal.id, adapter);
  }
  // Events first: the Stop of a CLI that is gone now is still its answer.
  await parts.drain();
  for (const terminal of liveOnes(engine)) {
    const pane = paneOf(parts, terminal);
    if (pane === null || pane.dead) await settleExit(parts, terminal, pane);
    else if (terminal.typing !== null) {
      const typed = typedOf(pane, terminal.typing);
      await engine.submit({ kind: "markersRead", terminal: terminal.id, delivery: terminal.typing, typed });
    }
  }
  for (const terminal of liveOnes(engine)) await parts.resync(terminal.id);
  await engine.submit({ kind: "tmuxReachable", reachable: true });
};
