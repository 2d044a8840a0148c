import { expect, test } from "vitest";
import { applySgr } from "../../../src/tui/sgr.js";

const after = (...sequences: readonly string[]): string =>
  sequences.reduce<readonly string[]>((codes, parameters) => applySgr(codes, parameters), []).join(" ");

test.each([
  [["1", "31"], "1 31"],
  [["31", "32", "44"], "32 44"],
  [["31;44;1", "39"], "44 1"],
  [["97;105", "49"], "97"],
  [["1;2;3;4;7", "22", "23"], "4 7"],
  [["31", ""], ""],
  [["31;1", "0;4"], "4"],
  [["38;5;208;1"], "38;5;208 1"],
  [["38:2::1:2:3", "48:5:7"], "38;2;1;2;3 48;5;7"],
  // The shape of an underline and its colour are no codes of their own.
  [["4:3"], "4"],
  [["4;1", "4:0"], "1"],
  [["58;5;3"], ""],
  [["58:2::1:2:3;1"], "1"],
  [["58;2;1;2;3"], ""],
  // Blinking, hidden and struck text, and numbers of nothing.
  [["5;8;9;53;999"], ""],
])("%j leaves %j in force", (sequences, codes) => {
  expect(after(...sequences)).toBe(codes);
});
