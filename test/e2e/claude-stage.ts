/**
 * One real Claude Code, started by the adapter's own launch plan in a private tmux server, with the scripted model, a
 * stand-in for the tool server and the real spool. It reads events as the engine would: drain, interpret, take.
 */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LaunchInput, LaunchPlan, Memory } from "../../src/adapters/adapter.js";
import { claude } from "../../src/adapters/claude.js";
import { terminalId } from "../../src/bus/ids.js";
import type { Observation } from "../../src/bus/protocol.js";
import type { SpooledEvent } from "../../src/engine/ports.js";
import { createSpool } from "../../src/feeds/spool.js";
import { claudeCode, claudeFolder } from "../support/clis/claude.js";
import { programOf } from "../support/clis/programs.js";
import { createRoom } from "../support/clis/room.js";
import { type ModelServer, startModelServer } from "../support/model-server.js";
import { until } from "../support/until.js";

const assetsDir = fileURLToPath(new URL("../../src/adapters/assets", import.meta.url));
let count = 0;

export type ToolCall = { readonly name: string; readonly authorization: string; readonly toolUseId: string };

/** Enough of MCP over HTTP for one tool: initialize, tools/list, tools/call. Also takes the pokes of /events. */
const startToolServer = async () => {
  const calls: ToolCall[] = [];
  const pokes: { readonly authorization: string; readonly at: number }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const authorization = request.headers.authorization ?? "";
    if (request.url === "/events") {
      pokes.push({ authorization, at: Date.now() });
      return void response.writeHead(204).end();
    }
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    if (id === undefined) return void response.writeHead(202).end();
    const results: Record<string, () => unknown> = {
      initialize: () => ({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "quay-a2a", version: "0" },
      }),
      "tools/list": () => ({
        tools: [{ name: "quay_list_agents", description: "Lists agents", inputSchema: { type: "object" } }],
      }),
      "tools/call": () => {
        calls.push({ name: params.name, authorization, toolUseId: params._meta?.["claudecode/toolUseId"] ?? "" });
        return { content: [{ type: "text", text: "nobody else" }] };
      },
    };
    const result = results[method]?.();
    response.writeHead(200, { "content-type": "application/json" });
    const error = { code: -32601, message: `no method ${method}` };
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, calls, pokes, close };
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

export type ClaudeStage = {
  readonly model: ModelServer;
  /** Folder with the CLI's own files. */
  readonly configDir: string;
  /** Environment of the CLI. */
  readonly env: Readonly<Record<string, string>>;
  readonly tools: Awaited<ReturnType<typeof startToolServer>>;
  readonly input: LaunchInput;
  readonly plan: LaunchPlan;
  readonly events: readonly SpooledEvent[];
  readonly observations: readonly Observation[];
  readonly spoolRoot: string;
  readonly token: string;
  readonly eventSecret: string;
  readonly panePid: number;
  /** Starts the CLI again in the pane whose program ended. */
  restart(input: LaunchInput): void;
  /** Waits until the number of events of this name is at least `nth`, and returns that event. */
  event(name: string, nth?: number): Promise<SpooledEvent>;
  observed<K extends Observation["kind"]>(kind: K): readonly Extract<Observation, { readonly kind: K }>[];
  /** Pastes, waits for the echo, and presses Enter until the text has left the line. */
  type(text: string): Promise<void>;
  keys(...keys: readonly string[]): void;
  screen(): string;
  /** The first row of the composer, or the selected row of a dialog. */
  line(): string;
  /** All bytes that the pane wrote. */
  output(): string;
  close(): Promise<void>;
};

export const startClaudeStage = async (
  change: (input: LaunchInput) => LaunchInput = (input) => input,
  options: { readonly trusted: boolean } = { trusted: true },
): Promise<ClaudeStage> => {
  const model = await startModelServer();
  const tools = await startToolServer();
  const room = createRoom(model.url);
  const sandbox = claudeCode({ permissions: "ask" })(room);
  const cwd = join(room.root, "project");
  mkdirSync(cwd);
  if (options.trusted) sandbox.trust(cwd);
  const id = terminalId("trial");
  const spoolRoot = join(room.root, "spool");
  const spool = createSpool(spoolRoot);
  const token = `token-${randomUUID()}`;
  const eventSecret = `secret-${randomUUID()}`;
  const input = change({
    id,
    name: "trial",
    cwd,
    // Not the user's choice to change in real use; without it the offline model cannot pass the automatic mode.
    args: ["--permission-mode", "manual"],
    env: {},
    prompt: null,
    resume: null,
    newSession: randomUUID(),
    command: programOf("claude")[0] ?? null,
    wiring: {
      mcpUrl: `${tools.url}/mcp`,
      eventsUrl: `${tools.url}/events`,
      token,
      eventSecret,
      spoolDir: spool.prepare(id),
      assetsDir,
      bridge: true,
    },
  });
  const plan = claude.launch(input);

  count += 1;
  const socket = `quay-test-${process.pid}-${count}`;
  const env = { ...room.env, ...sandbox.env, TMUX_TMPDIR: room.root };
  const tmux = (...args: readonly string[]): string =>
    execFileSync("tmux", ["-L", socket, "-f", "/dev/null", ...args], { env, encoding: "utf8", timeout: 10_000 });
  const rawFile = join(room.root, "output.raw");
  writeFileSync(rawFile, "");
  const startOf = (one: LaunchPlan): readonly string[] => [
    "-c",
    cwd,
    ...Object.entries(one.env).flatMap(([name, value]) => ["-e", `${name}=${value}`]),
    "--",
    ...one.argv,
  ];
  const size = ["-x", "120", "-y", "40"];
  // One line: the pipe and the option are there before the program writes or ends.
  const pipe = ["pipe-pane", "-O", "-t", "t", `cat >> '${rawFile}'`];
  const keep = ["set-option", "-g", "remain-on-exit", "on"];
  tmux("new-session", "-d", "-s", "t", ...size, ...startOf(plan), ";", ...pipe, ";", ...keep);
  const pidNow = (): number => Number(tmux("display-message", "-p", "-t", "t", "#{pane_pid}"));
  let panePid = pidNow();

  const events: SpooledEvent[] = [];
  const observations: Observation[] = [];
  let memory: Memory = {};
  const read = async (): Promise<void> => {
    const drained = await spool.drain();
    for (const event of drained) {
      const meaning = claude.interpret(memory, { kind: "hook", ...event });
      memory = meaning.memory;
      events.push(event);
      observations.push(...meaning.observations);
    }
    await spool.taken(drained);
  };

  const screen = (): string => tmux("capture-pane", "-p", "-t", "t");
  const line = (): string =>
    screen()
      .split("\n")
      .findLast((row) => row.startsWith("❯")) ?? "";
  return {
    model,
    configDir: claudeFolder(room),
    env,
    tools,
    input,
    plan,
    events,
    observations,
    spoolRoot,
    token,
    eventSecret,
    get panePid() {
      return panePid;
    },
    restart(next) {
      tmux("respawn-pane", "-t", "t", "-k", ...startOf(claude.launch(next)));
      panePid = pidNow();
    },
    event: (name, nth = 1) =>
      until(
        async () => {
          await read();
          return events.filter((event) => event.event === name)[nth - 1];
        },
        40_000,
        () => `${name} (${nth}); got ${events.map((event) => event.event).join(" ")}\n${screen()}`,
      ),
    observed: <K extends Observation["kind"]>(kind: K) =>
      observations.filter((one): one is Extract<Observation, { readonly kind: K }> => one.kind === kind),
    async type(text) {
      const first = text.split("\n", 1)[0] ?? "";
      const isOnLine = (): boolean => line().includes(first) || line().includes("[Pasted text");
      tmux("set-buffer", "-b", "trial", "--", text, ";", "paste-buffer", "-p", "-r", "-d", "-b", "trial", "-t", "t");
      await until(isOnLine, 20_000, () => `the text on the line\n${screen()}`);
      let enteredAt = 0;
      // The very first Enter after the start is sometimes not taken: pressed again while the text stands on the line.
      await until(
        () => {
          if (enteredAt > 0 && !isOnLine()) return true;
          if (Date.now() - enteredAt > 1_000) {
            tmux("send-keys", "-t", "t", "Enter");
            enteredAt = Date.now();
          }
          return false;
        },
        20_000,
        () => `the line to be submitted\n${screen()}`,
      );
    },
    keys: (...keys) => void tmux("send-keys", "-t", "t", ...keys),
    screen,
    line,
    output: () => readFileSync(rawFile, "latin1"),
    async close() {
      try {
        tmux("kill-server");
      } catch {
        // it went by itself
      }
      // It still writes its files while it ends.
      await until(() => !isAlive(panePid), 10_000, "the CLI to end").catch(() => process.kill(panePid, "SIGKILL"));
      rmSync(join(room.root, `tmux-${process.getuid?.()}`, socket), { force: true });
      await spool.close();
      await tools.close();
      await model.close();
      room.remove();
    },
  };
};
