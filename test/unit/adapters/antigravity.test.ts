import { expect, test } from "vitest";
import type { ProgramStatusSignal } from "../../../src/adapters/adapter.js";
import { antigravity } from "../../../src/adapters/antigravity.js";
import { launchInput } from "../../support/launch-input.js";
import { verifies } from "../../support/verifies.js";

const report = (state: ProgramStatusSignal["state"], msg = ""): ProgramStatusSignal => ({
  kind: "programStatus",
  state,
  id: "",
  about: state === "blocked" ? "permission" : null,
  msg,
});

verifies("responder:cut-off-note", "only an answer that fills 199 characters counts as cut off", () => {
  const said = (msg: string) => antigravity.interpret({ blocked: {} }, report("done", msg)).observations;
  expect(said("é".repeat(198))).toEqual([{ kind: "programStatus", state: "done", about: null, text: "é".repeat(198) }]);
  expect(said("🚀".repeat(199))).toEqual([
    { kind: "programStatus", state: "done", about: null, text: "🚀".repeat(199), cutAt: 199 },
  ]);
  expect(said("x".repeat(250))).toEqual([
    { kind: "programStatus", state: "done", about: null, text: "x".repeat(199), cutAt: 199 },
  ]);
});

test("a long error or prompt is no answer, and is not cut", () => {
  const long = "y".repeat(300);
  for (const state of ["error", "blocked"] as const) {
    const [status] = antigravity.interpret({ blocked: {} }, report(state, long)).observations;
    expect(status).toMatchObject({ text: long });
    expect(status).not.toHaveProperty("cutAt");
  }
});

test("a gap forgets what was open, and its hooks are nobody's", () => {
  expect(antigravity.interpret({ blocked: { "": "x" } }, { kind: "gap" })).toEqual({
    memory: {},
    observations: [{ kind: "programStatusLost" }],
  });
  const hook = { kind: "hook", event: "Stop", payload: {}, cliPid: null } as const;
  expect(antigravity.interpret({}, hook)).toEqual({ memory: {}, observations: [] });
});

verifies("peer:antigravity-responder", "it gets no tools, and no bridge of an outer terminal", () => {
  const plan = antigravity.launch(launchInput({ args: ["--model", "m"], env: { A: "1" }, prompt: "-first" }));
  expect(plan.argv).toEqual(["agy", "--model", "m", "--prompt-interactive=-first"]);
  expect(plan.unsetEnv).toEqual(["QUAY_SPOOL", "QUAY_EVENTS_URL", "QUAY_EVENTS_SECRET"]);
  expect(JSON.stringify(plan.argv)).not.toContain("secret");
  expect(plan.env).not.toHaveProperty("QUAY_EVENTS_SECRET");
  expect(antigravity.traits).toMatchObject({ level: "responder", typing: "between turns", turns: "osc" });
});
