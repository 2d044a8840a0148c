/** Foreign JSON: what has another form than expected counts as missing. */
import { expect, test } from "vitest";
import { idIn, isJson, jsonIn, jsonOf, listOf, textIn } from "../../../src/adapters/json.js";

test.each([null, undefined, "text", 1, true, [], [{ a: 1 }]])("%j is no object, and none is found in it", (value) => {
  expect(isJson(value)).toBe(false);
  expect(jsonOf(value)).toEqual({});
  expect(jsonIn({ key: value }, "key")).toEqual({});
});

test("an object is itself", () => {
  const value = { a: 1 };
  expect(jsonOf(value)).toBe(value);
  expect(jsonIn({ key: value }, "key")).toBe(value);
});

test("of a list only the objects count, in their order", () => {
  expect(listOf([{ a: 1 }, null, "b", [{ c: 1 }], { d: 1 }])).toEqual([{ a: 1 }, { d: 1 }]);
  expect(listOf({ 0: { a: 1 }, length: 1 })).toEqual([]);
});

test.each([
  ["said", "said", "said"],
  ["", "", null],
  [7, "", null],
  [{ toString: "x" }, "", null],
  [undefined, "", null],
])("under a key %j is the text %j and the id %j", (value, text, id) => {
  expect(textIn({ key: value }, "key")).toBe(text);
  expect(idIn({ key: value }, "key")).toBe(id);
});
