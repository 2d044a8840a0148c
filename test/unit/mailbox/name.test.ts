import { expect, test } from "vitest";
import { nameOf } from "../../../src/mailbox/rules/name.js";
import { verifies } from "../../support/verifies.js";

verifies("mailbox:register:name", "names are one key however they are written", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["Claude Code", "claude-code"],
    ["claude-code", "claude-code"],
    ["  Claude \t _ Code ", "claude-code"],
    ["codex_recon", "codex-recon"],
    ["CI Worker #7 (eu)!", "ci-worker-7-eu"],
    ["Äpfel", "pfel"],
    ["İstanbul", "istanbul"],
    ["a-", "a-"],
    ["x".repeat(64), "x".repeat(64)],
    ["x".repeat(65), "x".repeat(64)],
    [`${"ä".repeat(90)}${"y".repeat(70)}`, "y".repeat(64)],
  ];
  for (const [given, name] of cases) expect(nameOf(given)).toEqual({ ok: true, value: name });
});

test("a name of which nothing is left is refused", () => {
  for (const given of ["", "  ", "测试", "---", "_ _", "!?"]) {
    expect(nameOf(given)).toEqual({ ok: false, refusal: { kind: "noName", field: "name" } });
  }
});
