/**
 * Launching: one agent is one window of our session. Folder and program are looked at first, the window is made and
 * marked in one step, and a step that fails half way leaves no pane behind.
 */
import type { PaneLaunch } from "../engine/ports.js";
import { QuayError } from "../lib/errors.js";
import type { Ask } from "./fence.js";
import { throughLaunchFile, writeLaunchFile } from "./launch-file.js";
import { windowLine } from "./lines.js";
import { checkFolder, checkProgramExists } from "./program.js";
import { fmt, paneId, sessionId, windowId, word } from "./quote.js";
import { errorOf, type PaneRow, textOf } from "./replies.js";
import { manualSize } from "./server.js";
import { hasManualSizeCrash, type Version } from "./version.js";

export type LaunchSpot = {
  readonly ask: Ask;
  readonly session: string;
  readonly instance: string;
  readonly epoch: string;
  readonly version: Version;
  /** Names that no pane of this server gets, such as TMUX. */
  readonly unsetEnv: readonly string[];
  /** For the files that panes get their environment by. */
  readonly launchFolder: string;
};

const NAME_LENGTH = 64;

/** Window names may be read back raw by others: no control characters. */
export const windowName = (name: string): string => {
  const clean = [...name.replace(/[\p{Cc}\p{Cs}]+/gu, " ")].slice(0, NAME_LENGTH).join("");
  return fmt(clean === "" ? "agent" : clean);
};

/** Through env(1), which takes names out of the environment and becomes the program. */
export const paneArgv = (argv: readonly string[], unset: readonly string[]): readonly string[] => {
  const words = unset.flatMap((name) => ["-u", name]);
  // env(1) would read a program with `=` in its path as a variable.
  const isPlain = argv[0] !== undefined && !argv[0].includes("=") && !argv[0].startsWith("-");
  return ["/usr/bin/env", ...words, ...(isPlain ? argv : ["/bin/sh", "-c", 'exec "$@"', "sh", ...argv])];
};

const variable = async (ask: Ask, flags: string): Promise<string | null> => {
  const answer = await ask(`show-environment ${flags} PATH`);
  if (answer.kind === "unknown") throw noAnswer(answer.why);
  const line = textOf(answer.blocks)[0] ?? "";
  if (errorOf(answer.blocks) !== null) return null;
  return line.startsWith("PATH=") ? line.slice("PATH=".length) : null;
};

const DEFAULT_PATH = "/usr/bin:/bin";

/** The PATH that a new pane of this session gets. */
const panePath = async (spot: LaunchSpot, plan: PaneLaunch): Promise<string> => {
  const own = plan.env.PATH;
  if (own !== undefined) return own;
  const ofSession = await variable(spot.ask, `-t "\\${sessionId(spot.session)}"`);
  return ofSession ?? (await variable(spot.ask, "-g")) ?? DEFAULT_PATH;
};

const noAnswer = (why: string): QuayError =>
  new QuayError("tmux-unreachable", `tmux did not answer the launch (${why}); nothing is left running. Try again.`);

/**
 * Throws QuayError: `no-folder`, `no-program`, `window-size-manual`, `launch-failed`, or `tmux-unreachable`, after
 * which the pane may exist all the same: the caller removes it when it shows up.
 */
export const launchWindow = async (spot: LaunchSpot, plan: PaneLaunch): Promise<PaneRow> => {
  await checkFolder(plan.cwd);
  await checkProgramExists(plan.argv[0] ?? "", plan.cwd, await panePath(spot, plan));
  if (hasManualSizeCrash(spot.version)) await refuseManualSize(spot.ask);
  const file = writeLaunchFile(spot.launchFolder, word(plan.terminal), plan.env);
  try {
    return await makeWindow(
      spot,
      plan,
      throughLaunchFile(file.path, paneArgv(plan.argv, [...spot.unsetEnv, ...plan.unsetEnv])),
    );
  } catch (error) {
    file.remove();
    throw error;
  }
};

const makeWindow = async (spot: LaunchSpot, plan: PaneLaunch, argv: readonly string[]): Promise<PaneRow> => {
  const line = windowLine({
    session: sessionId(spot.session),
    terminal: word(plan.terminal),
    instance: spot.instance,
    name: windowName(plan.name),
    cwd: fmt(plan.cwd),
    argv,
  });
  const answer = await spot.ask(line);
  if (answer.kind === "unknown") throw noAnswer(answer.why);
  const made = /^(%\d+) (\d+) (@\d+)$/.exec(answer.blocks[0]?.ok ? (textOf(answer.blocks)[0] ?? "") : "");
  const error = errorOf(answer.blocks);
  if (!made || error !== null) {
    if (made) await spot.ask(`kill-pane -t ${paneId(made[1]!)}`);
    throw new QuayError("launch-failed", `tmux did not start ${plan.name}: ${error ?? "it named no pane"}.`);
  }
  return {
    pane: paneId(made[1]!),
    terminal: plan.terminal,
    pid: Number(made[2]),
    dead: false,
    inputOff: false,
    inMode: false,
    epoch: spot.epoch,
    pasted: null,
    entered: null,
    enteredTwice: false,
    status: null,
    signal: null,
    session: spot.session,
    window: windowId(made[3]!),
  };
};

const refuseManualSize = async (ask: Ask): Promise<void> => {
  const answer = await ask("show-options -gwv window-size");
  if (answer.kind === "unknown") throw noAnswer(answer.why);
  if (textOf(answer.blocks)[0] === "manual") throw manualSize();
};
