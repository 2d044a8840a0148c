/**
 * The one place where the command line meets the screen's folder: its live views, and the plain words and cell counts
 * that a pipe shares with them. Ink is loaded only when a view is shown.
 */
import type { AgentView, TrailView } from "../bus/views.js";
import type { EngineClient } from "../engine/client.js";
import type { MessageView } from "../mailbox/rules/views.js";
import type { ScreenEnd as TuiEnd } from "../tui/render.js";
import { cellWidth, clean, cut, wrap } from "../tui/text.js";
import { recipients, trailLine, wordMark as wordMarkOnScreen } from "../tui/view-model.js";
import type { Cli, ScreenEnd, ScreenOptions } from "./cli.js";
import { wayBack } from "./way-back.js";

/** One line in which nothing moves the cursor: controls, bidi and invisible characters are shown as marks. */
export const inertLine = (text: string): string => clean(text);

/** Many lines, each of them inert; TAB stays. */
export const inertText = (text: string): string =>
  text
    .replace(/\r\n?/gu, "\n")
    .split("\n")
    .map((line) => line.split("\t").map(clean).join("\t"))
    .join("\n");

/** Inert rows of at most `cells`, broken at words where they fit. */
export const wrapTo = (text: string, cells: number): readonly string[] => wrap(text, cells);

/** Cells that inert text takes. */
export const cellsOf = (text: string): number => cellWidth(text);

/** At most `cells` wide; an ellipsis says that something was cut. */
export const cutTo = (text: string, cells: number): string => cut(text, cells);

export const padTo = (text: string, cells: number): string => text + " ".repeat(Math.max(0, cells - cellsOf(text)));

/** One trail entry on one line, as the screen words it. `columns`: cut to it; null: uncut. */
export const wordTrailEntry = (entry: TrailView, now: number, columns: number | null): string => {
  const line = trailLine(entry, now);
  return `${columns === null ? line : cutTo(line, columns)}\n`;
};

/** A change as it happens: a timer that only just began to count says nothing. */
export const wordTrailChange = (entry: TrailView, now: number): string =>
  wordTrailEntry(entry.timer.kind === "counting" ? { ...entry, timer: { kind: "none" } } : entry, now, null);

/** How far a message of the mailbox is marked, as the screen words it. */
export const wordMark = (message: MessageView): string => wordMarkOnScreen(message);

/** Agents that run; a shell is none. */
export const livePeers = (agents: readonly AgentView[]): readonly AgentView[] => recipients(agents);

type Running = { readonly done: Promise<TuiEnd>; stop(): void };

const ENDS: Readonly<Record<TuiEnd, ScreenEnd>> = { quit: "left", "lost terminal": "lost", "engine gone": "gone" };

const untilLeft = async (running: Running, until: AbortSignal): Promise<ScreenEnd> => {
  const stop = (): void => running.stop();
  if (until.aborted) stop();
  until.addEventListener("abort", stop, { once: true });
  try {
    return ENDS[await running.done];
  } finally {
    until.removeEventListener("abort", stop);
  }
};

const copying = ({ copyText }: ScreenOptions) => (copyText === null ? {} : { copyText });

/** Mission Control on this process's terminal. Throws QuayError "no-terminal" when it has none. */
export const showMissionControl = async (client: EngineClient, options: ScreenOptions): Promise<ScreenEnd> => {
  const { runMissionControl } = await import("../tui/render.js");
  const { insideTmux, openTerminal, cwd, goBack, until } = options;
  const { stdin, stdout } = process;
  const given = { client, stdin, stdout, insideTmux, openTerminal, cwd, goBack, ...copying(options) };
  return await untilLeft(runMissionControl(given), until);
};

/** The trail alone, for a side pane; it stays when the engine goes away. */
export const showLiveTrail = async (client: EngineClient, options: ScreenOptions): Promise<ScreenEnd> => {
  const { runTrail } = await import("../tui/render.js");
  const { stdin, stdout } = process;
  return await untilLeft(runTrail({ client, stdin, stdout, ...copying(options) }), options.until);
};

/** What a verb tells a screen of its surroundings. */
export const screenOptions = (cli: Cli, until: AbortSignal): ScreenOptions => ({
  insideTmux: tmuxSocketOf(cli.env),
  goBack: wayBack(cli, tmuxSocketOf(cli.env)),
  cwd: cli.cwd,
  copyText: copyThrough(cli, tmuxSocketOf(cli.env)),
  until,
  openTerminal: async (argv, unsetEnv) => {
    await cli.doors.run(argv, without(cli.env, unsetEnv));
  },
});

/** DECISIONS S22: tmux itself passes the text on to the person's terminal, which a pane cannot. */
const copyThrough = (cli: Cli, socket: string | null): ScreenOptions["copyText"] =>
  socket === null
    ? null
    : async (text) => {
        await cli.doors.feed(["tmux", "-S", socket, "load-buffer", "-w", "-"], text, cli.env);
      };

/** The socket's path is the first part of $TMUX. */
export const tmuxSocketOf = (env: NodeJS.ProcessEnv): string | null => env.TMUX?.split(",")[0] || null;

export const without = (env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
