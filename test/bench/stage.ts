/**
 * A place of a benchmark's own: state folder, home, tmux folder, settings that start the fixture in the place of Claude
 * Code, and the socket on which the fixtures report. Everything goes with `close`.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SeatRequest } from "../../src/engine/client.js";
import { until } from "../support/until.js";
import type { AgentOrder, AgentReport } from "./agent-words.js";

const HERE = fileURLToPath(new URL(".", import.meta.url));
export const MAIN = fileURLToPath(new URL("../../src/cli/main.js", import.meta.url));

export type Role = "agent" | "idle" | "printer";

export type Stage = {
  readonly folder: string;
  readonly work: string;
  readonly env: NodeJS.ProcessEnv;
  /** The program that takes Claude Code's place; its role is in the environment. */
  readonly program: string;
  agentEnv(name: string, role?: Role): Readonly<Record<string, string>>;
  seat(name: string, role?: Role, more?: Readonly<Record<string, string>>): SeatRequest;
  /** Resolves with the next report of this kind by this agent that came after the call. */
  next<K extends AgentReport["kind"]>(name: string, kind: K): Promise<Extract<AgentReport, { kind: K }>>;
  hello(name: string): Promise<Extract<AgentReport, { kind: "hello" }>>;
  order(name: string, order: AgentOrder): void;
  close(): Promise<void>;
};

export const openStage = async (): Promise<Stage> => {
  const folder = mkdtempSync(join(process.env.QUAY_BENCH_SCRATCH ?? "/tmp", "stage-"));
  for (const name of ["t", "user", "tmp", "work", "home"]) mkdirSync(join(folder, name), { mode: 0o700 });
  const program = join(folder, "claude");
  const lines = [
    "#!/bin/sh",
    'case "$QUAY_BENCH_ROLE" in',
    `idle) exec '${HERE}idle-agent.sh' ;;`,
    `printer) exec '${HERE}printing-agent.sh' ;;`,
    `*) exec '${process.execPath}' '${HERE}agent.js' ;;`,
    "esac",
  ];
  writeFileSync(program, `${lines.join("\n")}\n`);
  chmodSync(program, 0o755);
  writeFileSync(join(folder, "home/settings.json"), JSON.stringify({ adapters: { claude: { command: program } } }), {
    mode: 0o600,
  });
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    HOME: join(folder, "user"),
    QUAY_HOME: join(folder, "home"),
    TMUX_TMPDIR: join(folder, "t"),
    TMPDIR: join(folder, "tmp"),
  };
  const socket = join(folder, "s");
  const links = new Map<string, Socket>();
  const hellos = new Map<string, Extract<AgentReport, { kind: "hello" }>>();
  const waiters = new Set<(report: AgentReport) => void>();

  const take = (report: AgentReport, link: Socket): void => {
    if (report.kind === "hello") {
      links.set(report.name, link);
      hellos.set(report.name, report);
    }
    for (const waiter of [...waiters]) waiter(report);
  };
  const server = createServer((link) => {
    let text = "";
    link.setEncoding("utf8");
    link.on("error", () => {});
    link.on("data", (chunk: string) => {
      text += chunk;
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
        take(JSON.parse(text.slice(0, end)) as AgentReport, link);
        text = text.slice(end + 1);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));

  const agentEnv: Stage["agentEnv"] = (name, role = "agent") => ({
    QUAY_BENCH_NAME: name,
    QUAY_BENCH_ROLE: role,
    QUAY_BENCH_SOCKET: socket,
  });

  return {
    folder,
    work: join(folder, "work"),
    env,
    program,
    agentEnv,
    seat: (name, role = "agent", more = {}) => ({
      name,
      kind: "claude",
      cwd: join(folder, "work"),
      args: [],
      env: { ...agentEnv(name, role), ...more },
      prompt: null,
      preset: null,
    }),
    next: (name, kind) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          waiters.delete(hear);
          reject(new Error(`no "${kind}" of ${name} within 30 s`));
        }, 30_000);
        const hear = (report: AgentReport): void => {
          if (report.kind !== kind || report.name !== name) return;
          waiters.delete(hear);
          clearTimeout(late);
          resolve(report as never);
        };
        waiters.add(hear);
      }),
    hello: (name) => until(() => hellos.get(name), 30_000, `the start of ${name}`),
    order: (name, order) => void links.get(name)?.write(`${JSON.stringify(order)}\n`),
    close: async () => {
      const sockets = join(folder, `t/tmux-${process.getuid?.() ?? 0}`);
      let names: readonly string[] = [];
      try {
        names = readdirSync(sockets);
      } catch {}
      for (const name of names) {
        try {
          execFileSync("tmux", ["-L", name, "kill-server"], { env, stdio: "ignore", timeout: 10_000 });
        } catch {}
      }
      for (const link of links.values()) link.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
};
