import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { launchText, removeLeftFiles, throughLaunchFile, writeLaunchFile } from "../../../src/tmux/launch-file.js";

const scratch = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "quay-test-launch-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "run");
};

describe("a launch file", () => {
  it("is private, gives the program its environment word for word, and is gone then", () => {
    const value = 'a\'b\n"$HOME" `x` \\ #{pid} ;';
    const file = writeLaunchFile(scratch(), "term-1", { ONE: value, PATH: "/bin:/usr/bin", EMPTY: "" });
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    const [program = "", ...args] = throughLaunchFile(file.path, ["printenv", "ONE"]);
    expect(execFileSync(program, args, { encoding: "utf8", env: {} })).toBe(`${value}\n`);
    expect(existsSync(file.path)).toBe(false);
    file.remove();
  });

  it("starts nothing when it is not there", () => {
    const [program = "", ...args] = throughLaunchFile(join(scratch(), "none"), ["echo", "started"]);
    expect(() => execFileSync(program, args, { stdio: "pipe" })).toThrow(/none/);
  });

  it("refuses what no environment can hold", () => {
    expect(() => launchText({ "A B": "1" })).toThrow(RangeError);
    expect(() => launchText({ A: "\0" })).toThrow("NUL");
  });

  it("is removed later when no pane has read it; a fresh one stays", () => {
    const folder = scratch();
    removeLeftFiles(folder);
    const old = writeLaunchFile(folder, "term-1", {}).path;
    writeLaunchFile(folder, "term-2", {});
    utimesSync(old, 1, 1);
    removeLeftFiles(folder);
    expect(readdirSync(folder)).toEqual(["term-2.env"]);
    utimesSync(join(folder, "term-2.env"), 1, 1);
    removeLeftFiles(folder);
    expect(existsSync(folder)).toBe(false);
  });
});
