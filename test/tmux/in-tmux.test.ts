/** Quay in the tmux that a person sits in, and on its own server with a person attached: keys, words, what is left behind. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { createQuayWorld, type QuayWorld } from "../support/quay-world.js";
import { isAlive } from "../support/tmux-server.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

let quay: QuayWorld;
beforeEach(() => {
  quay = createQuayWorld();
});
afterEach(() => quay.end());

const tmux = (server: string, ...args: readonly string[]): string =>
  execFileSync("tmux", ["-L", server, ...args], {
    env: { ...quay.env, TMUX: undefined },
    encoding: "utf8",
    timeout: 5_000,
  });

/** A terminal of a person, on which this command runs: what it shows, and keys for it. */
const seat = (command: string, who = "seat") => {
  tmux("seat", "-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "24", "-s", who, "--", "sh");
  tmux("seat", "set-option", "-g", "prefix", "None");
  const type = (...keys: readonly string[]): string => tmux("seat", "send-keys", "-t", `=${who}:`, ...keys);
  type(`unset TMUX TMUX_PANE; exec ${command}`, "Enter");
  const shown = (): string => tmux("seat", "capture-pane", "-p", "-t", `=${who}:`);
  const shows = (text: string): Promise<unknown> =>
    until(
      () => shown().includes(text),
      15_000,
      () => `${text} on:\n${shown()}`,
    );
  return { type, shown, shows };
};

describe("in a person's tmux", () => {
  const everything = (): readonly string[] =>
    [
      ["show-options", "-s"],
      ["show-options", "-g"],
      ["show-options", "-gw"],
      ["show-hooks", "-g"],
      ["list-keys"],
      ["list-buffers"],
      ["show-environment", "-g"],
      ["show-options", "-t", "=mine:"],
      ["list-panes", "-s", "-t", "=mine:", "-F", "#{window_id} #{pane_id} #{pane_width}x#{pane_height}"],
      // The epoch of the fence outlives the engine: it is what stops a killed one's last line.
    ].map((words) => tmux("mine", ...words).replace(/^@quay_epoch.*\n/gm, ""));

  verifies(
    [
      "hazard:user-server-as-it-was",
      "mission-control:key",
      "mission-control:closed-by-esc",
      "toast:own-server-only",
      "hazard:no-token-in-argv-or-log",
    ],
    "agents come as windows of a session quay; options, keys and words of the person are as before once it is stopped",
    async () => {
      const config = join(quay.folder, "mine.conf");
      writeFileSync(
        config,
        "set -g base-index 1\nset -g mouse on\nset -g message-limit 500\nset -g default-command sh\n",
      );
      tmux("mine", "-f", config, "new-session", "-d", "-s", "mine", "-x", "100", "-y", "23");
      const person = seat("tmux -L mine attach-session -t =mine");
      await person.shows("[mine]");
      const before = everything();
      quay.env.TMUX = tmux("mine", "display-message", "-p", "#{socket_path},#{pid},0").trim();
      const project = quay.project("project");
      const agent = await quay.agentIn("alpha", project);
      expect(quay.sockets().toSorted()).toEqual(["mine", "seat"]);
      expect(tmux("mine", "list-windows", "-t", "=quay:", "-F", "#{window_name}").split("\n")).toContain("alpha");

      expect((await quay.run("send", "--wait", "alpha", "hello")).code).toBe(0);
      const log = tmux("mine", "show-messages");
      expect(log).not.toContain("Message from");
      for (const name of ["QUAY_TOKEN", "QUAY_EVENTS_SECRET"]) {
        expect([name, log.includes(quay.environ(agent.id)[name] ?? "unset")]).toEqual([name, false]);
      }
      expect(person.shown()).not.toContain("Message from");

      person.type("C-b", "M");
      await person.shows("Quay Mission Control");
      await person.shows("alpha");
      const other = seat("tmux -L mine attach-session -t =quay", "other");
      await other.shows("Quay Mission Control");
      for (const key of ["q", "Escape"]) {
        person.type(key);
        await person.shows("[mine]");
        // Nobody else's screen is ended by it.
        expect(other.shown()).toContain("Quay Mission Control");
        person.type("C-b", "M");
        await person.shows("Quay Mission Control");
      }
      expect(tmux("mine", "show-options", "-t", "=mine:")).not.toContain("@quay");
      expect((await quay.run("stop")).code).toBe(0);
      await until(() => !tmux("mine", "list-windows", "-a").includes("mission-control"), 15_000, "the screen's end");
      expect(everything()).toEqual(before);
      expect(quay.panes().map((one) => one.terminal)).toEqual([agent.id]);
    },
    90_000,
  );
});

describe("on Quay's own server", () => {
  verifies(
    ["mission-control:key", "mission-control:closed-by-esc", "toast:own-server-only", "engine:started-on-demand"],
    "a toast is seen in an agent's terminal; prefix M shows Mission Control, also when no engine runs",
    async () => {
      await quay.agentIn("alpha", quay.project("project"));
      await quay.agentIn("beta", join(quay.folder, "work/project"));
      const person = seat(`'${process.execPath}' '${quay.main}' attach alpha`);
      await person.shows("demo>");
      expect((await quay.run("send", "beta", "hello")).code).toBe(0);
      await person.shows("Message from You to beta");
      person.type("C-b", "M");
      await person.shows("Quay Mission Control");
      await person.shows("alpha");
      // It was pressed in a window beside it.
      person.type("q");
      await person.shows("demo>");
      person.type("C-b", "M");
      await person.shows("Quay Mission Control");
      const first = quay.enginePid()!;
      expect((await quay.run("stop")).code).toBe(0);
      await until(() => !isAlive(first), 5_000, "the engine's end");
      await until(() => !quay.tmux("list-windows", "-a").includes("mission-control"), 15_000, "the screen's end");
      person.type("C-b", "M");
      await person.shows("Quay Mission Control");
      await person.shows("beta");
      const second = await until(() => quay.enginePid(), 10_000, "an engine");
      expect(second).not.toBe(first);
      // It is the engine of this state folder, on its own server, with its agents.
      expect((await quay.run("send", "--wait", "alpha", "hello")).code).toBe(0);
    },
    90_000,
  );
});
