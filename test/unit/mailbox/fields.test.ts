import { describe, expect, test } from "vitest";
import {
  checkContent,
  checkIds,
  checkLimit,
  checkOneOf,
  checkRegister,
  checkSend,
  checkSince,
  firstOf,
  lengthOf,
} from "../../../src/mailbox/rules/fields.js";
import { MAILBOX_LIMIT } from "../../../src/mailbox/rules/limits.js";
import { wordMailboxRefusal } from "../../../src/mailbox/rules/refusal.js";
import { verifies } from "../../support/verifies.js";

const send = {
  kind: "send",
  agentId: "a",
  to: "b",
  content: "hello",
  subject: null,
  scanId: null,
  metadata: null,
} as const;
const register = {
  kind: "register",
  name: "lead",
  description: null,
  label: null,
  sessionLabel: null,
  sessionId: null,
} as const;
const wordOf = (checked: { readonly ok: boolean; readonly refusal?: Parameters<typeof wordMailboxRefusal>[0] }) =>
  checked.refusal === undefined ? null : wordMailboxRefusal(checked.refusal);

describe("caps", () => {
  verifies(
    ["mailbox:cap:subject", "mailbox:cap:characters"],
    "a subject at its cap passes, one beyond does not",
    () => {
      expect(checkSend({ ...send, subject: "😀".repeat(200) })).toMatchObject({
        ok: true,
        value: { subject: "😀".repeat(200) },
      });
      expect(wordOf(checkSend({ ...send, subject: "😀".repeat(201) }))).toBe(
        "subject is too long: 201 characters, and at most 200 are allowed.",
      );
      for (const end of ["\n", "\r", "\u2028"]) {
        expect(wordOf(checkSend({ ...send, subject: `two${end}lines` }))).toBe(
          "subject must be one line: take the line breaks out.",
        );
      }
    },
  );

  verifies(["mailbox:cap:content", "mailbox:cap:characters"], "content at its cap passes, one beyond does not", () => {
    expect(checkContent("😀".repeat(50_000)).ok).toBe(true);
    expect(wordOf(checkContent("😀".repeat(50_001)))).toBe(
      "content is too long: 50,001 characters, and at most 50,000 are allowed.",
    );
    expect(wordOf(checkContent(" \n "))).toBe("content must not be empty.");
  });

  verifies("mailbox:cap:metadata", "metadata at its cap passes, one byte beyond does not", () => {
    // {"k":"…"} has eight bytes around the text; ä takes two.
    const of = (bytes: number) => ({ k: "ä".repeat((bytes - 8) / 2) });
    expect(checkSend({ ...send, metadata: of(8_192) }).ok).toBe(true);
    expect(wordOf(checkSend({ ...send, metadata: { ...of(8_190), l: 1 } }))).toBe(
      "metadata is too long: 8,196 bytes of JSON, and at most 8,192 are allowed.",
    );
    expect(wordOf(checkSend({ ...send, metadata: { k: `${"ä".repeat(4_092)}x` } }))).toContain("8,193 bytes");
  });

  test("the labels are one short line each", () => {
    const cases = { description: 500, label: 64, sessionLabel: 200 } as const;
    for (const [field, cap] of Object.entries(cases)) {
      expect(checkRegister({ ...register, [field]: "x".repeat(cap) }).ok).toBe(true);
      expect(checkRegister({ ...register, [field]: "x".repeat(cap + 1) })).toMatchObject({
        refusal: { kind: "tooLong" },
      });
      expect(checkRegister({ ...register, [field]: "a\nb" })).toMatchObject({ refusal: { kind: "notOneLine" } });
    }
    expect(checkSend({ ...send, scanId: "x".repeat(201) })).toMatchObject({ refusal: { field: "scanId" } });
  });

  test("an optional text that is empty counts as left out", () => {
    expect(checkSend({ ...send, subject: " ", scanId: "" })).toMatchObject({ value: { subject: null, scanId: null } });
    expect(checkRegister({ ...register, description: "", sessionId: "" })).toMatchObject({
      value: { description: null, sessionId: null },
    });
  });

  test("what the store could not give back is replaced", () => {
    expect(checkContent("a\u0000b\ud800c😀")).toEqual({ ok: true, value: "a\ufffdb\ufffdc😀" });
  });
});

verifies("mailbox:limit", "limits: the default, clamped above the cap, an error below 1", () => {
  const at = (given: number | null) => checkLimit(given, MAILBOX_LIMIT);
  expect([at(null), at(1), at(100), at(101)]).toEqual([20, 1, 100, 100].map((value) => ({ ok: true, value })));
  for (const bad of [0, -1, 1.5, Number.NaN]) {
    expect(wordOf(at(bad))).toBe(`limit must be a whole number of at least 1, and was ${bad}.`);
  }
});

verifies("mailbox:mark:count", "1 to 100 ids", () => {
  const ids = (count: number) => Array.from({ length: count }, (_, n) => `m${n}`);
  expect([checkIds(ids(1)).ok, checkIds(ids(100)).ok]).toEqual([true, true]);
  expect(wordOf(checkIds([]))).toBe("messageIds takes 1 to 100 ids, and got 0.");
  expect(wordOf(checkIds(ids(101)))).toBe("messageIds takes 1 to 100 ids, and got 101.");
});

verifies("mailbox:one-of", "exactly one of two", () => {
  const of = (threadId: string | null, messageId: string | null) =>
    checkOneOf(["threadId", "messageId"], { threadId, messageId });
  expect(of("t", null)).toEqual({ ok: true, value: { field: "threadId", value: "t" } });
  expect(of("", "m")).toEqual({ ok: true, value: { field: "messageId", value: "m" } });
  expect(wordOf(of("t", "m"))).toBe("Send exactly one of threadId and messageId.");
  expect(of(null, null).ok).toBe(false);
});

test("since that is no time names its field", () => {
  expect(checkSince(null)).toEqual({ ok: true, value: null });
  expect(wordOf(checkSince("today"))).toContain("since must be a time of RFC 3339");
});

test("the first code points never end in half a character", () => {
  expect([firstOf("😀a😀", 1), firstOf("😀a😀", 2), firstOf("abc", 3), lengthOf("😀a")]).toEqual([
    "😀",
    "😀a",
    "abc",
    2,
  ]);
});
