import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { terminalId } from "../../src/bus/ids.js";
import type { HostEvent, TerminalHost } from "../../src/engine/ports.js";
import { createTmuxServer, type TmuxServer } from "../support/tmux-server.js";
import { createTmuxPrograms, type TmuxPrograms } from "../support/tmux-world.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

const T1 = terminalId("term-1");
const ODD = ["#{pid}", "#(touch canary)", "%H %d", "; kill-server", "-x", 'it\'s "odd" $HOME ~', "語 é", "a=b"];

describe("launching on tmux", () => {
  let server: TmuxServer;
  let programs: TmuxPrograms;
  let host: TerminalHost;
  let events: HostEvent[];

  beforeEach(async () => {
    server = createTmuxServer();
    programs = createTmuxPrograms(server);
    host = server.host();
    events = [];
    host.on((event) => events.push(event));
    await host.start();
  });
  afterEach(() => server.end());

  const printed = async (file: string): Promise<string> => {
    const path = join(server.folder, file);
    await until(() => existsSync(path) && readFileSync(path, "utf8").endsWith("\n"), 5_000, file);
    return readFileSync(path, "utf8");
  };

  it("runs in folders and under names that tmux would expand", async () => {
    for (const [at, odd] of ODD.entries()) {
      const cwd = join(server.folder, odd);
      mkdirSync(cwd);
      const out = join(server.folder, `out-${at}`);
      const script = `pwd -P > "$0"; sleep 100`;
      await host.launch(programs.plan(`t${at}`, ["sh", "-c", script, out], { cwd, name: odd }));
      expect(await printed(`out-${at}`)).toBe(`${realpathSync(cwd)}\n`);
    }
    const names = server.run("list-windows", "-t", "=quay", "-F", "#{window_name}").split("\n").slice(1);
    expect(names).toEqual(ODD);
    expect(existsSync(join(server.folder, "canary"))).toBe(false);
    expect(existsSync("canary")).toBe(false);
  });

  it("passes argv and environment on word for word, and takes variables out", async () => {
    const words = ["", "a b", "#{pid}", ";", "\\;", "$(x)", "'", '"', "-n", "~", "new\nline", "語"];
    const out = join(server.folder, "words");
    await host.launch(
      programs.plan(
        T1,
        [
          "sh",
          "-c",
          'f=$1; shift; for w; do printf "<%s>" "$w"; done > "$f"; echo >> "$f"; env > "$f.env"; echo end >> "$f.env"; sleep 100',
          "sh",
          out,
          ...words,
        ],
        {
          env: { SECRET: "a;b #{pid} $HOME 'q'", DROP_ME: "here" },
          unsetEnv: ["DROP_ME"],
        },
      ),
    );
    expect(await printed("words")).toBe(`${words.map((text) => `<${text}>`).join("")}\n`);
    await until(() => existsSync(`${out}.env`) && readFileSync(`${out}.env`, "utf8").endsWith("end\n"));
    const env = readFileSync(`${out}.env`, "utf8").split("\n");
    expect(env).toContain("SECRET=a;b #{pid} $HOME 'q'");
    expect(env.some((line) => line.startsWith("DROP_ME="))).toBe(false);
    expect(env.some((line) => line.startsWith("TMUX="))).toBe(false);
    expect(env).toContain(`TMUX_PANE=${host.paneOf(T1)}`);
  });

  it("runs a program whose path looks like a variable", async () => {
    const folder = join(server.folder, "a=b");
    mkdirSync(folder);
    symlinkSync("/bin/sh", join(folder, "sh"));
    const out = join(server.folder, "ran");
    await host.launch(programs.plan(T1, [join(folder, "sh"), "-c", `echo yes > "$0"`, out]));
    expect(await printed("ran")).toBe("yes\n");
  });

  it("looks for the program on the PATH that the pane will have", async () => {
    const launch = host.launch(programs.plan(T1, ["sh"], { env: { PATH: join(server.folder, "empty") } }));
    await expect(launch).rejects.toMatchObject({ code: "no-program", message: expect.stringContaining('"sh"') });
    const relative = host.launch(programs.plan(T1, ["./sh"]));
    await expect(relative).rejects.toMatchObject({ code: "no-program" });
    symlinkSync("/bin/sh", join(server.folder, "sh"));
    await host.launch(programs.plan(T1, ["./sh", "-c", "sleep 100"]));
    expect(await host.panes()).toHaveLength(1);
  });

  verifies(
    "hazard:dead-pane-listed-alive",
    "keeps thirty programs that end at once, each with its status",
    async () => {
      const ids = Array.from({ length: 30 }, (_, at) => terminalId(`t${at}`));
      await Promise.all(ids.map((id, at) => host.launch(programs.ending(id, at))));
      const exits = () => events.filter((event) => event.kind === "exited");
      await until(
        () => exits().length === ids.length,
        10_000,
        () => `${exits().length} exits`,
      );
      expect(new Map(exits().map((exit) => [exit.terminal, exit.status]))).toEqual(
        new Map(ids.map((id, at) => [id, at])),
      );
      expect(await host.panes()).toHaveLength(ids.length);
    },
  );

  it("tells the signal that ended a program", async () => {
    await host.launch(programs.plan(T1, ["sh", "-c", "kill -TERM $$"]));
    const exit = await until(() => events.find((event) => event.kind === "exited"));
    expect(exit).toMatchObject({ terminal: T1, status: null, signal: 15 });
  });

  it("tells that a person closed a pane", async () => {
    await host.launch(programs.receiver(T1));
    server.run("kill-pane", "-t", host.paneOf(T1)!);
    const exit = await until(() => events.find((event) => event.kind === "exited"), 2_000);
    expect(exit).toMatchObject({ terminal: T1, why: "its pane was closed" });
  });

  it("leaves nothing of a launch that tmux did not answer", async () => {
    const pid = server.pid()!;
    const launch = host.launch(programs.receiver(T1)).catch((error: { code?: string }) => error.code);
    process.kill(pid, "SIGSTOP");
    try {
      expect(await launch).toBe("tmux-unreachable");
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await until(() => events.some((event) => event.kind === "reachable" && event.reachable), 10_000, "tmux");
    await until(() => server.run("list-panes", "-a").split("\n").length === 1, 5_000, "the removal");
    expect(await host.panes()).toEqual([]);
    expect(events.some((event) => event.kind === "exited")).toBe(false);
  });

  it("follows a pane that a person moved to another session", async () => {
    await host.launch(programs.plan(T1, ["sh", "-c", "while :; do echo tick; sleep 0.1; done"]));
    server.run("new-session", "-d", "-s", "mine", "sleep 100");
    server.run("join-pane", "-d", "-s", host.paneOf(T1)!, "-t", "=mine:");
    await until(() => events.some((event) => event.kind === "gap" && event.terminal === T1), 5_000, "the gap");
    const before = events.length;
    await until(() => events.slice(before).some((event) => event.kind === "output"), 5_000, "output");
    expect(await host.panes()).toMatchObject([{ terminal: T1, dead: false }]);
  });

  it("does not start a second pane for a terminal", async () => {
    await host.launch(programs.receiver(T1));
    await expect(host.launch(programs.receiver(T1))).rejects.toThrow(RangeError);
  });

  it("names the command that shows a terminal", async () => {
    await host.launch(programs.receiver(T1));
    const window = server.run("display-message", "-p", "-t", host.paneOf(T1)!, "#{window_id}");
    expect(host.attachCommand(T1, null)).toEqual({
      argv: ["tmux", "-L", server.name, "select-window", "-t", window, ";", "attach-session", "-t", "=quay"],
      unsetEnv: ["TMUX", "TMUX_PANE"],
    });
    expect(host.attachCommand(T1, server.socketPath)).toEqual({
      argv: ["tmux", "-S", server.socketPath, "select-window", "-t", window, ";", "switch-client", "-t", "=quay"],
      unsetEnv: [],
    });
  });
});
