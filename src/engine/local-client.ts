/**
 * EngineClient in process: reads are views of the value, commands become inputs or work on terminals. Every way out
 * is an answer; a fault of an edge becomes a Failure with its code and advice.
 */
import type { Caller, Input, Toast } from "../bus/protocol.js";
import { wordRefusal } from "../bus/refusal.js";
import { isPeer } from "../bus/reporter.js";
import { matchTarget } from "../bus/target.js";
import type { Terminal } from "../bus/terminal.js";
import { agentView, agentViews, trailViews } from "../bus/trail.js";
import type { PresetView, Snapshot } from "../bus/views.js";
import { messageOf, QuayError } from "../lib/errors.js";
import type { Calls, Settled } from "./calls.js";
import type { Answer, Answers, Change, Command, EngineClient, Failure, SeatResult } from "./client.js";
import type { Engine } from "./engine.js";
import { askDesk, type MailboxDesk } from "./mailbox-desk.js";
import { cancelMessage, explainMessage, typeNow } from "./message-commands.js";
import type { Ids, PresetShelf, TerminalHost, Vault } from "./ports.js";
import type { Seats } from "./seats.js";

/** Trail entries in a snapshot; older ones by the `trail` command. */
const SNAPSHOT_TRAIL = 200;

export type LocalParts = {
  readonly engine: Engine;
  readonly calls: Calls;
  readonly seats: Seats;
  readonly presets: PresetShelf;
  readonly host: TerminalHost;
  readonly vault: Vault;
  readonly ids: Ids;
  readonly mailbox: MailboxDesk;
  readonly home: string;
  readonly runKinds: readonly string[];
  readonly bridgeUrl: () => string;
  /** Presets of this project are listed too. */
  readonly projectOf: (cwd: string) => Promise<string>;
  readonly stop: () => Promise<void>;
};

export type LocalClient = EngineClient & {
  /** Readers look again. */
  changed(): void;
  toast(toast: Toast): void;
  gone(why: string): void;
};

const failure = (error: unknown): Failure => ({
  ok: false,
  code: error instanceof QuayError ? error.code : "fault",
  message: messageOf(error),
});

const refusal = (code: string, message: string): Failure => ({ ok: false, code, message });

export const createLocalClient = (parts: LocalParts): LocalClient => {
  const { engine, seats } = parts;
  const listeners = new Set<(change: Change) => void>();
  let presets: readonly PresetView[] = parts.presets.list(null);
  const tell = (change: Change): void => {
    for (const listener of [...listeners]) listener(change);
  };
  parts.presets.on(() => {
    presets = parts.presets.list(null);
    tell({ kind: "snapshot" });
  });

  const snapshot = (): Snapshot => {
    const [state, now, server] = [engine.state(), engine.now(), parts.host.server()];
    return {
      revision: engine.revision(),
      now,
      agents: agentViews(state, now),
      trail: trailViews(state, SNAPSHOT_TRAIL),
      engine: {
        pid: process.pid,
        socket: server.socket,
        tmuxSession: server.tmuxSession,
        home: parts.home,
        mcpUrl: `${parts.bridgeUrl()}/mcp`,
        stopped:
          engine.broken() ?? (state.stopped === null ? null : `another engine (${state.stopped}) has taken over`),
      },
      presets,
      runKinds: parts.runKinds,
    };
  };

  const projectOfCaller = (caller: Caller): string | null => {
    if (caller.kind === "person") return caller.project;
    return engine.state().terminals.get(caller.id)?.project ?? null;
  };

  /** Terminals that a person's words mean: an id, or a name (live ones before exited ones). */
  const named = (target: string, wants: "live" | "exited" | "any"): readonly Terminal[] => {
    const all = [...engine.state().terminals.values()];
    const fits = (t: Terminal): boolean => wants === "any" || (t.exit === null) === (wants === "live");
    const byId = all.filter((t) => t.id === target && fits(t));
    return byId.length > 0 ? byId : all.filter((t) => t.name === target && fits(t));
  };

  const one = (target: string, wants: "live" | "exited" | "any"): Terminal => {
    const found = named(target, wants);
    const live = found.filter((t) => t.exit === null);
    const chosen = live.length > 0 ? live : found;
    if (chosen.length === 1 || (chosen.length > 1 && live.length === 0)) return chosen.at(-1)!;
    if (chosen.length > 1) {
      throw new QuayError(
        "ambiguous-target",
        `Several terminals are named '${target}': ${chosen.map((t) => `${t.id} in ${t.project}`).join(", ")}. Use the terminal id.`,
      );
    }
    const state = wants === "any" ? "" : ` ${wants}`;
    throw new QuayError("unknown-target", `There is no${state} terminal '${target}'. \`quay ls\` lists them.`);
  };

  const settled = async (
    input: (call: ReturnType<Ids["call"]>) => Input,
    signal: AbortSignal | undefined,
  ): Promise<Settled> => {
    const call = parts.ids.call();
    return parts.calls.make(call, input(call), signal);
  };

  const up = async (preset: string, cwd: string): Promise<Answers["up"]> => {
    const requests = parts.presets.seats(preset, cwd);
    parts.presets.watchProject(await parts.projectOf(cwd));
    const results: SeatResult[] = [];
    for (const seat of requests) {
      const project = await parts.projectOf(seat.cwd).catch(() => seat.cwd);
      const live = [...engine.state().terminals.values()].find(
        (t) => t.exit === null && t.name === seat.name && t.project === project,
      );
      // up:twice-keeps-live-seats (DECISIONS S19).
      if (live !== undefined)
        results.push({ name: seat.name, kind: seat.kind, result: "already running", id: live.id, why: null });
      else
        results.push(
          await seats.launch(seat).catch(
            (error: unknown): SeatResult => ({
              name: seat.name,
              kind: seat.kind,
              result: "failed",
              id: null,
              why: messageOf(error),
            }),
          ),
        );
    }
    return { ok: true, seats: results };
  };

  const down = async (target: string | null, project: string | null): Promise<Answers["down"]> => {
    const live = [...engine.state().terminals.values()].filter(
      (t) => t.exit === null && (project === null || t.project === project),
    );
    const meant = target === null ? live : live.filter((t) => t.preset === target);
    const chosen = target === null || meant.length > 0 ? meant : [one(target, "live")];
    for (const terminal of chosen) await seats.end(terminal.id);
    return { ok: true, ended: chosen.map((t) => t.name) };
  };

  const forget = async (target: string): Promise<Answers["forget"]> => {
    const live = named(target, "live");
    const exited = named(target, "exited");
    if (exited.length === 0) {
      if (live.length > 0)
        throw new QuayError(
          "still-running",
          `'${target}' is still running. End it first with \`quay kill ${target}\`.`,
        );
      one(target, "exited");
    }
    for (const terminal of exited) {
      await engine.submit({ kind: "terminalForgotten", terminal: terminal.id });
      parts.vault.dropSecrets(terminal.id);
      parts.vault.dropPlace(terminal.id);
    }
    return { ok: true, forgotten: exited.map((t) => t.id) };
  };

  const answer = async (
    command: Command,
    signal: AbortSignal | undefined,
  ): Promise<Answers[Command["kind"]] | Failure> => {
    switch (command.kind) {
      case "send": {
        const delivery = parts.ids.delivery();
        const { caller, target, text, wait, raw } = command;
        const result = await settled(
          (call) => ({ kind: "send", call, delivery, caller, target, text, wait, raw }),
          signal,
        );
        return { ok: true, outcome: result.outcome, delivery: result.deliveries[0] ?? delivery };
      }
      case "broadcast": {
        const base = parts.ids.delivery();
        const { caller, text } = command;
        const result = await settled((call) => ({ kind: "broadcast", call, base, caller, text }), signal);
        return { ok: true, outcome: result.outcome };
      }
      case "status": {
        const match = matchTarget(engine.state(), command.target, projectOfCaller(command.caller), engine.now());
        if (!match.ok) return refusal(match.refusal.kind, wordRefusal(match.refusal));
        return { ok: true, agent: agentView(match.terminal, engine.now()) };
      }
      case "launch": {
        const seat = await seats.launch(command.seat);
        return seat.result === "failed"
          ? refusal("launch-failed", seat.why ?? "it could not be started")
          : { ok: true, seat };
      }
      case "up":
        return up(command.preset, command.cwd);
      case "down":
        return down(command.target, command.project);
      case "kill": {
        const terminal = one(command.target, "live");
        await seats.end(terminal.id);
        return { ok: true, ended: [terminal.name] };
      }
      case "relaunch": {
        const seat = await seats.relaunch(one(command.target, "any").id);
        return seat.result === "failed"
          ? refusal("launch-failed", seat.why ?? "it could not be started")
          : { ok: true, seat };
      }
      case "forget":
        return forget(command.target);
      case "cancel":
        return cancelMessage(parts.engine, command.delivery);
      case "typeNow":
        return typeNow(parts.engine, command.delivery);
      case "attach":
        return { ok: true, ...parts.host.attachCommand(one(command.target, "live").id, command.insideTmux) };
      case "look": {
        const screen = await parts.host.screen(one(command.target, "live").id);
        return screen === null
          ? refusal("no-screen", "tmux does not show its screen at the moment.")
          : { ok: true, ansi: screen.ansi };
      }
      case "trail":
        return { ok: true, entries: trailViews(engine.state(), command.limit, command.before) };
      case "explain":
        return explainMessage(parts, command.delivery);
      case "mailbox":
        return askDesk(parts.mailbox, engine, command);
      case "stop": {
        const left = [...engine.state().terminals.values()].filter((t) => t.exit === null && isPeer(t));
        // The answer goes out first.
        setImmediate(() => void parts.stop());
        return { ok: true, agentsLeft: left.length };
      }
    }
  };

  return {
    snapshot,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    dispatch: async <C extends Command>(
      command: C,
      options: { readonly signal?: AbortSignal } = {},
    ): Promise<Answer<C["kind"]>> => {
      const given = await answer(command, options.signal).catch(failure);
      return given as Answer<C["kind"]>;
    },
    close: async () => listeners.clear(),
    changed: () => tell({ kind: "snapshot" }),
    toast: (toast) => tell({ kind: "toast", toast }),
    gone: (why) => tell({ kind: "gone", why }),
  };
};
