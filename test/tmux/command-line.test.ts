/** The command line as a person runs it: real processes, a real engine, real tmux. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { AgentView } from "../../src/bus/views.js";
import { createQuayProgram, type QuayProgram } from "../support/quay-program.js";
import { isAlive } from "../support/tmux-server.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

let quay: QuayProgram;
beforeAll(() => {
  quay = createQuayProgram();
});
afterAll(() => quay.end());

const agents = async (): Promise<readonly AgentView[]> => JSON.parse((await quay.run("ls", "--json")).out);
const live = async () => (await agents()).filter((agent) => agent.exit === null).map((agent) => agent.name);

/** The tmux that the person sits in, beside Quay's own. */
const person = (...args: readonly string[]): string =>
  execFileSync("tmux", ["-L", "person", "-f", "/dev/null", ...args], {
    env: quay.env,
    encoding: "utf8",
    timeout: 5_000,
  });

/** Fields after the command's name in /proc/PID/stat: state, parent, group, session. */
const sessionOf = (pid: number): number =>
  Number(
    readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ")[3],
  );

describe("quay", () => {
  verifies(
    ["engine:started-on-demand", "stop:agents-go-on", "store:read-without-engine", "restart:readopts"],
    "new starts an engine, stop leaves the agent, ls reads the store, the next engine takes it up",
    async () => {
      expect(await quay.run("ls")).toMatchObject({ code: 3, err: expect.stringContaining("No engine is running") });
      const started = await quay.run("new", "shell", "--name", "one");
      expect(started).toMatchObject({ code: 0, out: expect.stringContaining("one (shell): started as ") });
      const first = quay.enginePid()!;
      expect(sessionOf(first)).toBe(first);
      expect(await live()).toEqual(["one"]);

      expect(await quay.run("stop")).toMatchObject({
        code: 0,
        out: expect.stringContaining("No agent is running."),
      });
      await until(() => !isAlive(first), 5_000, "the engine's end");
      const stored = await quay.run("ls", "--json");
      expect(stored.err).toContain("this is the stored state");
      expect(JSON.parse(stored.out)).toMatchObject([{ name: "one", stale: true, exit: null }]);

      await quay.run("new", "shell", "--name", "two");
      expect(quay.enginePid()).not.toBe(first);
      expect(await live()).toEqual(["one", "two"]);
    },
    60_000,
  );

  verifies(
    "down:confirms",
    "a second engine and a wrong socket are refused; down asks, and --yes ends the agents",
    async () => {
      const second = await quay.run("serve");
      expect(second).toMatchObject({ code: 1, err: expect.stringContaining(`process ${quay.enginePid()}`) });
      expect((await quay.run("--socket", "other", "ls")).code).toBe(1);
      expect((await quay.run("send", "one", "hello")).err).toContain("is a shell terminal, not a peer");
      expect((await quay.run("down", "--all")).code).toBe(2);
      expect(await live()).toEqual(["one", "two"]);
      expect((await quay.run("down", "--all", "--yes")).code).toBe(0);
      await until(async () => (await live()).length === 0, 5_000, "the end of the agents");
      expect((await quay.run("forget", "one")).code).toBe(0);
      expect((await agents()).map((agent) => agent.name)).toEqual(["two"]);
      expect((await quay.run("stop")).out).toContain("No agent is running.");
    },
    60_000,
  );

  verifies(
    "hazard:lost-client-ends-nothing",
    "the agents and an engine outlive the screen, left by q or lost with its terminal",
    async () => {
      const shown = (): string => person("capture-pane", "-p", "-t", "=person:");
      const sits = async (text: string) =>
        until(
          () => shown().includes(text),
          15_000,
          () => `${text} in:\n${shown()}`,
        );
      const begin = (): string => person("new-session", "-d", "-s", "person", "-x", "110", "-y", "24", "--", "sh");
      const type = (...keys: readonly string[]): string => person("send-keys", "-t", "=person:", ...keys);

      begin();
      type(`unset TMUX TMUX_PANE; '${process.execPath}' '${quay.main}'`, "Enter");
      await sits("Quay Mission Control");
      const beside = quay.enginePid()!;
      await quay.run("new", "shell", "--name", "stays");
      await sits("stays");
      type("q");
      await sits("The engine runs without a screen. No agent is running.");
      const alone = quay.enginePid()!;
      expect(alone).not.toBe(beside);
      expect(await live()).toEqual(["stays"]);
      expect((await quay.run("stop")).code).toBe(0);

      type("clear", "Enter");
      type(`'${process.execPath}' '${quay.main}'`, "Enter");
      await until(() => quay.enginePid() !== null && quay.enginePid() !== alone, 15_000, "the third engine");
      await sits("stays");
      const third = quay.enginePid()!;
      person("kill-session", "-t", "=person");
      expect(await live()).toEqual(["stays"]);
      expect(quay.enginePid()).toBe(third);
      expect(isAlive(third)).toBe(true);
      expect((await quay.run("down", "--all", "--yes")).code).toBe(0);
      expect((await quay.run("stop")).code).toBe(0);
      await until(() => !isAlive(third), 5_000, "the engine's end");
    },
    90_000,
  );

  verifies(
    "package:demo-ships",
    "demo plays the relay to RELAY DONE and leaves nothing behind",
    async () => {
      const before = quay.sockets();
      const { code, out, err } = await quay.run("demo");
      expect(err).not.toContain("failed");
      expect(code).toBe(0);
      expect(out).toMatch(/Completed .*feature-impl → test-architect: GREEN {2}Answer: .*RELAY DONE\n/);
      expect(quay.sockets()).toEqual(before);
      expect(readdirSync(join(quay.folder, "tmp"))).toEqual([]);
    },
    90_000,
  );
});
