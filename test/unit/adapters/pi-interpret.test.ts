/** What the extension's events and the OSC reports of Pi mean to the bus. */
import { expect, test } from "vitest";
import type { Memory, Signal } from "../../../src/adapters/adapter.js";
import { interpretPi } from "../../../src/adapters/pi-interpret.js";
import { verifies } from "../../support/verifies.js";

const hook = (event: string, payload: Readonly<Record<string, unknown>> = {}): Signal => ({
  kind: "hook",
  event,
  payload,
  cliPid: 7,
});

const seen = (event: string, payload?: Readonly<Record<string, unknown>>, memory: Memory = {}) =>
  interpretPi(memory, hook(event, payload)).observations;

verifies("pi:run-is-one-turn", "what is typed into a run starts nothing of its own, and its retries go on", () => {
  expect(seen("turn_start", { turn_id: "r1", prompt: " hi ", automatic: false })).toEqual([
    { kind: "turnStarted", cliTurn: "r1", prompt: "hi", automatic: false },
  ]);
  expect(seen("prompt", { turn_id: "r1", prompt: "more" })).toEqual([
    { kind: "turnStarted", cliTurn: "r1", prompt: "more", automatic: false },
  ]);
  expect(seen("turn_goes_on", { turn_id: "r1" })).toEqual([{ kind: "turnContinued", cliTurn: "r1" }]);
  expect(seen("turn_end", { turn_id: "r1", aborted: false, stop_reason: "stop", text: "done" })).toEqual([
    { kind: "turnStopped", cliTurn: "r1", end: { kind: "answered", text: "done" }, subagentsRunning: false },
  ]);
});

verifies("pi:interrupt-and-error", "Esc and a model error are what they are", () => {
  const endOf = (payload: Readonly<Record<string, unknown>>) => seen("turn_end", { turn_id: "r1", ...payload })[0];
  expect(endOf({ aborted: true, stop_reason: "stop", text: "half" })).toMatchObject({ end: { kind: "interrupted" } });
  expect(endOf({ stop_reason: "aborted" })).toMatchObject({ end: { kind: "interrupted" } });
  expect(endOf({ stop_reason: "error", error: "400: no" })).toMatchObject({ end: { kind: "failed", text: "400: no" } });
  expect(endOf({ stop_reason: "error" })).toMatchObject({ end: { text: "the model gave an error" } });
});

verifies("pi:dialogs-of-extensions", "a dialog is raised by its kind, and closed", () => {
  expect(seen("dialog_open", { kind: "confirm", title: "Run rm?" })).toEqual([
    { kind: "promptRaised", prompt: { about: "permission", text: "Run rm?", source: "hook" } },
  ]);
  expect(seen("dialog_open", { kind: "select", title: "Which?" })).toMatchObject([{ prompt: { about: "question" } }]);
  expect(seen("dialog_open", { kind: "custom" })).toMatchObject([{ prompt: { about: "dialog", text: "" } }]);
  expect(seen("dialog_closed")).toEqual([{ kind: "promptClosed", source: "hook" }]);
});

verifies("pi:session-replaced", "a new session clears, a reload of the same one does not", () => {
  const first = interpretPi({}, hook("session_start", { reason: "startup", session_id: "s1" }));
  expect(first.observations).toEqual([{ kind: "ready", cliSession: "s1", cleared: false }]);
  const start = (reason: string, session_id: string) => seen("session_start", { reason, session_id }, first.memory);
  expect(start("reload", "s1")).toMatchObject([{ cleared: false }]);
  expect(start("new", "s2")).toMatchObject([{ cleared: true }]);
  expect(start("startup", "s2")).toMatchObject([{ cleared: true }]);
});

verifies("pi:state-told-again", "the state that is told again is the run and the dialog", () => {
  expect(seen("state", { turn_id: "r1", dialog: null })).toEqual([{ kind: "turnContinued", cliTurn: "r1" }]);
  expect(seen("state", { turn_id: "r1", dialog: { kind: "confirm", title: "Go?" } })).toMatchObject([
    { kind: "turnContinued" },
    { kind: "promptRaised", prompt: { text: "Go?" } },
  ]);
});

test("tools are seen, and none is approved by Quay", () => {
  expect(seen("tool_start", { turn_id: "r1", tool_id: "c1", tool_name: "bash" })).toEqual([
    { kind: "toolStarted", tool: "c1", name: "bash" },
    { kind: "turnContinued", cliTurn: "r1" },
  ]);
  expect(seen("tool_end", { turn_id: null, tool_id: "c1" })).toEqual([
    { kind: "toolEnded", tool: "c1", autoApproved: false },
  ]);
});

test("unknown events and a start without a turn mean nothing; a gap loses sight of OSC", () => {
  expect(seen("session_end", { reason: "quit" })).toEqual([]);
  expect(seen("turn_start", { prompt: "x" })).toEqual([]);
  expect(interpretPi({}, { kind: "gap" }).observations).toEqual([{ kind: "programStatusLost" }]);
});
