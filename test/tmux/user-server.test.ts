import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deliveryId, terminalId } from "../../src/bus/ids.js";
import type { TerminalHost } from "../../src/engine/ports.js";
import { createTmuxHost } from "../../src/tmux/host.js";
import { createTmuxServer, type TmuxServer } from "../support/tmux-server.js";
import { createTmuxPrograms, type TmuxPrograms } from "../support/tmux-world.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

const T1 = terminalId("term-1");

/** A person at a terminal, attached to this server. */
const attachPerson = (server: TmuxServer, session: string): ChildProcess => {
  const command = `stty cols 100 rows 30; exec tmux -L ${server.name} attach-session -t =${session}`;
  return spawn("script", ["-qfc", command, "/dev/null"], {
    env: { ...process.env, TERM: "xterm-256color" },
    stdio: ["pipe", "pipe", "inherit"],
  });
};

/** Names of the clients that are not control clients. */
const peopleOf = (server: TmuxServer): string =>
  server
    .run("list-clients", "-F", "#{client_control_mode} #{client_name}")
    .split("\n")
    .flatMap((line) => (line.startsWith("0 ") ? [line.slice(2)] : []))
    .join("\n");

describe("a user's server", () => {
  let server: TmuxServer;
  let programs: TmuxPrograms;
  beforeEach(() => {
    server = createTmuxServer();
    programs = createTmuxPrograms(server);
    server.startBare("mine");
  });
  afterEach(() => server.end());

  const userHost = (missionControl: readonly string[] | null = null): TerminalHost =>
    server.host({ server: { kind: "user", socketPath: server.socketPath }, missionControl });
  const keyM = (): string =>
    server
      .run("list-keys", "-T", "prefix")
      .split("\n")
      .find((line) => / prefix +M /.test(line)) ?? "";
  const options = (): string =>
    ["-s", "-g", "-gw"]
      .map((scope) => server.run("show-options", scope))
      .join("\n")
      .replace(/^@quay_epoch.*\n?/gm, "");

  verifies("hazard:user-server-as-it-was", "keeps its options, keys, sessions and buffers as they were", async () => {
    const look = () => [
      options(),
      server.run("list-keys"),
      server.run("list-buffers"),
      server.run("show-environment", "-g"),
    ];
    const before = look();
    const host = userHost(["quay"]);
    await host.start();
    await host.launch(programs.receiver(T1));
    await programs.ready(T1);
    await host.paste(T1, deliveryId("d1"), "hello");
    expect(keyM()).toContain("mission-control");
    await host.kill(T1);
    await host.stop();
    expect(look()).toEqual(before);
    expect(server.run("list-sessions", "-F", "#{session_name}").split("\n").sort()).toEqual(["mine", "quay"]);
  });

  it("leaves a key alone that the user has bound", async () => {
    server.run("bind-key", "-T", "prefix", "M", "display-message", "theirs");
    const host = userHost(["quay"]);
    await host.start();
    expect(keyM()).toContain("theirs");
    await host.stop();
    expect(keyM()).toContain("theirs");
  });

  it("takes a key that nobody bound, and leaves it free again", async () => {
    server.run("unbind-key", "-T", "prefix", "M");
    const host = userHost(["quay"]);
    await host.start();
    expect(keyM()).toContain("mission-control");
    // Taken over from an engine that was killed.
    const next = userHost(["quay"]);
    await next.start();
    await next.stop();
    expect(keyM()).toBe("");
  });

  it("does not take back a key that the user has bound meanwhile", async () => {
    const host = userHost(["quay"]);
    await host.start();
    server.run("bind-key", "-T", "prefix", "M", "display-message", "theirs");
    await host.stop();
    expect(keyM()).toContain("theirs");
  });

  verifies(
    "hazard:user-config-survives",
    "gives panes the user's TMUX, and keeps working under their odd options",
    async () => {
      const person = attachPerson(server, "mine");
      await until(() => peopleOf(server) !== "");
      for (const [scope, name, value] of [
        ["-g", "base-index", "7"],
        ["-gw", "pane-base-index", "3"],
        ["-g", "default-command", "false"],
        ["-g", "destroy-unattached", "on"],
        ["-g", "status", "off"],
        ["-gw", "remain-on-exit", "off"],
        ["-g", "renumber-windows", "on"],
        ["-gw", "automatic-rename", "on"],
      ]) {
        server.run("set-option", scope!, name!, value!);
      }
      const host = userHost();
      await host.start();
      await host.launch(programs.receiver(T1));
      await programs.ready(T1);
      expect(await host.paste(T1, deliveryId("d1"), "works")).toEqual({ kind: "pasted" });
      await until(() => programs.received(T1) === "works");
      await host.stop();
      const next = userHost();
      expect(await next.start()).toMatchObject([{ terminal: T1, dead: false }]);
      person.kill("SIGTERM");
    },
  );

  it("refuses a window-size that would crash the server", async () => {
    const host = userHost();
    await host.start();
    const pid = server.pid();
    server.run("set-option", "-g", "window-size", "manual");
    await expect(host.launch(programs.receiver(T1))).rejects.toMatchObject({ code: "window-size-manual" });
    await host.stop();
    server.run("kill-session", "-t", "=quay");
    await expect(userHost().start()).rejects.toMatchObject({ code: "window-size-manual" });
    expect(server.pid()).toBe(pid);
  });

  it("says so when the server is not there", async () => {
    const host = server.host({ server: { kind: "user", socketPath: join(server.folder, "none") } });
    await expect(host.start()).rejects.toMatchObject({ code: "tmux-gone" });
  });

  it("knows when a person is at the keyboard of a pane", async () => {
    const host = userHost();
    await host.start();
    await host.launch(programs.receiver(T1));
    await programs.ready(T1);
    expect(await host.personAt(T1)).toBe(false);
    const person = attachPerson(server, "quay");
    try {
      await until(() => peopleOf(server) !== "");
      server.run("select-window", "-t", server.run("display-message", "-p", "-t", host.paneOf(T1)!, "#{window_id}"));
      person.stdin!.write("x");
      await until(() => host.personAt(T1), 5_000, "the key");
      await until(async () => !(await host.personAt(T1)), 5_000, "the end of the typing");
    } finally {
      person.kill("SIGTERM");
    }
  });

  it("does not change the size of a person's window, and comes back after `attach -d`", async () => {
    const host = userHost();
    await host.start();
    await host.launch(programs.receiver(T1));
    await programs.ready(T1);
    const person = attachPerson(server, "quay");
    try {
      const people = () => peopleOf(server);
      await until(() => people() !== "");
      await until(
        () => server.run("display-message", "-p", "-t", "=quay:", "#{window_width}x#{window_height}") === "100x29",
      );
      server.run("detach-client", "-a", "-t", people());
      await until(async () => (await host.paste(T1, deliveryId("d1"), "back")).kind !== "unknown", 5_000, "the host");
      await until(() => server.run("list-clients").split("\n").length === 3, 5_000, "the clients");
      expect(server.run("display-message", "-p", "-t", "=quay:", "#{window_width}x#{window_height}")).toBe("100x29");
    } finally {
      person.kill("SIGTERM");
    }
  });
});

describe("Quay's own server", () => {
  let server: TmuxServer;
  beforeEach(() => {
    server = createTmuxServer();
  });
  afterEach(() => server.end());

  it("has its own configuration, and none of our secrets in its environment", async () => {
    process.env.QUAY_TOKEN = "secret-of-the-engine";
    try {
      const host = server.host();
      await host.start();
    } finally {
      delete process.env.QUAY_TOKEN;
    }
    expect(server.run("show-options", "-sv", "exit-empty")).toBe("off");
    expect(server.run("show-options", "-gv", "history-limit")).toBe("50000");
    expect(server.run("show-options", "-sv", "default-terminal")).toBe("tmux-256color");
    expect(server.run("show-environment", "-g")).not.toMatch(/secret-of-the-engine|^TMUX/m);
    expect(server.run("display-message", "-p", "-t", "=quay:", "#{window_width}x#{window_height}")).toBe("120x40");
  });

  it("keeps its environment when an engine comes from another login", async () => {
    const agent = () => server.run("show-environment", "-t", "=quay", "SSH_AUTH_SOCK");
    const before = process.env.SSH_AUTH_SOCK;
    try {
      process.env.SSH_AUTH_SOCK = "/first";
      const first = server.host();
      await first.start();
      await first.stop();
      expect(agent()).toBe("SSH_AUTH_SOCK=/first");
      process.env.SSH_AUTH_SOCK = "/second";
      await server.host().start();
      expect(agent()).toBe("SSH_AUTH_SOCK=/first");
    } finally {
      if (before === undefined) delete process.env.SSH_AUTH_SOCK;
      else process.env.SSH_AUTH_SOCK = before;
    }
  });

  verifies("mission-control:key", "opens Mission Control at prefix M, once, and shows a line to people", async () => {
    const out = join(server.folder, "opened");
    const argv = ["sh", "-c", `echo x >> "$0"; sleep 100`, out];
    const host = server.host({ missionControl: argv });
    await host.start();
    const person = attachPerson(server, "quay");
    let seen = "";
    person.stdout!.on("data", (chunk: Buffer) => {
      seen += chunk.toString("utf8");
    });
    try {
      const window = () => server.run("display-message", "-p", "-t", "=quay:", "#{window_name}");
      await until(() => seen.includes("Quay keeps this window"), 5_000, "the first window");
      person.stdin!.write("\x02M");
      await until(() => window() === "mission-control" && existsSync(out), 5_000, "Mission Control");
      server.run("select-window", "-t", "=quay:quay");
      person.stdin!.write("\x02M");
      await until(() => window() === "mission-control", 5_000, "Mission Control again");
      expect(server.run("list-windows", "-t", "=quay", "-F", "#{window_name}").split("\n")).toEqual([
        "quay",
        "mission-control",
      ]);
      await host.displayMessage("Swarm Broadcast #{pid} %H from lead");
      await until(
        () => seen.includes("Swarm Broadcast #{pid} %H from lead"),
        5_000,
        () => seen.slice(-400),
      );
      expect(await host.panes()).toEqual([]);
    } finally {
      person.kill("SIGTERM");
    }
  });

  it("says what to do when tmux is missing or too old", async () => {
    const at = {
      server: { kind: "own", name: server.name },
      tmuxSession: "quay",
      instance: "test",
      missionControl: null,
    } as const;
    const missing = createTmuxHost({ ...at, tmux: join(server.folder, "no-tmux") });
    await expect(missing.start()).rejects.toMatchObject({
      code: "tmux-missing",
      message: expect.stringContaining("Install tmux"),
    });
    const { chmodSync, writeFileSync } = await import("node:fs");
    const old = join(server.folder, "old-tmux");
    writeFileSync(old, "#!/bin/sh\necho tmux 3.1c\n");
    chmodSync(old, 0o755);
    await expect(createTmuxHost({ ...at, tmux: old }).start()).rejects.toMatchObject({
      code: "tmux-too-old",
      message: expect.stringContaining("3.1c"),
    });
    expect(() => createTmuxHost({ ...at, instance: "Not One" })).toThrow(RangeError);
  });
});
