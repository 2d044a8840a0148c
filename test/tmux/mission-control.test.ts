/**
 * The built `quay` on a person's terminal, from the first start on: launch from the palette, send, broadcast, jump to an
 * agent and back, resize, a lost line, a killed screen, a second login. Keys go in and rows are read through a tmux
 * that plays the terminal.
 */
import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { createQuayWorld, type QuayWorld } from "../support/quay-world.js";
import { isAlive } from "../support/tmux-server.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

const LONG_MS = 30_000;

let quay: QuayWorld;
beforeEach(() => {
  quay = createQuayWorld();
});
afterEach(() => quay.end());

/** A terminal of a person with a shell on it, in a window of a server that is no part of Quay. */
const login = (name: string, columns: number, rows: number) => {
  const server = `seat-${name}`;
  const tmux = (...args: readonly string[]): string =>
    execFileSync("tmux", ["-L", server, ...args], {
      env: { ...quay.env, TMUX: undefined },
      encoding: "utf8",
      timeout: 5_000,
    });
  const size = ["-x", String(columns), "-y", String(rows)];
  tmux("-f", "/dev/null", "new-session", "-d", ...size, "-s", "seat", "-c", `${quay.folder}/work`, "--", "sh");
  tmux("set-option", "-g", "prefix", "None");
  tmux("set-option", "-g", "status", "off");
  const type = (...keys: readonly string[]): string => tmux("send-keys", "-t", "=seat:", ...keys);
  const write = (text: string): string => tmux("send-keys", "-t", "=seat:", "-l", text);
  const shown = (): string => tmux("capture-pane", "-p", "-t", "=seat:");
  return {
    type,
    write,
    shown,
    shows: (text: string | RegExp): Promise<unknown> =>
      until(
        () => (typeof text === "string" ? shown().includes(text) : text.test(shown())),
        LONG_MS,
        () => `${text} on:\n${shown()}`,
      ),
    run: (command = `'${process.execPath}' '${quay.main}'`): void => {
      type(`unset TMUX TMUX_PANE; ${command}`, "Enter");
    },
    resize: (x: number, y: number): string => tmux("resize-window", "-t", "=seat:", "-x", String(x), "-y", String(y)),
    shellPid: (): number => Number(tmux("display-message", "-p", "-t", "=seat:", "#{pane_pid}")),
    /** Whether a program on it has the alternate screen. */
    isAlternate: (): boolean => tmux("display-message", "-p", "-t", "=seat:", "#{alternate_on}").trim() === "1",
    hangUp: (): string => tmux("kill-server"),
  };
};

/** The child of this process; the screen that a shell runs. */
const childOf = (pid: number): number | null => {
  const found = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .find(([, parent]) => parent === pid);
  return found?.[0] ?? null;
};

describe("the first ten minutes", () => {
  verifies(
    ["screen:first-minutes", "screen:launch-preset", "mission-control:send-as-you", "mission-control:broadcast-as-you"],
    "start, launch a preset from the palette, send, watch, broadcast, jump and return, leave and come back",
    async () => {
      const person = login("one", 100, 30);
      person.run();
      await person.shows("No agent yet. Ctrl+K");
      person.type("C-k");
      await person.shows("Launch tdd-swarm");
      person.write("launch demo:");
      await person.shows(/› Launch demo: /);
      person.type("Enter");
      await person.shows("reviewer: started");
      await person.shows(/idle +reviewer/);
      await person.shows("3 agents  1 shell");

      person.write("/");
      person.write("reviewer");
      person.type("Enter");
      await person.shows("Agents 1");
      person.write("m");
      await person.shows(/ Message {2}to reviewer/);
      person.write("hello");
      await person.shows("> hello");
      person.type("Enter");
      await person.shows("You → reviewer");
      await person.shows("Reply:");
      person.write("b");
      await person.shows(" Broadcast ");
      person.write("freeze");
      person.type("Enter");
      await person.shows("[Broadcast]");

      person.type("Enter");
      await person.shows("demo>");
      person.type("C-b", "d");
      await person.shows("Quay Mission Control");
      person.type("Escape");
      await person.shows("Agents 4");
      person.resize(44, 24);
      await person.shows(/^Quay {2}/);
      person.resize(120, 40);
      await person.shows("Quay Mission Control");

      person.write("q");
      await person.shows("Come back with: quay");
      expect(person.isAlternate()).toBe(false);
      expect(quay.panes()).toHaveLength(4);
      person.run();
      await person.shows("Quay Mission Control");
      await person.shows("You → reviewer");
    },
    180_000,
  );
});

describe("a screen that is lost", () => {
  verifies(
    ["screen:lost-line", "screen:killed", "screen:second-login"],
    "by a hang-up or a kill leaves agents and engine; another login comes to the same",
    async () => {
      const agent = await quay.agentIn("alpha", quay.project("project"));
      const engine = quay.enginePid()!;
      const first = login("one", 80, 24);
      first.run();
      await first.shows(/idle +alpha/);
      const second = login("two", 40, 20);
      second.run();
      await second.shows(/idle +alpha/);
      expect((await quay.run("send", "alpha", "hello")).code).toBe(0);
      await first.shows("You → alpha");
      await second.shows("You → alpha");

      const screen = childOf(first.shellPid());
      expect(screen).not.toBeNull();
      process.kill(screen!, "SIGKILL");
      await until(() => !first.isAlternate(), LONG_MS, "the normal screen");
      first.type("stty -a | tr ';' '\\n' | grep -c -- '-icanon'", "Enter");
      await first.shows(/^0$/m);
      first.run();
      await first.shows("You → alpha");

      const hung = childOf(second.shellPid());
      second.hangUp();
      await until(() => hung === null || !isAlive(hung), LONG_MS, "the end of the screen that was hung up on");
      expect(quay.enginePid()).toBe(engine);
      expect(isAlive(engine)).toBe(true);
      expect(quay.panes().map((one) => one.terminal)).toEqual([agent.id]);
      await first.shows(/idle +alpha/);
    },
    120_000,
  );
});
