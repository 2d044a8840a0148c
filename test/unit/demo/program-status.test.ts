import { describe, expect, it } from "vitest";
import { programStatus } from "../../../src/demo/program-status.js";

describe("an OSC 7501 report", () => {
  it.each([
    ["idle", "", "\u001b]7501;state=idle:app=quay-demo\u0007"],
    ["working", "Write: a", "\u001b]7501;state=working:app=quay-demo:msg=V3JpdGU6IGE=\u0007"],
    ["clear", "ignored", "\u001b]7501;state=clear\u0007"],
  ] as const)("says %s", (state, about, bytes) => {
    expect(programStatus(state, about)).toBe(bytes);
  });

  it("keeps its limits: one short line without control characters", () => {
    const msg = /msg=([^\u0007]*)/.exec(programStatus("error", `a\u001b]0;x\u0007\n${"漢".repeat(500)}`))?.[1] ?? "";
    const text = Buffer.from(msg, "base64").toString("utf8");
    expect(text).toMatch(/^[^\p{Cc}]+$/u);
    expect([...text].length).toBeLessThanOrEqual(120);
  });
});
