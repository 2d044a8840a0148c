/**
 * Runs Mission Control, or the trail alone, on a person's terminal until they leave, the terminal is lost or the engine
 * is gone. Whatever happens here, the engine and its agents go on.
 */
import { writeSync } from "node:fs";
import { createRequire } from "node:module";
import type { EngineClient } from "../engine/client.js";
import { messageOf, QuayError } from "../lib/errors.js";
import type { Mounted } from "./app.js";
import { type Depth, depthOf } from "./colours.js";
import { Controller, type Ways } from "./controller.js";
import { FrameSink } from "./frame-sink.js";
import type { CursorPlace, Size } from "./painter.js";
import { createStore } from "./store.js";
import { ScreenTerminal, type TerminalInput, type TerminalOutput } from "./terminal.js";
import { type Timing, wallTiming } from "./timing.js";
import type { Reach, Ui } from "./ui.js";

export type ScreenEnd = "quit" | "lost terminal" | "engine gone";

export type RunningScreen = {
  /** Rejects only for a bug in the screen itself, after the terminal was restored. */
  readonly done: Promise<ScreenEnd>;
  /** Leaves as the quit key does. */
  stop(): void;
};

export type MissionControlOptions = {
  readonly client: EngineClient;
  readonly stdin: TerminalInput;
  readonly stdout: TerminalOutput;
  /** Gives the terminal to another program and comes back when it ends; without it the command is shown. */
  readonly openTerminal?: (argv: readonly string[], unsetEnv: readonly string[]) => Promise<void>;
  /** Socket of the tmux that the person is in; null outside. */
  readonly insideTmux: string | null;
  /** The person's folder, for what is launched from the palette; the process's own when left out. */
  readonly cwd?: string;
  /** Puts a text on the clipboard; without it the terminal is asked to (OSC 52), which tmux ignores from a pane. */
  readonly copyText?: (text: string) => Promise<void>;
  /** Shows the person what they saw before the screen, which then goes on; null or left out: leaving ends it. */
  readonly goBack?: (() => Promise<void>) | null;
  /** Called once when the person leaves, before `done` resolves. */
  readonly onQuit?: () => void;
  readonly timing?: Timing;
  /** How many colours it has; left out: as the environment says. */
  readonly depth?: Depth;
};

export type TrailOptions = Pick<MissionControlOptions, "client" | "stdin" | "stdout" | "timing" | "depth" | "copyText">;

/**
 * React chooses its build when it is loaded, and its development build is slower and keeps a record of each render. The
 * variable is set in one turn and taken back in it: a terminal launched with it would install no development dependency.
 */
const chooseReactBuild = (): void => {
  if (process.env.NODE_ENV !== undefined) return;
  process.env.NODE_ENV = "production";
  try {
    const require = createRequire(import.meta.url);
    for (const name of ["react", "react/jsx-runtime"]) require(name);
    createRequire(require.resolve("ink"))("react-reconciler");
  } finally {
    delete process.env.NODE_ENV;
  }
};

const loadApp = async (): Promise<typeof import("./app.js")> => {
  chooseReactBuild();
  return await import("./app.js");
};

const quote = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

type Plan = MissionControlOptions & { readonly screen: Ui["screen"] };

const runScreen = (plan: Plan): RunningScreen => {
  const { client, stdin, stdout } = plan;
  if (!stdin.isTTY || !stdout.isTTY) {
    throw new QuayError(
      "no-terminal",
      "Mission Control needs a terminal on its input and output. Use `quay serve` for an engine without a screen, and `quay trail` to read along.",
    );
  }
  const timing = plan.timing ?? wallTiming;
  let reach: Reach = { page: 1, end: 0 };
  let cursor: CursorPlace = null;
  let rows: readonly string[] = [];
  let mounted: Mounted | null = null;
  let isOver = false;

  let settle: (end: ScreenEnd) => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const done = new Promise<ScreenEnd>((resolve, reject) => {
    settle = resolve;
    fail = reject;
  });

  const size = createStore<Size>({ columns: 80, rows: 24 });
  const terminal = new ScreenTerminal(stdin, stdout, timing, {
    input: (input) => controller.take({ kind: "input", input, reach }),
    resized: (next) => size.set(next),
    lost: () => void end("lost terminal"),
  });
  size.set(terminal.size);
  const sink = new FrameSink(size, (next) => {
    rows = next;
    terminal.show({ rows, cursor });
  });

  const goBack = plan.goBack ?? null;
  const complain = (text: string): void => controller.take({ kind: "noticed", notice: { text, isGood: false } });
  const ways: Ways = {
    leave: () => {
      if (goBack === null) void end("quit");
      else goBack().catch((error: unknown) => complain(messageOf(error)));
    },
    redraw: () => terminal.redraw(),
    copy: plan.copyText ?? (async (text) => terminal.copy(text)),
    insideTmux: plan.insideTmux,
    gone: (why) => {
      if (plan.screen === "mission") void end("engine gone", why);
    },
    open: async ({ argv, unsetEnv }) => {
      if (plan.openTerminal === undefined) {
        const unset = unsetEnv.length === 0 ? "" : `env ${unsetEnv.map((name) => `-u ${name} `).join("")}`;
        controller.take({
          kind: "noticed",
          notice: { text: `Run: ${unset}${argv.map(quote).join(" ")}`, isGood: true },
        });
        return;
      }
      terminal.lend();
      try {
        await plan.openTerminal(argv, unsetEnv);
      } finally {
        terminal.takeBack();
      }
    },
  };
  const first = { screen: plan.screen, cwd: plan.cwd ?? process.cwd(), goesBack: goBack !== null };
  const controller = new Controller(client, first, timing, ways);

  const takeDown = (keepsHangUp: boolean): void => {
    // Not in this turn: a library of Ink's that finds no other listener of a signal ends the process with it.
    setImmediate(() => {
      for (const [signal, listener] of signals) {
        // The hang-up of a terminal may come after its first error, and must not end the engine either.
        if (!(keepsHangUp && signal === "SIGHUP")) process.off(signal, listener);
      }
    });
    process.off("exit", atExit);
    controller.stop();
    sink.shut();
    mounted?.unmount();
  };
  const end = async (how: ScreenEnd, why = ""): Promise<void> => {
    if (isOver) return;
    isOver = true;
    takeDown(how === "lost terminal");
    await terminal.leave();
    if (how === "engine gone") stdout.write(`The engine is gone: ${why}\n`);
    if (how === "quit") plan.onQuit?.();
    settle(how);
  };
  const breakDown = async (error: unknown): Promise<void> => {
    if (isOver) return;
    isOver = true;
    takeDown(false);
    await terminal.leave();
    fail(
      new QuayError("screen-failed", `The screen failed: ${messageOf(error)}. The engine goes on.`, { cause: error }),
    );
  };

  const atExit = (): void =>
    terminal.leaveAtOnce((text) => {
      const { fd } = stdout as { fd?: number };
      if (fd === undefined) stdout.write(text);
      else writeSync(fd, text);
    });
  const terminated = (): void => {
    // Somebody else may see to the end of the process; if nobody does, the signal's own effect follows.
    void end("quit").then(() =>
      setImmediate(() => {
        if (process.listenerCount("SIGTERM") === 0) process.kill(process.pid, "SIGTERM");
      }),
    );
  };
  const signals: readonly (readonly [NodeJS.Signals, () => void])[] = [
    ["SIGHUP", () => void end("lost terminal")],
    ["SIGTERM", terminated],
    // While another program has the terminal, its Ctrl+C is not ours; ours comes as a key.
    ["SIGINT", () => void (terminal.isLent || end("quit"))],
    ["SIGCONT", () => terminal.redraw()],
  ];
  for (const [signal, listener] of signals) process.on(signal, listener);
  process.on("exit", atExit);

  terminal.start();
  void loadApp()
    .then(({ mount }) => {
      if (isOver) return;
      mounted = mount(
        {
          snapshot: controller.snapshot,
          ui: controller.ui,
          size,
          timing,
          depth: plan.depth ?? depthOf(process.env),
          onSeen: (seen) => {
            reach = seen.reach;
            if (cursor?.row === seen.cursor?.row && cursor?.column === seen.cursor?.column) return;
            cursor = seen.cursor;
            terminal.show({ rows, cursor });
          },
        },
        sink as unknown as NodeJS.WriteStream,
        stdin,
      );
      mounted.ended.catch(breakDown);
    })
    .catch(breakDown);

  return { done, stop: () => void end("quit") };
};

/** The whole screen. Throws QuayError "no-terminal" when the streams are no terminal. */
export const runMissionControl = (options: MissionControlOptions): RunningScreen =>
  runScreen({ ...options, screen: "mission" });

/** The trail alone, for a side pane; it stays when the engine goes away, and shows its return. */
export const runTrail = (options: TrailOptions): RunningScreen =>
  runScreen({ ...options, insideTmux: null, screen: "trail" });
