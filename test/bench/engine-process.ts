/** An engine in a process of its own, as `quay serve` starts it, so that the kernel counts what it uses. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Snapshot } from "../../src/bus/views.js";
import type { Answer, Command } from "../../src/engine/client.js";
import { isAlive } from "../support/tmux-server.js";
import { until } from "../support/until.js";
import { monotonic } from "./clock.js";
import { childrenOf } from "./processes.js";
import { MAIN, type Role, type Stage } from "./stage.js";

export type ServedEngine = {
  readonly pid: number;
  /** From the spawn until it said that it is ready, ms. */
  readonly readyMs: number;
  readonly tmuxPid: number;
  readonly socket: string;
  /** Its tmux clients. */
  helpers(): readonly number[];
  ask<C extends Command>(command: C): Promise<Answer<C["kind"]>>;
  snapshot(): Promise<Snapshot>;
  /** Launches agents and waits until all are idle. */
  launchAll(names: readonly string[], role: Role, more?: Readonly<Record<string, string>>): Promise<void>;
  stop(): Promise<void>;
};

type Endpoint = { readonly pid: number; readonly url: string; readonly socket: string };

const readEndpoint = (stage: Stage): Endpoint | null => {
  const file = join(stage.folder, "home/endpoint.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Endpoint) : null;
};

/** Speaks to an engine that runs already, such as that of a Mission Control. */
export const reachEngine = async (stage: Stage, readyMs: number): Promise<ServedEngine> => {
  const endpoint = await until(() => readEndpoint(stage), 30_000, "the engine's address");
  const token = readFileSync(join(stage.folder, "home/owner-token"), "utf8").trim();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const socket = endpoint.socket;
  const tmuxPid = Number(
    execFileSync("tmux", ["-S", socket, "display-message", "-p", "#{pid}"], { env: stage.env, encoding: "utf8" }),
  );
  const ask: ServedEngine["ask"] = async (command) => {
    const response = await fetch(`${endpoint.url}/api/command`, {
      method: "POST",
      headers,
      body: JSON.stringify(command),
    });
    return (await response.json()) as never;
  };
  const snapshot = async (): Promise<Snapshot> =>
    (await (await fetch(`${endpoint.url}/api/snapshot`, { headers })).json()) as Snapshot;
  return {
    pid: endpoint.pid,
    readyMs,
    tmuxPid,
    socket,
    helpers: () => childrenOf(endpoint.pid),
    ask,
    snapshot,
    launchAll: async (names, role, more = {}) => {
      for (const name of names) {
        const started = await ask({ kind: "launch", seat: stage.seat(name, role, more) });
        if (!started.ok) throw new Error(started.message);
      }
      const areIdle = async (): Promise<boolean> => {
        const { agents } = await snapshot();
        return names.every((name) => agents.some((agent) => agent.name === name && agent.status === "idle"));
      };
      await until(areIdle, 120_000, `${names.length} agents to be idle`);
    },
    stop: async () => {
      process.kill(endpoint.pid, "SIGTERM");
      await until(() => !isAlive(endpoint.pid), 15_000, "the engine's end");
    },
  };
};

/** Starts `quay serve --json` and waits for its word. `node`: further arguments of Node. */
export const serveEngine = async (stage: Stage): Promise<ServedEngine> => {
  const start = monotonic();
  const child: ChildProcess = spawn(process.execPath, [MAIN, "serve", "--json"], {
    env: stage.env,
    cwd: stage.work,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const readyMs = await new Promise<number>((resolve, reject) => {
    let out = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      out += chunk.toString("utf8");
      if (!out.includes("\n")) return;
      if (out.includes('"ready":true')) resolve(monotonic() - start);
      else reject(new Error(`the engine did not start: ${out}`));
    });
    child.once("exit", (code) => reject(new Error(`the engine ended with ${code}: ${out}`)));
  });
  return reachEngine(stage, readyMs);
};
