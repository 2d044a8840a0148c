/**
 * A whole Quay whose demo agents write down every byte that was typed into them: what the trail says was typed, what
 * arrived, and what stands on the screens can be held against each other.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { AgentView, TrailView } from "../../src/bus/views.js";
import { createQuayProgram, type QuayProgram } from "./quay-program.js";
import { until } from "./until.js";

const RECORDER = fileURLToPath(new URL("../fixtures/bin/record-input.mjs", import.meta.url));

export type Pane = { readonly terminal: string; readonly pane: string; readonly pid: number };
export type ToolText = { readonly text: string; readonly isError: boolean };

export type QuayWorld = QuayProgram & {
  /** One tmux command on the server that the engine works on. */
  tmux(...args: readonly string[]): string;
  port(): number;
  /** Replaces the settings file; the recorder of the demo agents stays. */
  settings(more: Readonly<Record<string, unknown>>): void;
  /** A folder of this name, the root of a working tree unless told otherwise. */
  project(name: string, git?: boolean): string;
  /** Starts a demo agent and waits until it is idle. */
  agentIn(name: string, cwd: string): Promise<AgentView>;
  agents(): Promise<readonly AgentView[]>;
  agent(name: string): Promise<AgentView>;
  /** Newest first. */
  trail(): Promise<readonly TrailView[]>;
  panes(): readonly Pane[];
  /** The environment that the terminal's program was started with. */
  environ(terminal: string): Readonly<Record<string, string>>;
  /** What the terminal was given, without the brackets of pastes. */
  received(terminal: string): string;
  /** Everything that a refused call must leave alone. */
  standing(): Promise<unknown>;
  call(token: string, tool: string, args: Readonly<Record<string, unknown>>): Promise<ToolText>;
};

export const createQuayWorld = (): QuayWorld => {
  const quay = createQuayProgram();
  const records = join(quay.folder, "records");
  const node = join(quay.folder, "recording-node");
  mkdirSync(records);
  writeFileSync(
    node,
    `#!/bin/sh\nQUAY_RECORD_IN='${records}' exec '${process.execPath}' --import '${RECORDER}' "$@"\n`,
    { mode: 0o755 },
  );
  const home = join(quay.folder, "home");
  const settings: QuayWorld["settings"] = (more) => {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const adapters = { demo: { command: node }, ...(more.adapters as object | undefined) };
    writeFileSync(join(home, "settings.json"), JSON.stringify({ ...more, adapters }), { mode: 0o600 });
  };
  settings({});

  const endpoint = (): { readonly socket: string; readonly port: number } =>
    JSON.parse(readFileSync(join(home, "endpoint.json"), "utf8"));
  let socket = "";
  const tmux: QuayWorld["tmux"] = (...args) => {
    if (existsSync(join(home, "endpoint.json"))) socket = endpoint().socket;
    return execFileSync("tmux", ["-S", socket, ...args], { env: quay.env, encoding: "utf8", timeout: 5_000 });
  };
  const json = async <T>(...args: readonly string[]): Promise<T> => {
    const ran = await quay.run(...args, "--json");
    if (ran.code !== 0) throw new Error(`quay ${args.join(" ")}: ${ran.err}`);
    return JSON.parse(ran.out) as T;
  };
  const agents: QuayWorld["agents"] = () => json("ls");
  const trail: QuayWorld["trail"] = () => json("trail", "--limit", "1000");
  const agent: QuayWorld["agent"] = async (name) => {
    const found = (await agents()).findLast((one) => one.name === name);
    if (found === undefined) throw new Error(`no agent ${name}`);
    return found;
  };
  const panes: QuayWorld["panes"] = () =>
    tmux("list-panes", "-a", "-F", "#{pane_id} #{pane_pid} #{@quay_id}")
      .split("\n")
      .map((line) => line.split(" "))
      .flatMap(([pane = "", pid = "", terminal = ""]) =>
        terminal === "" ? [] : [{ pane, pid: Number(pid), terminal }],
      );
  const received: QuayWorld["received"] = (terminal) =>
    existsSync(join(records, terminal))
      ? readFileSync(join(records, terminal), "utf8").replaceAll(/\u001b\[20[01]~/g, "")
      : "";

  return {
    ...quay,
    tmux,
    settings,
    agents,
    agent,
    trail,
    panes,
    received,
    port: () => endpoint().port,
    project: (name, git = true) => {
      const path = join(quay.folder, "work", name);
      mkdirSync(path, { recursive: true });
      if (git) execFileSync("git", ["init", "-q"], { cwd: path, env: quay.env });
      return path;
    },
    agentIn: async (name, cwd) => {
      const ran = await quay.run("new", "demo", "--name", name, "--cwd", cwd, "--", "--role", "reviewer", "--fast");
      if (ran.code !== 0) throw new Error(ran.err);
      // Known from now on, also while no engine runs.
      socket = endpoint().socket;
      return until(
        async () => {
          const now = await agent(name);
          return now.status === "idle" ? now : null;
        },
        10_000,
        `${name} being idle`,
      );
    },
    environ: (terminal) => {
      const pid = panes().find((one) => one.terminal === terminal)?.pid;
      const text = readFileSync(`/proc/${pid}/environ`, "utf8");
      return Object.fromEntries(
        text.split("\0").map((pair) => [pair.split("=", 1)[0], pair.slice(pair.indexOf("=") + 1)]),
      );
    },
    standing: async () => {
      const all = panes();
      return {
        bytes: all.map(({ terminal }) => [terminal, received(terminal)]),
        screens: all.map(({ pane }) => tmux("capture-pane", "-p", "-t", pane)),
        trail: await trail(),
        agents: await agents(),
      };
    },
    call: async (token, tool, args) => {
      const client = new Client({ name: "test", version: "1" });
      const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${endpoint().port}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      });
      await client.connect(transport as Parameters<typeof client.connect>[0]);
      try {
        const result = await client.callTool({ name: tool, arguments: { ...args } });
        const content = result.content as readonly { readonly text: string }[];
        return { text: content.map((part) => part.text).join(""), isError: result.isError === true };
      } finally {
        await client.close();
      }
    },
  };
};
