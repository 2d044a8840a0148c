// Makes docs/mission-control.svg: the real demo on a real screen, in a tmux server of its own, read when the relay is done.
// All inside the frame is what the program drew; two runs differ in their times and process ids only.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readCells } from "./picture/cells.mjs";
import { drawSvg } from "./picture/svg.mjs";

const COLS = 110;
const ROWS = 17;
const WITHIN_MS = 90_000;
const LOOK_EVERY_MS = 100;
/** The whole relay stands on the trail from here on. */
const DONE = "RELAY DONE";

const root = fileURLToPath(new URL("../", import.meta.url));
const target = process.argv[2] ?? join(root, "docs", "mission-control.svg");
const scratch = mkdtempSync(join(tmpdir(), "quay-picture-"));
const server = `quay-picture-${process.pid}`;
const env = { PATH: process.env.PATH, HOME: scratch, TMUX_TMPDIR: scratch, LANG: "C.UTF-8", TERM: "xterm-256color" };

/** No shell in between: each word is data. */
const tmux = (...words) => {
  const ran = spawnSync("tmux", ["-L", server, "-f", "/dev/null", ...words], { env, encoding: "utf8" });
  if (ran.error !== undefined) throw new Error(`tmux cannot be run: ${ran.error.message}`);
  return ran;
};

const demo = [process.execPath, join(root, "dist", "cli", "main.js"), "demo", "--dir", join(scratch, "parse-duration")];

const capture = async () => {
  const started = tmux(
    ...["new-session", "-d", "-s", "picture", "-x", String(COLS), "-y", String(ROWS), "--", ...demo],
    ...[";", "set-option", "-g", "default-terminal", "tmux-256color", ";", "set-option", "-g", "status", "off"],
  );
  if (started.status !== 0) throw new Error(`tmux did not start the demo: ${started.stderr}`);
  const deadline = Date.now() + WITHIN_MS;
  let last = "";
  while (Date.now() < deadline) {
    const seen = tmux("capture-pane", "-e", "-p", "-t", "picture:");
    if (seen.status !== 0) throw new Error(`the demo ended before its screen said ${DONE}; it last showed:\n${last}`);
    last = seen.stdout;
    if (last.includes(DONE)) return last;
    await pause(LOOK_EVERY_MS);
  }
  throw new Error(`no ${DONE} on the screen within ${WITHIN_MS / 1000} s; it shows:\n${last}`);
};

/** The demo takes down what it started once its terminal is gone; the scratch folder goes after that. */
const leave = async () => {
  const deadline = Date.now() + 15_000;
  while (tmux("has-session", "-t", "=picture").status === 0 && Date.now() < deadline) await pause(LOOK_EVERY_MS);
  tmux("kill-server");
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
};

try {
  const screen = await capture();
  writeFileSync(target, drawSvg(await readCells(screen, COLS, ROWS), "Mission Control at the end of the demo's relay"));
  console.log(`picture: wrote ${target}`);
} catch (error) {
  console.error(`picture: ${error.message}`);
  process.exitCode = 1;
} finally {
  await leave();
}
