import { describe, expect, test } from "vitest";
import { bearerOf, foreignHead } from "../../../src/mcp/guard.js";
import { verifies } from "../../support/verifies.js";

const head = (...rawHeaders: string[]) => ({ headers: {}, rawHeaders });

describe("foreignHead", () => {
  const own: readonly (readonly string[])[] = [
    ["Host", "127.0.0.1:4000"],
    ["host", "LocalHost:4000"],
    ["Host", "127.0.0.1:4000", "Origin", "http://127.0.0.1:4000"],
    ["Host", "localhost:4000", "origin", "http://localhost:4000"],
  ];
  for (const headers of own)
    test(`lets ${headers.join(" ")} in`, () => expect(foreignHead(head(...headers), 4000)).toBeNull());

  const foreign: readonly (readonly [string, readonly string[]])[] = [
    ["no Host", []],
    ["another port", ["Host", "127.0.0.1:4001"]],
    ["no port", ["Host", "127.0.0.1"]],
    ["a rebound name", ["Host", "evil.example:4000"]],
    ["a name that starts like ours", ["Host", "localhost:4000.evil.example"]],
    ["two Hosts", ["Host", "127.0.0.1:4000", "Host", "evil.example"]],
    ["an IPv6 name", ["Host", "[::1]:4000"]],
    ["a page's Origin", ["Host", "127.0.0.1:4000", "Origin", "https://evil.example"]],
    ["an opaque Origin", ["Host", "127.0.0.1:4000", "Origin", "null"]],
    ["an empty Origin", ["Host", "127.0.0.1:4000", "Origin", ""]],
    ["our Origin by https", ["Host", "127.0.0.1:4000", "Origin", "https://127.0.0.1:4000"]],
    ["another program's page on this host", ["Host", "127.0.0.1:4000", "Origin", "http://localhost:3000"]],
    [
      "a foreign Origin behind ours",
      ["Host", "127.0.0.1:4000", "Origin", "http://127.0.0.1:4000", "Origin", "http://evil.example"],
    ],
  ];
  for (const [what, headers] of foreign) {
    verifies("hazard:host-and-origin-first", `refuses ${what}`, () => {
      expect(foreignHead(head(...headers), 4000)).not.toBeNull();
    });
  }
});

describe("bearerOf", () => {
  const cases: readonly (readonly [string | undefined, string | null])[] = [
    ["Bearer abc", "abc"],
    ["bearer  abc", "abc"],
    [undefined, null],
    ["", null],
    ["abc", null],
    ["Bearer", null],
    ["Bearer a b", null],
    ["Basic abc", null],
  ];
  for (const [authorization, token] of cases) {
    test(`${authorization} is ${token}`, () =>
      expect(bearerOf({ headers: { authorization }, rawHeaders: [] })).toBe(token));
  }
});
