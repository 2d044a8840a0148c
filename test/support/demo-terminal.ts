/**
 * A demo agent in a tmux server of its own, driven the way Quay drives a terminal: read the line, paste, see the
 * echo, press Enter.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Screen } from "../../src/adapters/adapter.js";
import { demoLine } from "../../src/adapters/demo-line.js";
import { parseEvent } from "../../src/feeds/spool-file.js";
import { until } from "./until.js";

const run = promisify(execFile);

let servers = 0;

export type DemoEvent = { readonly event: string; readonly payload: Readonly<Record<string, unknown>> };

export type DemoTerminal = {
  readonly pid: number;
  screen(): Promise<Screen>;
  /** The screen as a person sees it. */
  text(): Promise<string>;
  /** Pastes and presses Enter as Quay does; fails when the line is never empty or shows no echo. */
  type(text: string): Promise<void>;
  paste(text: string): Promise<void>;
  keys(...names: readonly string[]): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  events(): Promise<readonly DemoEvent[]>;
  /** Resolves to its answer when this many turns have ended. */
  turnEnd(count: number): Promise<string>;
  /** Everything the program wrote since it started. */
  output(): Promise<string>;
  /** Exit status once it has ended. */
  exited(): Promise<string>;
  hangUp(): Promise<void>;
};

export type DemoHost = {
  start(options: {
    readonly agent: string;
    readonly args: readonly string[];
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly columns?: number;
    readonly rows?: number;
  }): Promise<DemoTerminal>;
  close(): Promise<void>;
};

export const openDemoHost = async (): Promise<DemoHost> => {
  servers += 1;
  const name = `quay-test-${process.pid}-${servers}`;
  const folder = await mkdtemp(join(tmpdir(), "quay-demo-host-"));
  const { TMUX: _outer, TMUX_PANE: _pane, ...env } = process.env;
  const tmux = async (...words: readonly string[]): Promise<string> =>
    (await run("tmux", ["-L", name, "-f", "/dev/null", ...words], { env, maxBuffer: 16_000_000 })).stdout;
  await tmux("new-session", "-d", "-s", "keep", "-x", "80", "-y", "24", "sleep 600");
  await tmux("set-option", "-g", "remain-on-exit", "on");
  const socket = (await tmux("display-message", "-p", "#{socket_path}")).trim();
  let panes = 0;

  const start: DemoHost["start"] = async ({ agent, args, cwd, env: paneEnv, columns = 80, rows = 24 }) => {
    panes += 1;
    const spool = await mkdtemp(join(folder, "spool-"));
    const log = join(folder, `output-${panes}`);
    const variables = { ...paneEnv, QUAY_SPOOL: spool, QUAY_EVENTS_SECRET: "event-secret" };
    const pairs = Object.entries(variables).flatMap(([key, value]) => ["-e", `${key}=${value}`]);
    // The log is piped before the program starts: it waits for a line on its terminal.
    const program = 'read -r go; exec "$@"';
    const words = [
      "new-session",
      "-d",
      "-P",
      "-F",
      "#{pane_id} #{pane_pid}",
      "-x",
      String(columns),
      "-y",
      String(rows),
    ];
    const argv = ["sh", "-c", program, "sh", process.execPath, agent, ...args];
    const [pane = "", pid = "0"] = (await tmux(...words, "-c", cwd, ...pairs, "--", ...argv)).trim().split(" ");
    await tmux("pipe-pane", "-O", "-t", pane, `exec cat >'${log}'`);
    await tmux("send-keys", "-t", pane, "go", "Enter");

    const screen = async (): Promise<Screen> => {
      const format = "at #{cursor_x} #{cursor_y} #{cursor_flag} #{pane_width} #{pane_height}";
      const out = await tmux("capture-pane", "-p", "-e", "-t", pane, ";", "display-message", "-p", "-t", pane, format);
      const at = out.lastIndexOf("\nat ");
      const [x = 0, y = 0, flag = 0, cols = 0, height = 0] = out.slice(at).match(/\d+/g)?.map(Number) ?? [];
      return { ansi: out.slice(0, at), cursor: { x, y, visible: flag === 1 }, cols, rows: height };
    };
    const text = (): Promise<string> => tmux("capture-pane", "-p", "-t", pane);
    const paste = async (what: string): Promise<void> => {
      const file = join(folder, "paste");
      await writeFile(file, what);
      await tmux(
        "load-buffer",
        "-b",
        "quay-d",
        file,
        ";",
        "paste-buffer",
        "-d",
        "-p",
        "-r",
        "-b",
        "quay-d",
        "-t",
        pane,
      );
    };
    const events = async (): Promise<readonly DemoEvent[]> => {
      const names = (await readdir(spool)).filter((one) => one.endsWith(".event")).sort();
      return Promise.all(names.map(async (one) => parseEvent(one, await readFile(join(spool, one), "utf8"), 0n)));
    };
    const keys = async (...names: readonly string[]): Promise<void> => {
      await tmux("send-keys", "-t", pane, ...names);
    };
    return {
      pid: Number(pid),
      screen,
      text,
      paste,
      keys,
      events,
      type: async (what) => {
        await until(async () => demoLine.line(await screen()) === "empty", 10_000, "an empty line");
        await paste(what);
        await until(async () => demoLine.echo(await screen(), what) === "ours", 5_000, "the echo of a paste");
        await keys("Enter");
      },
      resize: async (width, height) => {
        await tmux("resize-window", "-t", pane, "-x", String(width), "-y", String(height));
      },
      turnEnd: async (count) => {
        const ended = await until(
          async () => {
            const stops = (await events()).filter(({ event }) => event === "Stop" || event === "StopFailure");
            return stops.length >= count ? stops[count - 1] : null;
          },
          30_000,
          `the end of turn ${count}`,
        );
        return String(ended.payload.last_assistant_message);
      },
      output: () => readFile(log, "utf8"),
      exited: () =>
        until(
          async () => {
            // A child of the server's own makes it look for ended ones: a lost SIGCHLD leaves the status unknown.
            await tmux("run-shell", "true");
            const dead = await tmux("display-message", "-p", "-t", pane, "#{pane_dead} #{pane_dead_status}");
            return /^1 (\d+)$/m.exec(dead)?.[1] ?? null;
          },
          10_000,
          "the end of the program",
        ),
      hangUp: async () => {
        await tmux("kill-pane", "-t", pane);
      },
    };
  };

  return {
    start,
    close: async () => {
      await tmux("kill-server").catch(() => undefined);
      await unlink(socket).catch(() => undefined);
      // The programs still write a last event when their terminal goes.
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 25 });
    },
  };
};
