/** The doctor on a real machine: real tmux servers, programs on PATH, a state folder, an engine. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { testedVersions } from "../../src/adapters/tested-versions.js";
import { createQuayProgram, type QuayProgram } from "../support/quay-program.js";
import { isAlive } from "../support/tmux-server.js";
import { until } from "../support/until.js";

type Said = { readonly check: string; readonly state: string; readonly what: string; readonly advice: string | null };

let quay: QuayProgram;
let bin: string;
beforeAll(() => {
  quay = createQuayProgram();
  bin = join(quay.folder, "bin");
  mkdirSync(bin);
  quay.env.PATH = `${bin}:${quay.env.PATH}`;
});
afterAll(() => quay.end());

const tmux = (...args: readonly string[]): string =>
  execFileSync("tmux", ["-f", "/dev/null", ...args], {
    env: quay.env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 5_000,
  });
afterEach(() => {
  try {
    tmux("kill-server");
  } catch {}
});

const program = (name: string, script: string): void =>
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

const examine = async (): Promise<{
  readonly code: number;
  readonly all: readonly Said[];
  of(check: string): Said;
}> => {
  const { code, out, err } = await quay.run("doctor", "--json");
  if (out === "") throw new Error(err);
  const all: readonly Said[] = JSON.parse(out).findings;
  return {
    code,
    all,
    of: (check) => {
      const found = all.find((one) => one.check === check);
      if (found === undefined) throw new Error(`no finding ${check} in ${JSON.stringify(all)}`);
      return found;
    },
  };
};

describe("quay doctor on a real machine", () => {
  test("needs no engine and leaves no trace", async () => {
    const { of } = await examine();
    expect(of("engine.running")).toMatchObject({ state: "ok", what: expect.stringContaining("No engine is running") });
    expect(of("tmux.installed")).toMatchObject({ state: "ok" });
    expect(of("cli.claude")).toMatchObject({ state: "warning", what: expect.stringContaining("not there") });
    expect(existsSync(join(quay.folder, "home"))).toBe(false);
    expect(quay.sockets()).toEqual([]);
  });

  test("reads options and hooks of the person's server, and changes none", async () => {
    tmux("new-session", "-d", "-s", "mine", "sleep", "1000");
    tmux("set-hook", "-g", "after-set-option", 'run-shell "sleep 0"');
    tmux("set-option", "-gw", "window-size", "manual");
    const before = [tmux("show-options", "-g"), tmux("show-options", "-s"), tmux("show-hooks", "-g")];
    const { code, all, of } = await examine();
    expect([tmux("show-options", "-g"), tmux("show-options", "-s"), tmux("show-hooks", "-g")]).toEqual(before);
    expect(of("tmux.waiting-hooks").what).toContain("after-set-option");
    const version = execFileSync("tmux", ["-V"], { encoding: "utf8" });
    const bites = /^tmux 3\.[3-6]/.test(version);
    expect(all.some(({ check }) => check === "tmux.window-size-manual")).toBe(bites);
    expect(code).toBe(bites ? 1 : 0);
  });

  test("knows a CLI's version, a tested one from others, and kills one that hangs with its children", async () => {
    program("claude", 'echo "2.1.332 (Claude Code)"');
    expect((await examine()).of("cli.claude")).toMatchObject({ state: "ok", what: expect.stringContaining("2.1.332") });
    program("claude", `echo "$@" >> ${quay.folder}/asked; echo "9.9.9"`);
    expect((await examine()).of("cli.claude")).toMatchObject({
      state: "warning",
      what: expect.stringContaining("9.9.9"),
    });
    expect(readFileSync(join(quay.folder, "asked"), "utf8")).toBe("--version\n");
    program("claude", `sleep 600 & echo $! > ${quay.folder}/child; sleep 600`);
    expect((await examine()).of("cli.claude")).toMatchObject({ what: expect.stringContaining("no answer within 5 s") });
    const child = Number(readFileSync(join(quay.folder, "child"), "utf8"));
    await until(() => !isAlive(child), 2_000, "the child's end");
    program("claude", 'echo "2.1.332 (Claude Code)"');
  });

  test("looks for every CLI that the tests drive; one that is missing beside others is no fault", async () => {
    program("gemini", 'echo "0.61.0"');
    program("copilot", 'echo "GitHub Copilot CLI 1.0.102."; echo "Run copilot update to check for updates."');
    program("pi", 'echo "1.6.1"');
    const { all, of } = await examine();
    expect(all.flatMap(({ check }) => (/^cli\.[a-z]+$/.test(check) ? [check.slice(4)] : []))).toEqual(
      Object.keys(testedVersions),
    );
    for (const kind of ["gemini", "copilot"]) expect(of(`cli.${kind}`).what).toMatch(/, a tested version\.$/);
    expect(of("cli.pi")).toMatchObject({ state: "warning", what: expect.stringContaining("1.6.1") });
    expect(of("cli.opencode")).toMatchObject({ state: "ok", what: expect.stringContaining("not there") });
  });

  test("names the setting that switches hooks off", async () => {
    const settings = join(quay.folder, "user/.claude/settings.json");
    mkdirSync(join(settings, ".."), { recursive: true });
    writeFileSync(settings, JSON.stringify({ disableAllHooks: true }));
    expect((await examine()).of("cli.claude.hooks").what).toContain(`disableAllHooks in ${settings}`);
    rmSync(settings);
  });

  test("asks a running engine, finds its port taken without it, and what others may read", async () => {
    expect((await quay.run("new", "shell", "--name", "sh")).code).toBe(0);
    const running = await examine();
    expect(running.of("engine.running")).toMatchObject({ state: "ok", what: expect.stringContaining("answers at") });
    expect(running.of("engine.reporter").state).toBe("ok");
    expect(running.of("state.rights").state).toBe("ok");
    const home = join(quay.folder, "home");
    const { port } = JSON.parse(readFileSync(join(home, "endpoint.json"), "utf8")) as { readonly port: number };
    const pid = quay.enginePid()!;
    await quay.run("down", "--all", "--yes");
    await quay.run("stop");
    await until(() => !isAlive(pid), 5_000, "the engine's end");
    const other = createServer();
    await new Promise<void>((ready) => other.listen(port, "127.0.0.1", ready));
    chmodSync(join(home, "owner-token"), 0o644);
    const after = await examine();
    expect(after.of("engine.port")).toMatchObject({ state: "problem", what: expect.stringContaining(String(port)) });
    expect(after.of("state.rights")).toMatchObject({ state: "problem", what: expect.stringContaining("owner-token") });
    expect(after.code).toBe(1);
    await new Promise((closed) => other.close(closed));
    chmodSync(join(home, "owner-token"), 0o600);
    expect((await examine()).of("engine.port").state).toBe("ok");
  });

  test("settings that cannot be used are a finding, and nothing else goes unseen", async () => {
    writeFileSync(join(quay.folder, "home/settings.json"), '{ "prot": 1 }', { mode: 0o600 });
    const { code, of } = await examine();
    expect(of("state.settings")).toMatchObject({ state: "problem", what: expect.stringContaining('"prot"') });
    expect(of("tmux.installed").state).toBe("ok");
    expect(code).toBe(1);
    rmSync(join(quay.folder, "home/settings.json"));
  });
});
