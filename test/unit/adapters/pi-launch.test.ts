/** How Pi and PiG are launched, as what their level makes of them. */
import { expect, test } from "vitest";
import { pi, pig } from "../../../src/adapters/pi.js";
import { levelChoices } from "../../../src/adapters/registry.js";
import { launchInput } from "../../support/launch-input.js";
import { verifies } from "../../support/verifies.js";

const INPUT = launchInput(
  { args: ["--model", "m"], env: { A: "1" }, newSession: "s-new" },
  { mcpUrl: "http://127.0.0.1:1/mcp", eventsUrl: "http://127.0.0.1:1/events", spoolDir: "/s", assetsDir: "/a" },
);

const WIRED = ["-e", "/a/pi/quay-pig-bridge.js"];

verifies("peer:pig-extension", "PiG gets the extension for this session, and no secret in its argv", () => {
  const plan = pig.launch(INPUT);
  expect(plan.argv).toEqual(["pig", ...WIRED, "--session-id", "s-new", "--model", "m"]);
  expect(plan.env).toEqual({
    A: "1",
    QUAY_TERMINAL_ID: "t1",
    QUAY_MCP_URL: "http://127.0.0.1:1/mcp",
    QUAY_TOKEN: "tool-secret",
    QUAY_SPOOL: "/s",
    QUAY_EVENTS_URL: "http://127.0.0.1:1/events",
    QUAY_EVENTS_SECRET: "event-secret",
    PI_PROGRAM_STATUS: "1",
  });
  expect(plan.secrets).toEqual(["QUAY_TOKEN", "QUAY_EVENTS_SECRET"]);
  expect(plan.unsetEnv).toEqual([]);
});

verifies("peer:pi-listener", "Pi is started with the person's own command line, and told nothing of a spool", () => {
  const plan = pi.launch(INPUT);
  expect(plan.argv).toEqual(["pi", "--model", "m"]);
  expect(Object.keys(plan.env)).toEqual(["A", "QUAY_TERMINAL_ID", "QUAY_MCP_URL", "QUAY_TOKEN"]);
  expect(plan.unsetEnv).toEqual(["QUAY_SPOOL", "QUAY_EVENTS_URL", "QUAY_EVENTS_SECRET"]);
  expect(pi.traits).toEqual({ level: "listener", typing: "at once", turns: "none", reporter: null });
});

verifies("peer:pi-full-by-setting", "the setting makes Pi what PiG is", () => {
  expect(levelChoices).toEqual({ pi: ["listener", "full peer"] });
  const plan = pi.launch({ ...INPUT, level: "full peer" });
  expect(plan.argv).toEqual(["pi", ...WIRED, "--session-id", "s-new", "--model", "m"]);
  expect(plan.env).toEqual(pig.launch(INPUT).env);
  expect(pi.raised).toMatchObject({ level: "full peer", typing: "between turns", turns: "bridge" });
});

test("without the bridge there is no extension, and none of an outer terminal", () => {
  const plan = pig.launch({ ...INPUT, wiring: { ...INPUT.wiring, bridge: false } });
  expect(plan.argv).toEqual(["pig", "--session-id", "s-new", "--model", "m"]);
  expect(plan.env).not.toHaveProperty("QUAY_SPOOL");
  expect(plan.env).not.toHaveProperty("PI_PROGRAM_STATUS");
  expect(plan.unsetEnv).toEqual(["QUAY_SPOOL", "QUAY_EVENTS_URL", "QUAY_EVENTS_SECRET"]);
  expect(plan.secrets).toEqual(["QUAY_TOKEN"]);
});

test.each([
  [["-c"], null, ["-c"]],
  [["--session", "x"], null, ["--session", "x"]],
  [["--no-session", "--model", "m"], null, ["--no-session", "--model", "m"]],
  [["-c", "--model", "m"], "s-old", ["--session-id", "s-old", "--model", "m"]],
  [["--model", "m", "--session", "x"], "s-old", ["--session-id", "s-old", "--model", "m"]],
])("the session of %j, resumed as %j", (args, resume, expected) => {
  expect(pig.launch({ ...INPUT, args, resume }).argv).toEqual(["pig", ...WIRED, ...expected]);
});

test.each([
  ["-dash", "-dash"],
  ["@file", " @file"],
  ["plain", "plain"],
])("the prompt %j is no option and no file", (prompt, typed) => {
  expect(pig.launch({ ...INPUT, prompt, command: "/x/pig" }).argv.slice(-2)).toEqual(["--", typed]);
});
