import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { echoPatterns } from "../../../src/tmux/echo-pattern.js";

describe("echoPatterns", () => {
  it("cuts the tail of a long line into two halves of twelve", () => {
    expect(echoPatterns("please do run the parser tests again")).toEqual(["n?the?parser", "?tests?again"]);
  });

  it("takes the last line, behind any tab and without trailing blanks", () => {
    expect(echoPatterns("first\nthe second\n\n ")).toEqual(["the?second"]);
    expect(echoPatterns("name\tcolumn two")).toEqual(["column?two"]);
  });

  it("keeps letters of other scripts, and drops halves that say nothing", () => {
    expect(echoPatterns("請檢查這個函式")).toEqual(["請檢查這個函式"]);
    expect(echoPatterns("hello worlds!!!!!!!!!!!!")).toEqual(["hello?worlds"]);
  });

  it("says null when the tail is too poor to tell anything", () => {
    for (const text of ["", "ok", "go on", "!!!!!!!!", "(((([[[[", "\n\n"]) expect(echoPatterns(text)).toBeNull();
  });

  it("holds nothing that a format, a glob or a quote could read", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        for (const pattern of echoPatterns(text) ?? []) {
          expect(pattern).toMatch(/^[\p{L}0-9?]{1,12}$/u);
          expect(pattern.replaceAll("?", "").length).toBeGreaterThanOrEqual(3);
        }
      }),
    );
  });
});
