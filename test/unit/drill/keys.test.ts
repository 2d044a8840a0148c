import { describe, expect, test } from "vitest";
import { emptyKeyStream, flushEscape, type Key, readKeys } from "../../../src/drill/keys.js";

const read = (...chunks: readonly string[]): readonly Key[] => {
  let stream = emptyKeyStream;
  return chunks.flatMap((chunk) => {
    const step = readKeys(stream, chunk);
    stream = step.stream;
    return step.keys;
  });
};

const BYTES = "a\u001b[200~two\nlines; \u0003\u001b[200~\u001b[201~\r\u001b]7501;?\u0007\u001b[?1;2c\u007f";

describe("the keys of a drill agent", () => {
  test("keep a paste whole, with what no terminal should have let through", () => {
    expect(read(BYTES)).toEqual([
      { kind: "text", text: "a" },
      { kind: "paste", text: "two\nlines; \u0003\u001b[200~" },
      { kind: "enter" },
      { kind: "statusReader" },
      { kind: "attributes" },
      { kind: "backspace" },
    ]);
  });

  test("are the same wherever the stream is cut", () => {
    for (let at = 1; at < BYTES.length; at += 1) {
      expect(read(BYTES.slice(0, at), BYTES.slice(at))).toEqual(read(BYTES));
    }
  });

  test("tell a lone Escape when nothing follows", () => {
    const { stream } = readKeys(emptyKeyStream, "\u001b");
    expect(flushEscape(stream)).toEqual({ stream: emptyKeyStream, keys: [{ kind: "escape" }] });
  });
});
