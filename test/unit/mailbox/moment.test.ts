import fc from "fast-check";
import { expect, test } from "vitest";
import { momentOf, wordMoment } from "../../../src/mailbox/rules/moment.js";
import { verifies } from "../../support/verifies.js";

verifies("mailbox:thread:since", "RFC 3339 with any offset is read as the same moment", () => {
  const at = Date.UTC(2026, 11, 1, 8, 30, 0, 250);
  const same = [
    "2026-12-01T08:30:00.250Z",
    "2026-12-01t08:30:00.25z",
    "2026-12-01 08:30:00.2509999Z",
    "2026-12-01T09:30:00.250+01:00",
    "2026-12-01T14:15:00.250+05:45",
    "2026-11-30T22:30:00.250-10:00",
    "2026-12-01T08:30:00.250-00:00",
  ];
  for (const text of same) expect([text, momentOf(text)]).toEqual([text, at]);
  expect(momentOf("2026-12-31T23:59:60Z")).toBe(Date.UTC(2027, 0, 1));
  expect(momentOf("2024-02-29T00:00:00Z")).toBe(Date.UTC(2024, 1, 29));
  expect(momentOf("0001-01-01T00:00:00Z")).toBe(Date.parse("0001-01-01T00:00:00Z"));
});

test("what is no date-time of RFC 3339 is null", () => {
  const bad = [
    "",
    "yesterday",
    "2026-12-01",
    "2026-12-01T08:30Z",
    "2026-12-01T08:30:00",
    "2026-12-01T08:30:00+0100",
    "2026-12-01T08:30:00.Z",
    "2026-13-01T08:30:00Z",
    "2026-02-29T08:30:00Z",
    "2026-12-00T08:30:00Z",
    "2026-12-01T24:00:00Z",
    "2026-12-01T08:60:00Z",
    "2026-12-01T08:30:61Z",
    "2026-12-01T08:30:00+24:00",
    " 2026-12-01T08:30:00Z",
    "1764578000",
  ];
  for (const text of bad) expect([text, momentOf(text)]).toEqual([text, null]);
});

test("what is worded is read back", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), (at) => {
      expect(momentOf(wordMoment(at))).toBe(at);
    }),
  );
});
