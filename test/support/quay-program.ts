/**
 * The whole program, made from the sources into a folder of its own, and run as a person runs it: with its own state,
 * home and tmux folders, and nothing inherited from a tmux or a Quay around the tests.
 */
import { execFile, execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { isAlive } from "./tmux-server.js";
import { until } from "./until.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.ESNext,
  target: ts.ScriptTarget.ES2023,
  jsx: ts.JsxEmit.ReactJSX,
  verbatimModuleSyntax: true,
};

export type Ran = { readonly code: number; readonly out: string; readonly err: string };

export type QuayProgram = {
  readonly folder: string;
  readonly main: string;
  readonly env: NodeJS.ProcessEnv;
  /** Runs one command line to its end; a second one may run meanwhile. */
  run(...args: readonly string[]): Promise<Ran>;
  /** Process id that the endpoint file names; null when there is none. */
  enginePid(): number | null;
  /** Names of the tmux sockets that were made. */
  sockets(): readonly string[];
  /** Ends engine and tmux servers, and removes everything. */
  end(): Promise<void>;
};

export const createQuayProgram = (): QuayProgram => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "quay-test-")));
  compileInto(folder);
  const tmuxFolder = join(folder, "t");
  for (const name of ["t", "user", "tmp", "work"]) mkdirSync(join(folder, name), { mode: 0o700 });
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    HOME: join(folder, "user"),
    QUAY_HOME: join(folder, "home"),
    TMUX_TMPDIR: tmuxFolder,
    TMPDIR: join(folder, "tmp"),
  };
  const main = join(folder, "dist/cli/main.js");
  const sockets = (): readonly string[] => {
    try {
      return readdirSync(join(tmuxFolder, `tmux-${process.getuid?.() ?? 0}`));
    } catch {
      return [];
    }
  };
  const enginePid = (): number | null => {
    try {
      return (JSON.parse(readFileSync(join(folder, "home/endpoint.json"), "utf8")) as { pid: number }).pid;
    } catch {
      return null;
    }
  };
  return {
    folder,
    main,
    env,
    enginePid,
    sockets,
    run: (...args) =>
      new Promise((resolve) => {
        execFile(process.execPath, [main, ...args], { env, cwd: join(folder, "work") }, (error, out, err) => {
          const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
          resolve({ code, out, err });
        });
      }),
    end: async () => {
      const pid = enginePid();
      if (pid !== null && isAlive(pid)) {
        process.kill(pid, "SIGTERM");
        await until(() => !isAlive(pid), 5_000, "the engine's end").catch(() => process.kill(pid, "SIGKILL"));
      }
      for (const socket of sockets()) {
        try {
          execFileSync("tmux", ["-L", socket, "kill-server"], { env, stdio: "ignore", timeout: 5_000 });
        } catch {}
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
};

let compiled: ReadonlyMap<string, string> | null = null;

/** Each script's name and text. Compiled once for all programs of a test file: it takes seconds. */
const compileSources = (): ReadonlyMap<string, string> => {
  const scripts = new Map<string, string>();
  for (const name of readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })) {
    if (!/\.tsx?$/.test(name)) continue;
    const text = readFileSync(join(ROOT, "src", name), "utf8");
    const { outputText } = ts.transpileModule(text, { compilerOptions: OPTIONS, fileName: name });
    scripts.set(name.replace(/\.tsx?$/, ".js"), outputText);
  }
  return scripts;
};

const compileInto = (folder: string): void => {
  compiled ??= compileSources();
  for (const [name, text] of compiled) {
    const target = join(folder, "dist", name);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  cpSync(join(ROOT, "src/adapters/assets"), join(folder, "dist/adapters/assets"), { recursive: true });
  cpSync(join(ROOT, "presets"), join(folder, "presets"), { recursive: true });
  cpSync(join(ROOT, "package.json"), join(folder, "package.json"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
};
