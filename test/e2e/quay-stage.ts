/**
 * A whole Quay for end-to-end tests: the built program as `quay serve`, real tmux, any set of real CLIs, a scripted
 * model. Knows no CLI: each comes as a `CliSetUp` (test/support/clis). Speaks the product's words: up, send, trail, agent; and a person's hands on a pane: screen, press.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { AgentView, TrailView } from "../../src/bus/views.js";
import type { EngineClient } from "../../src/engine/client.js";
import { connectRemote } from "../../src/engine/remote-client.js";
import { endGroup } from "../../src/lib/end-group.js";
import { claudeCode } from "../support/clis/claude.js";
import { type CliSetUp, createRoom, type Room } from "../support/clis/room.js";
import { type ModelServer, startModelServer } from "../support/model-server.js";
import { until } from "../support/until.js";

const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
let count = 0;

export type QuayStage = {
  readonly model: ModelServer;
  readonly room: Room;
  readonly cwd: string;
  readonly home: string;
  client(): EngineClient;
  /** Starts the engine (again); resolves when it is ready. */
  startEngine(): Promise<void>;
  /** SIGKILL: no goodbye. */
  killEngine(): Promise<void>;
  /** Ends it as `quay stop` does; agents go on. */
  stopEngine(): Promise<void>;
  /** Rewrites Quay's settings: `adapters.<kind>` gets these fields besides its own. */
  setAdapter(kind: string, fields: Readonly<Record<string, unknown>>): void;
  up(preset: string): Promise<void>;
  launch(
    name: string,
    options?: {
      readonly cwd?: string;
      readonly kind?: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      readonly approve?: readonly string[];
    },
  ): Promise<void>;
  send(
    target: string,
    text: string,
    options?: { readonly wait?: boolean; readonly as?: string },
  ): ReturnType<EngineClient["dispatch"]>;
  /** Runs the command line as a person would, and returns what it prints. */
  quay(...args: readonly string[]): string;
  agent(name: string): AgentView;
  /** Newest first. */
  trail(): readonly TrailView[];
  entry(text: string): TrailView | undefined;
  /** Waits until the agent has this status. */
  untilStatus(name: string, status: AgentView["status"], deadlineMs?: number): Promise<void>;
  untilEntry(text: string, status: TrailView["status"], deadlineMs?: number): Promise<TrailView>;
  /** Waits until the model was asked with this prompt: the turn is under way there, too. */
  untilAsked(prompt: string): Promise<void>;
  /** What its pane shows; "" when the pane is gone. */
  screen(name: string): string;
  press(name: string, ...keys: readonly string[]): void;
  /** All that a failed wait should show: agents, trail and screens. */
  story(): string;
};

const pause = async (ms: number): Promise<void> => {
  const end = Date.now() + ms;
  await until(() => Date.now() >= end, ms + 1_000, "time to pass");
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

export type StageOptions = {
  /** Claude Code alone when left out; the first one is what `launch` starts. */
  readonly clis?: readonly CliSetUp[];
  /** false: no CLI has been told that the folder may be worked in. */
  readonly trusted?: boolean;
};

/** Ends by itself when the test is over. */
export const startQuayStage = async ({
  clis = [claudeCode()],
  trusted = true,
}: StageOptions = {}): Promise<QuayStage> => {
  const model = await startModelServer();
  const room = createRoom(model.url);
  const sandboxes = clis.map((setUp) => setUp(room));
  const cwd = join(room.root, "project");
  mkdirSync(cwd);
  if (trusted) for (const sandbox of sandboxes) sandbox.trust(cwd);
  const home = join(room.root, "quay");
  mkdirSync(home, { recursive: true, mode: 0o700 });
  count += 1;
  const socket = `quay-test-${process.pid}-${count}`;
  const env = {
    ...room.env,
    ...Object.assign({}, ...sandboxes.map((sandbox) => sandbox.env)),
    QUAY_HOME: home,
    TMUX_TMPDIR: room.root,
  };
  let engine: ChildProcess | null = null;
  let client: EngineClient | null = null;
  let said = "";

  const adapters = Object.fromEntries(sandboxes.map(({ kind, settings }) => [kind, settings]));
  const setAdapter = (kind: string, fields: Readonly<Record<string, unknown>>): void => {
    const changed = { ...adapters, [kind]: { ...adapters[kind], ...fields } };
    writeFileSync(join(home, "settings.json"), JSON.stringify({ adapters: changed }));
  };
  setAdapter(sandboxes[0]?.kind ?? "", {});

  const quay = (...args: readonly string[]): string =>
    execFileSync(process.execPath, [MAIN, "--socket", socket, ...args], {
      env,
      cwd,
      encoding: "utf8",
      timeout: 70_000,
    });
  const tmux = (...args: readonly string[]): string =>
    execFileSync("tmux", ["-L", socket, ...args], { env, encoding: "utf8", timeout: 10_000 });

  const startEngine = async (): Promise<void> => {
    said = "";
    const child = spawn(process.execPath, [MAIN, "--socket", socket, "serve", "--json"], { env, cwd, stdio: "pipe" });
    engine = child;
    child.stdout.on("data", (bytes: Buffer) => {
      said += bytes.toString();
    });
    child.stderr.on("data", (bytes: Buffer) => {
      said += bytes.toString();
    });
    await until(
      () => said.includes('"ready":true') || child.exitCode !== null,
      15_000,
      () => `the engine: ${said}`,
    );
    if (child.exitCode !== null) throw new Error(`the engine did not start: ${said}`);
    const { url } = JSON.parse(readFileSync(join(home, "endpoint.json"), "utf8")) as { readonly url: string };
    const token = readFileSync(join(home, "owner-token"), "utf8").trim();
    await client?.close();
    client = await connectRemote({ url, token });
  };

  const endEngine = async (signal: "SIGKILL" | "SIGTERM"): Promise<void> => {
    const child = engine;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await until(() => child.exitCode !== null || child.signalCode !== null, 15_000, "the end of the engine");
    engine = null;
  };

  const connected = (): EngineClient => {
    if (client === null) throw new Error("no engine yet");
    return client;
  };
  const agents = (): readonly AgentView[] => connected().snapshot().agents;
  const agent = (name: string): AgentView => {
    const found = agents().findLast((one) => one.name === name);
    if (found === undefined)
      throw new Error(
        `no agent ${name} among ${agents()
          .map((one) => one.name)
          .join(", ")}`,
      );
    return found;
  };
  const trail = (): readonly TrailView[] => connected().snapshot().trail;
  const entry = (text: string): TrailView | undefined => trail().find((one) => one.text.includes(text));

  const findPane = (name: string): string | null => {
    const id = agent(name).id;
    const rows = tmux("list-panes", "-a", "-F", "#{pane_id} #{@quay_id}").split("\n");
    return rows.find((one) => one.endsWith(` ${id}`))?.split(" ")[0] ?? null;
  };
  const paneOf = (name: string): string => {
    const pane = findPane(name);
    if (pane === null) throw new Error(`no pane of ${name}`);
    return pane;
  };
  const screen = (name: string): string => {
    const pane = findPane(name);
    try {
      return pane === null ? "" : tmux("capture-pane", "-p", "-t", pane);
    } catch {
      // it went between the two
      return "";
    }
  };
  /** Column, row and whether it is shown. */
  const cursor = (name: string): string => {
    const pane = findPane(name);
    return pane === null
      ? ""
      : tmux("display-message", "-p", "-t", pane, "#{cursor_x} #{cursor_y} #{cursor_flag}").trim();
  };
  const story = (): string =>
    JSON.stringify({ agents: agents(), trail: trail() }, null, 1) +
    agents()
      .filter((one) => one.exit === null)
      .map((one) => `\n${one.name}, cursor ${cursor(one.name)}:\n${screen(one.name)}`)
      .join("");

  /** Ends the tmux server of this stage; gives the programs that ran in its panes. */
  const endServer = (): readonly number[] => {
    try {
      const pids = tmux("list-panes", "-a", "-F", "#{pane_pid}").trim().split("\n").map(Number);
      tmux("kill-server");
      return pids;
    } catch {
      return [];
    }
  };

  onTestFinished(async () => {
    model.release();
    await client?.close();
    await endEngine("SIGTERM").catch(() => endEngine("SIGKILL"));
    const pids = endServer();
    // A CLI writes into its home until its very end; some would go on without their pane.
    await Promise.all(pids.map((pid) => endGroup(pid, pause)));
    await until(() => pids.every((pid) => !isAlive(pid)), 10_000, "the end of the panes' programs");
    await model.close();
    room.remove();
  });

  await startEngine();
  return {
    model,
    room,
    cwd,
    home,
    client: connected,
    startEngine,
    killEngine: () => endEngine("SIGKILL"),
    stopEngine: () => endEngine("SIGTERM"),
    setAdapter,
    up: async (preset) => {
      const answer = await connected().dispatch({ kind: "up", preset, cwd });
      if (!answer.ok || answer.seats.some((seat) => seat.result === "failed")) throw new Error(JSON.stringify(answer));
    },
    launch: async (name, options = {}) => {
      const { cwd: folder = cwd, kind = sandboxes[0]?.kind ?? "", args = [], env: own = {}, approve } = options;
      const seat = { name, kind, cwd: folder, args, env: own, prompt: null, preset: null, approve };
      const answer = await connected().dispatch({ kind: "launch", seat });
      if (!answer.ok) throw new Error(answer.message);
      await until(() => agents().some((one) => one.id === answer.seat.id), 5_000, `${name} in the snapshot`);
    },
    send: (target, text, { wait = false, as } = {}) => {
      const caller = { kind: "person" as const, as: as === undefined ? null : (agent(as).id as never), project: null };
      return connected().dispatch({ kind: "send", caller, target, text, wait, raw: false });
    },
    quay,
    agent,
    trail,
    entry,
    untilStatus: async (name, status, deadlineMs = 30_000) => {
      await until(
        () => agents().some((one) => one.name === name && one.status === status),
        deadlineMs,
        () => `${name} to be ${status}: ${story()}`,
      );
    },
    untilEntry: (text, status, deadlineMs = 30_000) =>
      until(
        () => trail().find((one) => one.text.includes(text) && one.status === status),
        deadlineMs,
        () => `"${text}" to be ${status}: ${story()}`,
      ),
    untilAsked: async (prompt) => {
      // A CLI's own request for a title, which offers no tools, may come long before the turn's.
      const isAsked = (): boolean =>
        model.requests.some((request) => request.tools.length > 0 && request.prompt.includes(prompt));
      await until(isAsked, 60_000, () => `the model to hear "${prompt}": ${story()}`);
    },
    screen,
    press: (name, ...keys) => void tmux("send-keys", "-t", paneOf(name), ...keys),
    story,
  };
};
