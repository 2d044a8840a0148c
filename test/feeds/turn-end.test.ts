/** Codex's turn-end helper: it leaves the report in the spool, and then becomes the helper of the person. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parseEvent } from "../../src/feeds/spool-file.js";
import { tempFolder } from "../support/temp-folder.js";
import { verifies } from "../support/verifies.js";

const script = fileURLToPath(new URL("../../src/adapters/assets/codex/turn-end.sh", import.meta.url));
const REPORT = JSON.stringify({
  type: "agent-turn-complete",
  "last-assistant-message": 'it\'s "done"\n\\n $(date) `x` 😀',
});

const call = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const folder = tempFolder();
  const spool = join(folder, "spool");
  mkdirSync(spool, { mode: 0o700 });
  const ran = spawnSync("sh", [script, ...args], {
    cwd: folder,
    encoding: "utf8",
    env: {
      PATH: process.env.PATH ?? "",
      QUAY_SPOOL: spool,
      QUAY_EVENTS_SECRET: "secret",
      TMUX_PANE: "%7",
      // Of another CLI around this one: the report is not its.
      CLAUDE_PID: "1",
      ...env,
    },
  });
  const events = readdirSync(spool).map((name) => parseEvent(name, readFileSync(join(spool, name), "utf8"), 0n));
  return { ...ran, folder, events };
};

verifies(
  "peer:codex-turn-end-helper",
  "leaves Codex's report as an event, in the name of the process that called it",
  () => {
    const { status, stdout, stderr, events } = call([REPORT]);
    expect([status, stdout, stderr]).toEqual([0, "", ""]);
    expect(events).toMatchObject([
      { event: "TurnEnd", secret: "secret", pane: "%7", cliPid: process.pid, payload: JSON.parse(REPORT) },
    ]);
  },
);

test("takes a report as long as one argument can be", () => {
  const long = JSON.stringify({ type: "agent-turn-complete", text: "x".repeat(120_000) });
  expect(call([long]).events[0]?.payload).toEqual(JSON.parse(long));
});

verifies("codex:helper-of-the-person-kept", "calls the person's helper with all that Codex gave it", () => {
  const theirs = join(tempFolder(), "their helper");
  writeFileSync(theirs, '#!/bin/sh\nfor one; do printf "%s|" "$one"; done\nexit 3\n');
  chmodSync(theirs, 0o755);
  const ran = call([theirs, "two words", "-x", REPORT]);
  expect([ran.stdout, ran.status]).toEqual([`two words|-x|${REPORT}|`, 3]);
  expect(ran.events).toHaveLength(1);
  // Also where there is no Quay to tell.
  const outside = call([theirs, REPORT], { QUAY_SPOOL: "" });
  expect([outside.stdout, outside.events]).toEqual([`${REPORT}|`, []]);
});

test("does not mind a spool that is gone, or no report", () => {
  const folder = tempFolder();
  rmSync(folder, { recursive: true });
  expect(call([REPORT], { QUAY_SPOOL: folder })).toMatchObject({ status: 0, stdout: "", stderr: "", events: [] });
  expect(call([])).toMatchObject({ status: 0, stdout: "", stderr: "", events: [] });
});
