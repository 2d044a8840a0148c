/**
 * Starting and ending terminals: checks, secrets, the record before the pane, and a clean end when the pane cannot be
 * made. Nothing half done stays behind. Source: DECISIONS S19, S20; "Swarms and work" of HAZARDS as rules here.
 */
import { randomUUID } from "node:crypto";
import type { Adapter, Wiring } from "../adapters/adapter.js";
import { parseRule } from "../bus/approval-rule.js";
import type { TerminalId } from "../bus/ids.js";
import type { Level, TerminalRecord, Traits } from "../bus/terminal.js";
import { isName } from "../bus/text.js";
import { messageOf, QuayError } from "../lib/errors.js";
import { readTexts } from "../lib/read-texts.js";
import type { SeatRequest, SeatResult } from "./client.js";
import type { Engine } from "./engine.js";
import type { Ids, ServerDoors, Settings, Spool, TerminalHost, Vault } from "./ports.js";
import { hashSecret } from "./signals.js";

export type SeatParts = {
  readonly engine: Engine;
  readonly host: TerminalHost;
  readonly vault: Vault;
  readonly spool: Spool;
  readonly ids: Ids;
  readonly settings: () => Settings;
  readonly adapterOf: (kind: string) => Adapter | null;
  readonly runKinds: readonly string[];
  readonly projectOf: (cwd: string) => Promise<string>;
  readonly bridgeUrl: () => string;
  readonly assetsDir: string;
  /** The environment in which the CLIs are started: it says where they keep their settings. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends what goes on of a pane's program, by the pid of the program, which leads a process group of its own. */
  readonly endGroup: (pid: number) => Promise<void>;
  /** Opens the feeds of a terminal before its program starts, so that its first byte is heard. */
  readonly listen: (terminal: TerminalId, adapter: Adapter) => void;
  /** Closes them, and forgets the secrets of a terminal. */
  readonly close: (terminal: TerminalId) => Promise<void>;
  readonly doors: ServerDoors;
  /** A port of 127.0.0.1 that nobody listens on now. */
  readonly freePort: () => Promise<number>;
};

export type Seats = {
  launch(seat: SeatRequest): Promise<SeatResult>;
  /** Ends the program and starts the same seat as a new terminal that resumes the CLI's session. */
  relaunch(id: TerminalId): Promise<SeatResult>;
  end(id: TerminalId): Promise<void>;
};

/** What the settings say of a kind. */
type Chosen = Settings["adapters"][string];
const USUAL: Chosen = { command: null, bridge: true };

type Origin = { readonly succeeds: TerminalId | null; readonly resume: string | null };

const failed = (seat: SeatRequest, why: string): SeatResult => ({
  name: seat.name,
  kind: seat.kind,
  result: "failed",
  id: null,
  why,
});

const wordName = (name: string): string =>
  `'${name}' is no session name: 1-64 characters, no control characters and none of ' " [ ] ( ) : @ /, and no word for the person, Quay or its headers.`;

/** A bridge that is switched off tells nothing, and nothing is believed in its place. */
const traitsOf = (adapter: Adapter, { bridge }: Wiring, level: Level | undefined): Traits => {
  // level:chosen-by-setting
  const traits = level === adapter.raised?.level ? (adapter.raised ?? adapter.traits) : adapter.traits;
  return bridge || traits.reporter?.tells === undefined
    ? traits
    : { ...traits, reporter: { graceMs: traits.reporter.graceMs, remedy: traits.reporter.remedy } };
};

/** approve:rules-checked. A seat with a rule that is none, or that nothing would ask, is not started. */
const faultOfRules = ({ kind, permission }: Adapter, rules: readonly string[]): string | null => {
  if (rules.length > 0 && permission === undefined) {
    return `The permission requests of '${kind}' cannot be answered by rule. Leave its approval rules out.`;
  }
  for (const rule of rules) {
    const parsed = parseRule(rule);
    if (parsed.kind === "fault") return `'${rule}' is no approval rule: ${parsed.why}.`;
  }
  return null;
};

export const createSeats = (parts: SeatParts): Seats => {
  const { engine, host, vault, spool } = parts;
  /** Names, each in its project, whose record is not in the state yet. */
  const starting = new Set<string>();

  const liveNamed = (name: string, project: string): TerminalRecord | undefined =>
    [...engine.state().terminals.values()].find((t) => t.exit === null && t.name === name && t.project === project);

  const wire = (id: TerminalId, adapter: Adapter, bridge: boolean): Wiring => {
    const [token, eventSecret] = [parts.ids.secret(), parts.ids.secret()];
    // tool:token-per-terminal. A terminal that is no peer gets none: its hashes match nothing.
    if (adapter.traits.level !== "not a peer") {
      vault.putSecrets(id, { tool: hashSecret(token), event: hashSecret(eventSecret) });
    }
    const spoolDir = spool.prepare(id);
    const root = parts.bridgeUrl();
    return {
      mcpUrl: `${root}/mcp`,
      eventsUrl: `${root}/events`,
      token,
      eventSecret,
      spoolDir,
      assetsDir: parts.assetsDir,
      bridge,
    };
  };

  const undo = async (id: TerminalId, why: string): Promise<void> => {
    await engine.submit({ kind: "terminalExited", terminal: id, exit: { status: null, signal: null, why } });
    await engine.submit({ kind: "terminalForgotten", terminal: id });
    await parts.close(id);
  };

  const start = async (seat: SeatRequest, origin: Origin): Promise<SeatResult> => {
    const adapter = parts.adapterOf(seat.kind);
    if (adapter === null)
      return failed(seat, `There is no run kind '${seat.kind}'. Run kinds: ${parts.runKinds.join(", ")}.`);
    if (!isName(seat.name)) {
      return failed(seat, wordName(seat.name));
    }
    const chosen = parts.settings().adapters[seat.kind] ?? USUAL;
    const fault =
      adapter.seatFault?.({ args: seat.args, prompt: seat.prompt, command: chosen.command }) ??
      faultOfRules(adapter, seat.approve ?? []);
    if (fault !== null) return failed(seat, fault);
    const project = await parts.projectOf(seat.cwd);
    const taken = liveNamed(seat.name, project);
    if (taken !== undefined) {
      return failed(
        seat,
        `A live terminal of this project is named '${seat.name}' already (${taken.id}). Choose another name, or end it with \`quay kill ${seat.name}\`.`,
      );
    }
    // Two that ask at the same time both see no live one: the first to come here holds the name.
    const place = JSON.stringify([project, seat.name]);
    if (starting.has(place)) {
      return failed(
        seat,
        `A terminal named '${seat.name}' is just being started in this project. Choose another name.`,
      );
    }
    starting.add(place);
    try {
      return await open(seat, origin, adapter, chosen, project);
    } finally {
      starting.delete(place);
    }
  };

  const open = async (
    seat: SeatRequest,
    origin: Origin,
    adapter: Adapter,
    chosen: Chosen,
    project: string,
  ): Promise<SeatResult> => {
    const id = parts.ids.terminal();
    const wiring = wire(id, adapter, chosen.bridge);
    const settings = await readTexts(adapter.settings?.({ ...parts.env, ...seat.env }, seat.args) ?? []);
    const plan = adapter.launch({
      id,
      name: seat.name,
      cwd: seat.cwd,
      args: seat.args,
      env: seat.env,
      prompt: seat.prompt,
      resume: origin.resume,
      newSession: randomUUID(),
      command: chosen.command,
      level: chosen.level,
      settings,
      inherited: parts.env,
      ...(adapter.server === undefined
        ? {}
        : { server: { port: await parts.freePort(), password: parts.ids.secret() } }),
      wiring,
    });
    const terminal: TerminalRecord = {
      id,
      name: seat.name,
      kind: adapter.kind,
      project,
      cwd: seat.cwd,
      traits: traitsOf(adapter, wiring, chosen.level),
      launchedAt: engine.now(),
      succeeds: origin.succeeds,
      relaunch: { args: seat.args, env: seat.env },
      preset: seat.preset,
      ...(seat.approve === undefined ? {} : { approve: seat.approve }),
    };
    // The record is durable before the pane exists: a pane with our identity always has its record.
    await engine.submit({ kind: "terminalLaunched", terminal });
    try {
      if (plan.door != null) parts.doors.put(id, plan.door);
      parts.listen(id, adapter);
      await host.launch({
        terminal: id,
        name: seat.name,
        cwd: seat.cwd,
        argv: plan.argv,
        env: plan.env,
        unsetEnv: plan.unsetEnv,
      });
    } catch (error) {
      await undo(id, messageOf(error));
      return failed(seat, messageOf(error));
    }
    const server = host.server();
    vault.putPlace(id, { serverPid: server.pid, serverStartedAt: server.startedAt });
    return { name: seat.name, kind: seat.kind, result: "started", id, why: null };
  };

  const end = async (id: TerminalId): Promise<void> => {
    const terminal = engine.state().terminals.get(id);
    if (terminal === undefined || terminal.exit !== null) return;
    const pid = host.pidOf(id);
    await host.kill(id);
    // kill:nothing-left. tmux takes the terminal away; some programs go on without it.
    if (pid !== null) await parts.endGroup(pid);
    await engine.submit({
      kind: "terminalExited",
      terminal: id,
      exit: { status: null, signal: null, why: "ended by a person" },
    });
  };

  return {
    launch: (seat) => start(seat, { succeeds: null, resume: null }),
    relaunch: async (id) => {
      const old = engine.state().terminals.get(id);
      if (old === undefined) throw new QuayError("unknown-terminal", `There is no terminal ${id}.`);
      const seat: SeatRequest = {
        name: old.name,
        kind: old.kind,
        cwd: old.cwd,
        args: old.relaunch.args,
        env: old.relaunch.env,
        prompt: null,
        preset: old.preset,
        ...(old.approve === undefined ? {} : { approve: old.approve }),
      };
      // A name from before a rule: its agent is not ended for a start that cannot be.
      if (!isName(seat.name)) return failed(seat, wordName(seat.name));
      await end(id);
      return start(seat, { succeeds: id, resume: old.cliSession });
    },
    end,
  };
};
