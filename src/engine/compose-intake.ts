/**
 * What comes in from the terminals: bytes, gaps, exits, what hooks left, what state files say. Each becomes inputs of
 * the bus in the order it came; nothing is decided here.
 */
import type { Adapter } from "../adapters/adapter.js";
import type { TerminalId } from "../bus/ids.js";
import type { Input } from "../bus/protocol.js";
import { findBridgeSwitch } from "../feeds/bridge-switch.js";
import { createOscFeed } from "../feeds/osc.js";
import { readRegistry } from "../feeds/registry-file.js";
import { createSessionLogs } from "../feeds/session-log.js";
import { messageOf } from "../lib/errors.js";
import { ancestorsOf } from "../lib/processes.js";
import { createOscScanner } from "../tmux/osc-scanner.js";
import { type Approvals, createApprovals } from "./approvals.js";
import { createLogReadings } from "./compose-log.js";
import { createServerReadings } from "./compose-server.js";
import type { Engine } from "./engine.js";
import { createFirstTexts } from "./first-text.js";
import type { HostEvent, ServerDoors, Settings, Spool, TerminalHost, Vault } from "./ports.js";
import { cliKey, createDrain, createSignals } from "./signals.js";
import type { Pause } from "./typist.js";

/** Further outputs of a terminal within this are one sign of life, in ms. */
const OUTPUT_SIGN_MS = 10_000;

export type IntakeParts = {
  readonly engine: Engine;
  readonly host: TerminalHost;
  readonly vault: Vault;
  readonly spool: Spool;
  readonly doors: ServerDoors;
  readonly adapterFor: (terminal: TerminalId) => Adapter | null;
  readonly settings: () => Settings;
  /** The environment in which the CLIs were started: it says where they keep their state files. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pause: Pause;
  readonly note: (what: string, facts: Readonly<Record<string, unknown>>) => void;
};

export type Intake = {
  /** Opens the feeds of a terminal, before its program starts or when it is adopted. */
  listen(terminal: TerminalId, adapter: Adapter): void;
  /** Answers the permission request in this file by rule; null: no answer. */
  readonly answer: Approvals["answer"];
  drain(): Promise<void>;
  drainNow(): void;
  /** ms since the terminal's last output; null when none was heard since the start or since a gap. */
  quietMs(terminal: TerminalId): number | null;
  /** Resolves with the terminal's next output, or after this many ms. */
  nextOutput(terminal: TerminalId, ms: number): Promise<void>;
  /** Resolves when a terminal that is typed at once takes its first text. */
  takesText(terminal: TerminalId): Promise<void>;
  /** Reads the CLI's own files; false when it has none. */
  resync(terminal: TerminalId): Promise<boolean>;
  /** Where its CLI keeps its registry; null: it has none, or its process is not known. */
  registryOf(terminal: TerminalId): string | null;
  /** The terminal is over: its feeds close, its secrets are worth nothing any more. */
  close(terminal: TerminalId): Promise<void>;
  /** Lets go of the servers that CLIs run; they go on. */
  stop(): void;
};

export const createIntake = (parts: IntakeParts): Intake => {
  const { engine, host, vault, spool, note } = parts;
  const signals = createSignals(engine, parts.adapterFor);
  const readings = createLogReadings({
    engine,
    signals,
    logs: createSessionLogs(),
    adapterFor: parts.adapterFor,
    pidOf: (terminal) => host.pidOf(terminal),
    pause: parts.pause,
  });
  const servers = createServerReadings({ engine, signals, doors: parts.doors, pause: parts.pause, note });
  const approvals = createApprovals({
    engine,
    adapterFor: parts.adapterFor,
    settings: parts.settings,
    drain: () => drain.drain(),
    note,
  });
  const { readOn } = readings;
  const drain = createDrain({ spool, vault, host, signals, readOn, counted: approvals.judge, ancestorsOf, note });
  const osc = createOscFeed({
    answer: (terminal, bytes) => host.answerQuery(terminal, bytes),
    createScanner: createOscScanner,
    emit: (terminal, signal) =>
      void signals
        .take(terminal, signal)
        .then((isMore) => (isMore ? readings.readOn(terminal) : undefined))
        .catch(() => {}),
  });
  // A stopped or broken engine takes no inputs; its successor asks again.
  const submit = (input: Input): void => void engine.submit(input).catch(() => {});

  const signAt = new Map<TerminalId, number>();
  const outputAt = new Map<TerminalId, number>();
  const awaited = new Map<TerminalId, Set<() => void>>();
  const nextOutput = (terminal: TerminalId, ms: number): Promise<void> =>
    new Promise((resolve) => {
      const listeners = awaited.get(terminal) ?? new Set();
      awaited.set(terminal, listeners);
      const hear = (): void => {
        clearTimeout(timer);
        listeners.delete(hear);
        if (listeners.size === 0 && awaited.get(terminal) === listeners) awaited.delete(terminal);
        resolve();
      };
      const timer = setTimeout(hear, ms);
      listeners.add(hear);
    });
  const first = createFirstTexts({ now: () => engine.now(), nextOutput });
  const seeOutput = (terminal: TerminalId, bytes: Uint8Array): void => {
    osc.output(terminal, bytes);
    first.output(terminal, bytes);
    const now = engine.now();
    outputAt.set(terminal, now);
    for (const hear of [...(awaited.get(terminal) ?? [])]) hear();
    if (now - (signAt.get(terminal) ?? 0) < OUTPUT_SIGN_MS) return;
    signAt.set(terminal, now);
    submit({ kind: "outputSeen", terminal });
  };

  const envOf = (terminal: TerminalId): Readonly<Record<string, string | undefined>> => ({
    ...parts.env,
    ...engine.state().terminals.get(terminal)?.relaunch.env,
  });

  const registryOf = (terminal: TerminalId): string | null => {
    const pid = host.pidOf(terminal);
    return pid === null ? null : (parts.adapterFor(terminal)?.resync?.registry(envOf(terminal), pid) ?? null);
  };

  const resync = async (terminal: TerminalId): Promise<boolean> => {
    if (parts.adapterFor(terminal)?.log !== undefined) return readings.answer(terminal);
    if (parts.adapterFor(terminal)?.server !== undefined) return servers.answer(terminal);
    const files = parts.adapterFor(terminal)?.resync ?? null;
    const pid = host.pidOf(terminal);
    if (files === null || pid === null) return false;
    await signals.take(terminal, await readRegistry(files, envOf(terminal), pid));
    return true;
  };

  /** A setting that keeps the bridge silent is known before anybody wonders. */
  const nameSwitch = async (terminal: TerminalId, adapter: Adapter): Promise<void> => {
    const cwd = engine.state().terminals.get(terminal)?.cwd;
    if (adapter.bridgeSwitch === null || cwd === undefined) return;
    const by = await findBridgeSwitch(adapter.bridgeSwitch, envOf(terminal), cwd);
    if (by !== null) submit({ kind: "observed", terminal, observation: { kind: "bridgeSwitchedOff", by } });
  };

  const close = async (terminal: TerminalId): Promise<void> => {
    osc.close(terminal);
    servers.close(terminal);
    first.close(terminal);
    signals.forget(terminal);
    readings.forget(terminal);
    signAt.delete(terminal);
    outputAt.delete(terminal);
    vault.dropSecrets(terminal);
    vault.dropPlace(terminal);
    vault.drop(cliKey(terminal));
    await spool.drop(terminal);
  };

  const seeExit = async ({ terminal, status, signal, why }: Extract<HostEvent, { kind: "exited" }>): Promise<void> => {
    // A Stop that the CLI left right before its end is still its answer.
    await drain.drain().catch(() => {});
    await engine.submit({ kind: "terminalExited", terminal, exit: { status, signal, why } });
    await close(terminal);
    await host.bury(terminal);
  };

  host.on((event) => {
    switch (event.kind) {
      case "output":
        return seeOutput(event.terminal, event.bytes);
      case "gap":
        osc.gap(event.terminal);
        outputAt.delete(event.terminal);
        return void resync(event.terminal).catch(() => {});
      case "exited":
        return void seeExit(event).catch((error: unknown) =>
          note("an exit was not recorded", { terminal: event.terminal, error: messageOf(error) }),
        );
      case "reachable":
        return submit({ kind: "tmuxReachable", reachable: event.reachable });
      case "fencedOut":
        return submit({ kind: "fencedOut", holder: event.holder });
    }
  });

  return {
    listen: (terminal, adapter) => {
      const { programStatus } = adapter;
      osc.open(terminal, { answerAt: programStatus?.answerAt ?? null, answers: programStatus !== null });
      servers.open(terminal, adapter);
      const startedAt = engine.state().terminals.get(terminal)?.launchedAt ?? engine.now();
      if (adapter.traits.typing === "at once") first.open(terminal, startedAt);
      void nameSwitch(terminal, adapter);
    },
    nextOutput,
    takesText: first.taken,
    quietMs: (terminal) => {
      const last = outputAt.get(terminal);
      return last === undefined ? null : engine.now() - last;
    },
    answer: approvals.answer,
    drain: drain.drain,
    drainNow: () =>
      void drain.drain().catch((error: unknown) => note("the spool cannot be read", { error: messageOf(error) })),
    resync,
    registryOf,
    close,
    stop: servers.stop,
  };
};
