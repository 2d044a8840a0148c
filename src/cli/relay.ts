/**
 * How the demo's relay stands, read from the trail alone: done when the turn that GREEN started at the test architect
 * was answered with RELAY DONE. Pure; it trusts no file and no screen.
 */
import type { AgentView, TrailView } from "../bus/views.js";

export const ARCHITECT = "test-architect";
export const IMPLEMENTER = "feature-impl";

/** What a person types into the test architect: the prompt of the product text's "A TDD Relay". */
export const OPENING_PROMPT = [
  "Write failing unit tests for parseDuration in tests/parseDuration.test.ts, one per rule in AGENTS.md.",
  "Run them and confirm they fail. Then use quay_send_message with wait_for_reply: false to tell 'feature-impl':",
  '"The parseDuration tests are failing. Make them pass without editing the tests, then send me the one-line message GREEN."',
  "When GREEN arrives, run the tests again and end with RELAY DONE, or RELAY FAILED.",
].join(" ");

export type RelayState =
  | { readonly kind: "running" }
  | { readonly kind: "done"; readonly answer: string }
  | { readonly kind: "failed"; readonly why: string };

const DONE = /^RELAY DONE\s*$/mu;
const FAILED = /^RELAY FAILED\s*$/mu;

export const relayState = (trail: readonly TrailView[], agents: readonly AgentView[]): RelayState => {
  for (const entry of trail) {
    if (entry.response !== null && entry.to === ARCHITECT && FAILED.test(entry.response))
      return { kind: "failed", why: entry.response };
    if (entry.status === "Failed")
      return { kind: "failed", why: `the message to ${entry.to} failed: ${entry.notes.join("; ")}` };
  }
  const green = trail.find(
    (entry) => entry.from === IMPLEMENTER && entry.to === ARCHITECT && entry.text.trim() === "GREEN",
  );
  if (green?.status === "Completed" && green.response !== null && DONE.test(green.response))
    return { kind: "done", answer: green.response };
  const gone = agents.find((agent) => [ARCHITECT, IMPLEMENTER].includes(agent.name) && agent.exit !== null);
  if (gone !== undefined) return { kind: "failed", why: `${gone.name} exited: ${gone.exit?.why ?? "no reason"}` };
  if (green?.status === "Completed")
    return { kind: "failed", why: `${ARCHITECT} ended the turn of GREEN without RELAY DONE` };
  return { kind: "running" };
};
