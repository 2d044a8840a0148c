/**
 * The conductor that makes a TerminalHost of the pieces: the connection, the table of panes, the tap, the keyboard.
 * It decides nothing about messages or turns; and it never ends a tmux server.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TerminalId } from "../bus/ids.js";
import { terminalId } from "../bus/ids.js";
import type { HostEvent, PaneLaunch, PaneSeen, TerminalHost } from "../engine/ports.js";
import { messageOf, QuayError } from "../lib/errors.js";
import { createAttacher } from "./attach.js";
import { attachCommand } from "./attach-command.js";
import { controlEnv, createConnection } from "./connection.js";
import { createKeyboard } from "./keyboard.js";
import { removeLeftFiles } from "./launch-file.js";
import { killLine } from "./lines.js";
import { bindKey, unbindKey } from "./mission-control-key.js";
import { createOutputs } from "./outputs.js";
import { createPaneTable, paneSeen } from "./panes.js";
import { isPersonAt } from "./people.js";
import { fmtTime, q, word } from "./quote.js";
import { textOf } from "./replies.js";
import { readScreen } from "./screen.js";
import { checkProgram, clientArgs, type ServerAddress } from "./server.js";
import { createTap } from "./tap.js";
import { rewritesPastes } from "./version.js";
import { createWatch, unreachable } from "./watch.js";
import { launchWindow } from "./windows.js";

export type TmuxHostOptions = {
  /** Program; default `tmux`. */
  readonly tmux?: string;
  /** Quay's own server by its -L name, or the user's by its socket path (the first field of $TMUX). */
  readonly server: ServerAddress;
  readonly tmuxSession: string;
  /** Names the state folder, so that two of them can share a server: 4 to 16 of a-z and 0-9. */
  readonly instance: string;
  /** What `prefix M` runs; null binds nothing. */
  readonly missionControl: readonly string[] | null;
  /** For the environment of new panes, private to this host. Left out: one in the system's scratch folder. */
  readonly launchFolder?: string;
  readonly log?: (line: string) => void;
};

const SHOW_MS = 4_000;

export const createTmuxHost = (options: TmuxHostOptions): TerminalHost => {
  const { instance, tmuxSession } = options;
  if (!/^[a-z0-9]{4,16}$/.test(instance)) throw new RangeError(`not an instance: ${JSON.stringify(instance)}`);
  word(tmuxSession);
  const server = { tmux: options.tmux ?? "tmux", address: options.server, tmuxSession };
  const log = options.log ?? (() => {});
  const launchFolder = options.launchFolder ?? join(tmpdir(), `quay-launch-${process.pid}-${instance}`);
  const isOwn = options.server.kind === "own";
  const listeners: ((event: HostEvent) => void)[] = [];
  const table = createPaneTable();
  const attacher = createAttacher();
  let started = false;

  const emit = (event: HostEvent): void => {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        log(`a listener of host events threw: ${messageOf(error)}`);
      }
    }
  };

  const connection = createConnection({
    ...{ server, instance, attacher, log },
    onUp: async () => {
      await watch.list();
      await outputs.sync(sessions());
    },
    onGone: () => {
      tap.clear();
      for (const exit of table.clear("its tmux server ended")) emit(exit);
    },
    onFenced: (holder) => emit({ kind: "fencedOut", holder }),
    onReachable: (reachable) => emit({ kind: "reachable", reachable }),
    onNotify: (name) => noteChange(name),
  });
  const { ask } = connection;

  const tap = createTap({
    owner: (session, pane) => {
      const terminal = table.terminalOf(pane);
      return terminal && table.find(terminal)?.session !== session ? "elsewhere" : terminal;
    },
    listing: table.lastListing,
    emit,
    onStranger: () => watch.listSoon(),
  });

  const outputs = createOutputs({
    attach: (session, hear) =>
      attacher.attach(
        {
          tmux: server.tmux,
          args: [
            ...clientArgs(server.address),
            ...["-C", "attach-session", "-E", "-t", session, "-f", "pause-after=2,ignore-size"],
          ],
          env: controlEnv(instance),
          timeoutMs: null,
          ...hear,
        },
        () => [connection.client()].filter((client) => client !== null),
      ),
    tap: () => tap,
    onReady: (session) => {
      if (!started) return;
      for (const row of table.all()) {
        if (row.session === session && !row.dead) emit({ kind: "gap", terminal: terminalId(row.terminal) });
      }
    },
    onLost: () => watch.listSoon(),
    onNotify: (name) => noteChange(name),
    log,
  });

  const sessions = (): ReadonlySet<string> =>
    new Set([
      connection.place().session,
      ...table
        .all()
        .filter((row) => !row.dead)
        .map((row) => row.session),
    ]);

  const watch = createWatch({
    ...{ ask, instance, table, emit, log, tap: () => tap, isUp: connection.isUp },
    mainSession: () => connection.place().session,
    serverPid: () => connection.place().life.pid,
    turnOff: (session, pane) => outputs.turnOff(session, pane),
    afterListing: () => void outputs.sync(sessions()),
  });

  const noteChange = (name: string): void => {
    if (!name.startsWith("%paste-buffer") && name !== "%continue") watch.listSoon();
  };

  const keyboard = createKeyboard({
    ask,
    place: (terminal) => {
      const row = table.find(terminal);
      return row && { pane: row.pane, terminal, instance, epoch: connection.place().epoch };
    },
    onStale: () => connection.doubt(),
    keepsControlBytes: () => rewritesPastes(connection.place().life.version),
    log,
  });

  const key = { ask, tmuxSession, instance, isOwnServer: isOwn };

  const seen = (): readonly PaneSeen[] => table.all().map(paneSeen);

  /** Attaches; also to a new server of ours after the old one died. */
  const open = async (): Promise<void> => {
    await connection.open();
    if (options.missionControl && !(await bindKey(key, options.missionControl))) log("prefix M is taken: not bound");
  };

  const remove = async (terminal: TerminalId, deadOnly: boolean, why: string): Promise<void> => {
    const row = table.find(terminal);
    if (!row) return;
    const answer = await ask(killLine(row.pane, terminal, instance, deadOnly));
    if (answer.kind === "unknown") throw unreachable(answer.why);
    const exit = table.remove(terminal, why);
    if (exit) emit(exit);
  };

  return {
    start: async () => {
      await checkProgram(server.tmux);
      removeLeftFiles(launchFolder);
      await open();
      started = true;
      watch.start();
      return seen();
    },
    server: () => {
      const { life } = connection.place();
      const { pid, startedAt, socket } = life;
      return { pid, startedAt, socket, tmuxSession, version: life.version.text };
    },
    on: (listener) => {
      listeners.push(listener);
    },
    launch: async (plan: PaneLaunch) => {
      if (table.find(plan.terminal)) throw new RangeError(`terminal ${plan.terminal} has a pane already`);
      if (connection.isGone()) await open();
      if (!connection.isUp()) throw unreachable("tmux does not answer");
      const { session, epoch, life } = connection.place();
      try {
        const row = await launchWindow(
          { ask, session, instance, epoch, version: life.version, unsetEnv: isOwn ? ["TMUX"] : [], launchFolder },
          plan,
        );
        table.add(row);
        watch.listSoon();
        return { pid: row.pid };
      } catch (error) {
        if (error instanceof QuayError && error.code === "tmux-unreachable") watch.abandon(plan.terminal);
        throw error;
      }
    },
    panes: async () => {
      if (connection.isGone()) return [];
      await watch.list();
      return seen();
    },
    pidOf: (terminal) => {
      const row = table.find(terminal);
      return row && !row.dead ? row.pid : null;
    },
    paneOf: (terminal) => table.find(terminal)?.pane ?? null,
    screen: async (terminal) => {
      const row = table.find(terminal);
      return row ? readScreen(ask, row.pane) : null;
    },
    personAt: async (terminal) => {
      const row = table.find(terminal);
      return row !== null && (await isPersonAt(ask, row.pane, Date.now()));
    },
    paste: keyboard.paste,
    enter: keyboard.enter,
    enterAgain: keyboard.enterAgain,
    fence: async () => {
      if (connection.isGone()) return [];
      await connection.refence();
      return seen();
    },
    answerQuery: keyboard.answerQuery,
    kill: (terminal) => remove(terminal, false, "Quay ended it"),
    bury: async (terminal) => {
      if (table.find(terminal)?.dead) await remove(terminal, true, "its program ended");
    },
    attachCommand: (terminal, inside) => attachCommand(server, connection.place(), table.find(terminal), inside),
    displayMessage: async (text) => {
      if (!isOwn) return;
      const answer = await ask('list-clients -F "#{client_control_mode} #{client_name}"');
      if (answer.kind === "unknown") return;
      const people = textOf(answer.blocks).flatMap((line) => (line.startsWith("0 ") ? [line.slice(2)] : []));
      const shown = q(fmtTime(text.replace(/\p{Cc}+/gu, " ")));
      for (const name of people) await ask(`display-message -c ${q(name)} -d ${SHOW_MS} -- ${shown}`);
    },
    stop: async () => {
      watch.stop();
      if (connection.isUp() && !isOwn) await unbindKey(key);
      await outputs.close();
      await connection.close();
      removeLeftFiles(launchFolder);
    },
  };
};
