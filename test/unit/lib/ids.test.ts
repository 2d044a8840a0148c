import { expect, test } from "vitest";
import { randomIds, randomLetters } from "../../../src/lib/ids.js";

test("ids say what they name and hold no letters that are mistaken for others", () => {
  const ids = randomIds();
  expect(ids.terminal()).toMatch(/^term-[2-9a-hjkmnp-z]{6,}$/);
  expect(ids.delivery()).toMatch(/^msg-[2-9a-hjkmnp-z]{12}$/);
  expect(ids.call()).toMatch(/^call-[2-9a-hjkmnp-z]{12}$/);
});

test("a secret has 256 bits and is safe in a header", () => {
  const secret = randomIds().secret();
  expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
});

test("nothing comes twice", () => {
  const ids = randomIds();
  const made = Array.from({ length: 2_000 }, () => [ids.terminal(), ids.delivery(), ids.secret()]).flat();
  expect(new Set(made).size).toBe(made.length);
});

test("every letter is as likely as any other", () => {
  const counts = new Map<string, number>();
  for (const letter of randomLetters(310_000)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  expect(counts.size).toBe(31);
  for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(600);
});
