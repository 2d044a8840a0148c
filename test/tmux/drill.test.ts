/** The drill as a person runs it: their own tmux.conf, a real engine, and nothing left behind. */
import { execFileSync, spawn } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { drillMessages } from "../../src/cli/drill-messages.js";
import { createQuayProgram, type QuayProgram } from "../support/quay-program.js";
import { until } from "../support/until.js";

/** What people have in there, a bad line and a fault included. */
const CONFIG = `
set -g prefix C-a
set -g base-index 1
setw -g pane-base-index 1
set -g renumber-windows on
set -g status off
set -g mouse on
set -g mode-keys vi
setw -g synchronize-panes on
setw -g remain-on-exit on
setw -g automatic-rename on
set -g set-titles on
set -g destroy-unattached off
set -g default-command "cat"
set -g default-terminal "screen"
set -g history-limit 100
set -sg escape-time 0
bind M kill-server
set-hook -g after-new-window 'run-shell -b true'
set-hook -g pane-exited 'display-message #{hook_pane}'
set -g no-such-option on
`;

let quay: QuayProgram;
beforeAll(() => {
  quay = createQuayProgram();
});
afterAll(() => quay.end());

const conf = (): string => join(quay.folder, "user/.tmux.conf");
const left = (): readonly string[] => readdirSync(join(quay.folder, "tmp"));
/** Processes that still know the folder of these tests. */
const running = (): readonly string[] =>
  execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(join(quay.folder, "tmp")));

afterEach(async () => {
  rmSync(conf(), { force: true });
  expect(left()).toEqual([]);
  await until(
    () => running().length === 0,
    5_000,
    () => `the end of ${running().join("\n")}`,
  );
});

test("each message survives with a person's odd tmux.conf, within its time, and nothing is left", async () => {
  writeFileSync(conf(), CONFIG);
  const { code, out, err } = await quay.run("drill", "--json");
  if (out === "") throw new Error(err);
  const said = JSON.parse(out);
  expect(said.results.filter((one: { readonly result: string }) => one.result !== "survived")).toEqual([]);
  expect(said.total).toBe(drillMessages("").length + 1);
  expect([said.survived, said.configs, code]).toEqual([said.total, [conf()], 0]);
  expect(said.ms).toBeLessThan(60_000);
  expect(err).toContain(`with ${conf()}`);
  expect(err).toMatch(/quay: 6 of \d+ messages/);
}, 90_000);

test("a tmux.conf with which tmux would crash is refused with what to do", async () => {
  const version = execFileSync("tmux", ["-V"], { encoding: "utf8" });
  if (!/^tmux 3\.[3-6]/.test(version)) return;
  writeFileSync(conf(), "set -g window-size manual\n");
  const { code, err } = await quay.run("drill");
  expect([code, err]).toEqual([1, expect.stringContaining("window-size latest")]);
}, 60_000);

test("Ctrl-C in the middle takes all of it down", async () => {
  const child = spawn(process.execPath, [quay.main, "drill"], { env: quay.env, cwd: join(quay.folder, "work") });
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  await until(() => err.includes("quay: 6 of"), 45_000, "the first messages");
  expect(running().length).toBeGreaterThan(0);
  const ended = new Promise((done) => child.once("exit", done));
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  expect(err).toContain("left before its end");
}, 60_000);

test("is for people: a terminal of Quay is refused", async () => {
  quay.env.QUAY_TERMINAL_ID = "term-1";
  try {
    expect(await quay.run("drill")).toMatchObject({ code: 1, err: expect.stringContaining("is for people") });
  } finally {
    delete quay.env.QUAY_TERMINAL_ID;
  }
});
