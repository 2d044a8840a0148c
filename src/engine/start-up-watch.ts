/**
 * Start-up dialogs (folder trust, login) come before a CLI's bridge speaks. While it is silent its screen is looked at
 * once a second, and a dialog on it is told as waiting. A screen only ever makes Quay wait.
 */
import type { Adapter } from "../adapters/adapter.js";
import type { TerminalId } from "../bus/ids.js";
import type { Engine } from "./engine.js";
import type { TerminalHost } from "./ports.js";
import type { Pause } from "./typist.js";

const LOOK_MS = 1_000;

export const watchStartUps = (parts: {
  readonly engine: Engine;
  readonly host: TerminalHost;
  readonly adapterFor: (terminal: TerminalId) => Adapter | null;
  readonly pause: Pause;
}): { stop(): void } => {
  let stopped = false;

  const look = async (terminal: TerminalId): Promise<void> => {
    const rules = parts.adapterFor(terminal)?.line;
    if (rules == null) return;
    const screen = await parts.host.screen(terminal);
    if (screen === null) return;
    const dialog = rules.dialog(screen);
    const known = parts.engine.state().terminals.get(terminal)?.prompt ?? null;
    if (dialog !== null && known === null) {
      const prompt = { about: "dialog" as const, text: `${dialog} dialog`, source: "screen" as const };
      await parts.engine.submit({ kind: "observed", terminal, observation: { kind: "promptRaised", prompt } });
    } else if (dialog === null && known?.source === "screen") {
      const observation = { kind: "promptClosed" as const, source: "screen" as const };
      await parts.engine.submit({ kind: "observed", terminal, observation });
    }
  };

  const loop = async (): Promise<void> => {
    while (!stopped) {
      await parts.pause(LOOK_MS);
      for (const terminal of parts.engine.state().terminals.values()) {
        const isSilent = terminal.exit === null && terminal.traits.reporter !== null && terminal.reporter !== "heard";
        if (isSilent && terminal.firstOutputAt !== null && !terminal.stale) await look(terminal.id).catch(() => {});
      }
    }
  };

  void loop();
  return {
    stop: () => {
      stopped = true;
    },
  };
};
