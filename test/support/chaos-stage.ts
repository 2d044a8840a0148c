/**
 * A whole Quay for chaos: real tmux, the real engine (in this process, or as a child that can be killed), and drill
 * agents in Claude Code's place. Ends with the books: what each agent got equals what the trail says was typed.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentView, TrailView } from "../../src/bus/views.js";
import type { RecordLine } from "../../src/drill/record.js";
import type { EngineClient } from "../../src/engine/client.js";
import { type RunningEngine, startEngine } from "../../src/engine/compose.js";
import { connectRemote } from "../../src/engine/remote-client.js";
import { type Books, compareBooks, ofKind, readLines } from "./chaos-books.js";
import { attachAndLeave } from "./chaos-people.js";
import { createQuayProgram, type QuayProgram } from "./quay-program.js";
import { ts } from "./syntax.js";
import { isAlive } from "./tmux-server.js";
import { until } from "./until.js";

export const isFull = process.env.CHAOS === "full";
/** A count for every day, and the one that CHAOS=full asks for. */
export const scaled = (daily: number, full: number): number => (isFull ? full : daily);

export type Drill = Readonly<Record<`DRILL_${string}`, string | number>>;

export type DrillAgent = {
  readonly name: string;
  id(): string;
  view(): AgentView;
  lines(): readonly RecordLine[];
  submissions(): readonly string[];
  pane(): string;
  screen(): string;
  /** A person's hands on the pane. */
  press(...keys: readonly string[]): void;
};

export type ChaosStage = {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** For tmux -L. */
  readonly socket: string;
  client(): EngineClient;
  /** Starts the engine: in this process, or as a child; `stepKill` makes the child die at that step. */
  startEngine(how?: "in process" | "child", stepKill?: string): Promise<void>;
  /** For sh: Mission Control of this state folder, with the engine in its process when none runs. */
  screenCommand(): string;
  /** To an engine that the test started otherwise; waits until it is there. */
  connect(): Promise<void>;
  /** Starts a second engine on the same state folder as a child, and gives what it says. */
  secondEngine(): Promise<string>;
  enginePid(): number;
  signalEngine(signal: NodeJS.Signals): void;
  untilEngineDied(): Promise<void>;
  stopEngine(): Promise<void>;
  tmuxPid(): number;
  tmux(...args: readonly string[]): string;
  /** A person attaches to the server from a terminal of their own and leaves, so many times; gives how often they were in. */
  attachAndLeave(times: number): Promise<number>;
  /** `record`: name of its record, when the terminal's own name was another one's before. */
  launch(name: string, drill?: Drill, record?: string): Promise<DrillAgent>;
  /** Without a launch: of a terminal that the test started otherwise. */
  agent(name: string): DrillAgent;
  send(to: string, text: string, as?: string): Promise<void>;
  /** Oldest first. */
  trail(to?: string): Promise<readonly TrailView[]>;
  /** Waits until no entry is queued or waits for its turn's end. */
  untilOver(deadlineMs: number): Promise<void>;
  story(): Promise<string>;
  books(agent: DrillAgent, options?: Parameters<typeof compareBooks>[2]): Promise<Books>;
  close(): Promise<void>;
};

const SUPPORT = fileURLToPath(new URL(".", import.meta.url));
let serial = 0;

const writeProgram = (program: QuayProgram): void => {
  const serve = readFileSync(join(SUPPORT, "chaos-serve.ts"), "utf8").replaceAll("../../src/", "./dist/");
  const { outputText } = ts.transpileModule(serve, {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true },
  });
  writeFileSync(join(program.folder, "chaos-serve.js"), outputText);
  const agent = join(program.folder, "dist/drill/agent.js");
  const command = join(program.folder, "claude");
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${agent}' "$@"\n`, { mode: 0o755 });
  mkdirSync(join(program.folder, "home"), { mode: 0o700 });
  mkdirSync(join(program.folder, "records"), { mode: 0o700 });
  writeFileSync(
    join(program.folder, "home/settings.json"),
    JSON.stringify({ adapters: { claude: { command, bridge: true } } }),
    { mode: 0o600 },
  );
};

export const createChaosStage = async (): Promise<ChaosStage> => {
  const program = createQuayProgram();
  writeProgram(program);
  serial += 1;
  const socket = `quay-test-${process.pid}-${serial}`;
  const { folder } = program;
  const claudeConfig = join(folder, "user/.claude");
  const env: NodeJS.ProcessEnv = { ...program.env, CLAUDE_CONFIG_DIR: claudeConfig };
  const cwd = join(folder, "work");
  // The engine in this process starts tmux with this process's environment.
  process.env.TMUX_TMPDIR = env.TMUX_TMPDIR;
  let child: ChildProcess | null = null;
  let inProcess: RunningEngine | null = null;
  let client: EngineClient | null = null;
  let lastTmux: number | null = null;

  const tmux = (...args: readonly string[]): string =>
    execFileSync("tmux", ["-N", "-u", "-L", socket, ...args], {
      env,
      encoding: "utf8",
      timeout: 10_000,
      stdio: ["ignore", "pipe", "pipe"],
    }).trimEnd();
  const tmuxPid = (): number => {
    lastTmux = Number(tmux("display-message", "-p", "#{pid}"));
    return lastTmux;
  };
  const connected = (): EngineClient => {
    if (client === null) throw new Error("no engine yet");
    return client;
  };

  const spawnEngine = (
    args: readonly string[],
    more: NodeJS.ProcessEnv,
  ): { readonly process: ChildProcess; said(): string } => {
    let said = "";
    const started = spawn(process.execPath, [...args], {
      env: { ...env, ...more },
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
    });
    started.stdout?.on("data", (bytes: Buffer) => {
      said += bytes.toString();
    });
    started.stderr?.on("data", (bytes: Buffer) => {
      said += bytes.toString();
    });
    return { process: started, said: () => said };
  };

  const connect = async (): Promise<void> => {
    const [endpoint, owner] = [join(folder, "home/endpoint.json"), join(folder, "home/owner-token")];
    await until(() => existsSync(endpoint) && existsSync(owner), 30_000, "an engine's endpoint");
    const { url } = JSON.parse(readFileSync(endpoint, "utf8")) as { readonly url: string };
    await client?.close().catch(() => {});
    client = await connectRemote({ url, token: readFileSync(owner, "utf8").trim() });
  };

  const startChild = async (stepKill: string | undefined): Promise<void> => {
    const args =
      stepKill === undefined
        ? [program.main, "--socket", socket, "serve", "--json"]
        : [join(folder, "chaos-serve.js"), "serve", socket];
    const steps = {
      QUAY_STEP_HOOK: join(folder, "steps"),
      ...(stepKill === undefined ? {} : { QUAY_STEP_KILL: stepKill }),
    };
    const started = spawnEngine(args, steps);
    child = started.process;
    await until(
      () => started.said().includes('"ready":true') || started.process.exitCode !== null,
      30_000,
      () => `the engine: ${started.said()}`,
    );
    if (started.process.exitCode !== null) throw new Error(`the engine did not start: ${started.said()}`);
    await connect();
  };

  const isOver = (process: ChildProcess): boolean => process.exitCode !== null || process.signalCode !== null;

  const stopEngine = async (): Promise<void> => {
    await inProcess?.stop();
    inProcess = null;
    const running = child;
    child = null;
    if (running === null || isOver(running)) return;
    running.kill("SIGCONT");
    running.kill("SIGTERM");
    await until(() => isOver(running), 15_000, "the end of the engine").catch(() => running.kill("SIGKILL"));
  };

  const trail = async (to?: string): Promise<readonly TrailView[]> => {
    const answer = await connected().dispatch({ kind: "trail", limit: 5_000, before: null });
    if (!answer.ok) throw new Error(answer.message);
    return answer.entries.filter((entry) => to === undefined || entry.to === to).toReversed();
  };

  const agent = (name: string, recordName = name): DrillAgent => {
    const file = join(folder, "records", `${recordName}.jsonl`);
    const view = (): AgentView => {
      const found = connected()
        .snapshot()
        .agents.findLast((one) => one.name === name);
      if (found === undefined) throw new Error(`no agent ${name}`);
      return found;
    };
    const pane = (): string => {
      const row = tmux("list-panes", "-a", "-F", "#{pane_id} #{@quay_id}")
        .split("\n")
        .find((one) => one.endsWith(` ${view().id}`));
      if (row === undefined) throw new Error(`no pane of ${name}`);
      return row.split(" ")[0]!;
    };
    return {
      name,
      id: () => view().id,
      view,
      pane,
      lines: () => readLines(file),
      submissions: () => ofKind(readLines(file), "submitted").map(({ text }) => text),
      screen: () => tmux("capture-pane", "-p", "-t", pane()),
      press: (...keys) => void tmux("send-keys", "-t", pane(), ...keys),
    };
  };

  const story = async (): Promise<string> => {
    const agents = connected().snapshot().agents;
    const open = (await trail()).filter((entry) => entry.status !== "Completed").slice(0, 20);
    const screens = agents
      .filter((one) => one.exit === null)
      .map((one) => {
        try {
          return `\n${one.name}:\n${agent(one.name).screen()}`;
        } catch {
          return "";
        }
      });
    return JSON.stringify({ agents, open }, null, 1) + screens.join("");
  };

  return {
    folder,
    env,
    socket,
    client: connected,
    startEngine: async (how = "in process", stepKill) => {
      if (how === "child" || stepKill !== undefined) return startChild(stepKill);
      inProcess = await startEngine({ env, socket, insideTmux: null });
      client = inProcess.client;
    },
    screenCommand: () => `'${process.execPath}' '${program.main}' --socket ${socket}`,
    connect,
    secondEngine: async () => {
      const second = spawnEngine([program.main, "--socket", socket, "serve", "--json"], {});
      await until(() => isOver(second.process), 15_000, "the second engine's end");
      return second.said();
    },
    enginePid: () => child?.pid ?? process.pid,
    signalEngine: (signal) => void child?.kill(signal),
    untilEngineDied: async () => {
      const running = child;
      if (running !== null) await until(() => isOver(running), 30_000, "the engine's death");
    },
    stopEngine,
    tmuxPid,
    tmux,
    attachAndLeave: (times) => attachAndLeave({ env, socket, times }),
    agent,
    launch: async (name, drill = {}, recordName = name) => {
      const record = join(folder, "records", `${recordName}.jsonl`);
      const words = Object.entries(drill).map(([key, value]) => [key, String(value)] as const);
      const seat = {
        name,
        kind: "claude",
        cwd,
        args: [],
        env: { DRILL_LOG: record, DRILL_REGISTRY: "1", CLAUDE_CONFIG_DIR: claudeConfig, ...Object.fromEntries(words) },
        prompt: null,
        preset: null,
      };
      const answer = await connected().dispatch({ kind: "launch", seat });
      if (!answer.ok) throw new Error(answer.message);
      await until(
        () =>
          connected()
            .snapshot()
            .agents.some((one) => one.id === answer.seat.id && one.status !== "starting"),
        20_000,
        () => `${name} to be ready: ${JSON.stringify(connected().snapshot().agents)}`,
      );
      return agent(name, recordName);
    },
    send: async (to, text, as) => {
      const id = as === undefined ? null : agent(as).id();
      const caller = { kind: "person" as const, as: id as never, project: null };
      const answer = await connected().dispatch({ kind: "send", caller, target: to, text, wait: false, raw: true });
      if (!answer.ok) throw new Error(answer.message);
      if (answer.outcome.kind === "refused") throw new Error(JSON.stringify(answer.outcome));
    },
    trail,
    untilOver: async (deadlineMs) => {
      const left = async (): Promise<readonly TrailView[]> =>
        (await trail()).filter((entry) => entry.status === "Queued" || entry.status === "Dispatched");
      await until(async () => (await left()).length === 0, deadlineMs, "all entries to be over").catch(
        async (error: Error) => {
          throw new Error(`${error.message}: ${await story()}`);
        },
      );
    },
    story,
    books: async (of, options) => compareBooks(of.lines(), await trail(of.name), options),
    close: async () => {
      if (lastTmux !== null && isAlive(lastTmux)) process.kill(lastTmux, "SIGCONT");
      await client?.close().catch(() => {});
      await stopEngine();
      await program.end();
    },
  };
};
