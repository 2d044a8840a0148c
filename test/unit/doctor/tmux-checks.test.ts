import { describe, expect, test } from "vitest";
import { checkServer, checkTmux } from "../../../src/doctor/tmux-checks.js";
import { goodFacts, goodServer } from "../../support/doctor-facts.js";

const found = (findings: ReturnType<typeof checkTmux>) => findings.map(({ check, state }) => `${state} ${check}`);
const there = (version: string, hasUtempter = false) =>
  found(checkTmux({ kind: "there", path: "/usr/bin/tmux", version: `tmux ${version}`, hasUtempter }));

describe("tmux itself", () => {
  test("each version has the faults that were measured on it", () => {
    const crash = "warning tmux.attach-crash";
    const dead = "warning tmux.dead-paste-crash";
    const lost = "warning tmux.lost-exit";
    const good = "ok tmux.installed";
    expect(there("3.7")).toEqual([good]);
    expect(there("next-3.8", true)).toEqual([good]);
    expect(there("3.6b", true)).toEqual([good, crash]);
    expect(there("3.5a")).toEqual([good, crash]);
    expect(there("3.5a", true)).toEqual([good, crash, lost]);
    expect(there("3.4")).toEqual([good, crash]);
    expect(there("3.3a", true)).toEqual([good, crash, dead, lost]);
    expect(there("3.2a")).toEqual([good, crash, dead]);
  });

  test("one that is missing or below the floor is a problem", () => {
    expect(there("3.1c")).toEqual(["problem tmux.installed"]);
    expect(found(checkTmux({ kind: "missing", why: "there is no program tmux on the PATH" }))).toEqual([
      "problem tmux.installed",
    ]);
  });
});

describe("a server's options and hooks", () => {
  const check = (changes: Partial<typeof goodServer>) =>
    found(checkServer({ ...goodServer, ...changes }, goodFacts.tmux)).filter((line) => !line.endsWith("old-server"));

  test("a server as it comes is fine", () => expect(check({})).toEqual(["ok tmux.options"]));

  test("window-size manual is a problem from 3.3 to 3.6 only", () => {
    for (const version of ["3.3a", "3.4", "3.6b"]) {
      expect(check({ version, windowSize: "manual" })).toEqual(["problem tmux.window-size-manual"]);
    }
    for (const version of ["3.2a", "3.7"]) expect(check({ version, windowSize: "manual" })).not.toContain("problem");
    expect(check({ version: "3.7", windowSize: "manual" })).toEqual(["ok tmux.options"]);
  });

  test("exit-unattached on is a problem", () => {
    expect(check({ exitUnattached: "on" })).toEqual(["problem tmux.exit-unattached"]);
  });

  const hooks: readonly (readonly [name: string, command: string, bites: boolean])[] = [
    ["after-set-option[0]", 'run-shell "sleep 1"', true],
    ["after-paste-buffer[0]", "run-shell 'x' ", true],
    ["after-new-window[1]", 'display-message hi ; run-shell "x"', true],
    ["after-set-option[0]", 'if-shell "test -f x" "display-message y"', true],
    ["after-kill-pane[0]", "wait-for done", true],
    ["after-set-option[0]", 'run-shell -b "sleep 1"', false],
    ["after-set-option[0]", 'run-shell -bt %1 "x"', false],
    ["after-set-option[0]", 'if-shell -F "#{x}" "display-message y"', false],
    ["after-set-option[0]", "refresh-client -S", false],
    ["after-set-option", "", false],
    ["pane-died[0]", 'run-shell "x"', false],
  ];
  for (const [name, command, bites] of hooks) {
    test(`${name} ${command} ${bites ? "waits" : "does not wait"}`, () => {
      const [line] = check({ hooks: [{ name, command }] });
      expect(line).toBe(bites ? "warning tmux.waiting-hooks" : "ok tmux.options");
    });
  }

  test("a server of another version than the program, and one that does not answer", () => {
    const old = checkServer({ ...goodServer, version: "3.3a" }, goodFacts.tmux);
    expect(found(old)).toEqual(["warning tmux.old-server"]);
    expect(old[0]?.what).toBe("Your tmux server (/tmp/tmux-1000/default) still is tmux 3.3a, while 3.7 is installed.");
    expect(found(checkServer({ ...goodServer, version: "3.1c" }, goodFacts.tmux))).toEqual(["problem tmux.old-server"]);
    const silent = { kind: "silent", whose: "own", socket: "/s", why: "no answer within 5 s" } as const;
    expect(found(checkServer(silent, goodFacts.tmux))).toEqual(["problem tmux.silent"]);
  });
});
