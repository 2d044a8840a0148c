import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyKeyStream, flushEscape, type Key, readKeys } from "../../../src/demo/keys.js";

const readAll = (chunks: readonly string[]): { keys: readonly Key[]; pending: string } => {
  let stream = emptyKeyStream;
  const keys: Key[] = [];
  for (const chunk of chunks) {
    const read = readKeys(stream, chunk);
    stream = read.stream;
    for (const key of read.keys) {
      const last = keys.at(-1);
      if (key.kind === "text" && last?.kind === "text")
        keys[keys.length - 1] = { kind: "text", text: last.text + key.text };
      else keys.push(key);
    }
  }
  return { keys, pending: stream.pending };
};

describe("reading keys", () => {
  it.each<[string, string, readonly Key[]]>([
    ["text and Enter", "hi\r", [{ kind: "text", text: "hi" }, { kind: "enter" }]],
    ["a paste with line feeds", "\u001b[200~a\nb\u001b[201~\r", [{ kind: "paste", text: "a\nb" }, { kind: "enter" }]],
    [
      "an Escape inside a paste, which is dropped",
      "\u001b[200~a\u001b[31mb\u001b[201~",
      [{ kind: "paste", text: "a[31mb" }],
    ],
    ["arrow keys, which do nothing", "\u001b[A\u001bOB\u001b[1;5C", []],
    ["Alt with a letter, which does nothing", "\u001bxy", [{ kind: "text", text: "y" }]],
    [
      "editing keys",
      "\u007f\b\u0015\u0003\u0004",
      [{ kind: "backspace" }, { kind: "backspace" }, { kind: "clear" }, { kind: "interrupt" }, { kind: "end" }],
    ],
    ["other control characters, which do nothing", "\u0001\u0007a", [{ kind: "text", text: "a" }]],
  ])("reads %s", (_title, bytes, keys) => {
    expect(readAll([bytes]).keys).toEqual(keys);
  });

  it("gives the same keys for every split of the stream", () => {
    const stream = "ab\u001b[200~one\ntwo \u001b[20 three\u001b[201~\r\u001b[A漢c\u007f";
    const whole = readAll([stream]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 40 }), (sizes) => {
        const chunks: string[] = [];
        let at = 0;
        for (const size of [...sizes, stream.length]) {
          chunks.push(stream.slice(at, at + size));
          at += size;
        }
        expect(readAll(chunks)).toEqual(whole);
      }),
    );
  });

  it("takes a lone Escape for the key only when told that nothing follows", () => {
    const read = readKeys(emptyKeyStream, "\u001b");
    expect(read.keys).toEqual([]);
    expect(flushEscape(read.stream)).toEqual({ stream: emptyKeyStream, keys: [{ kind: "escape" }] });
    const half = readKeys(emptyKeyStream, "\u001b[20");
    expect(flushEscape(half.stream).keys).toEqual([]);
    const pasting = readKeys(emptyKeyStream, "\u001b[200~abc").stream;
    expect(flushEscape(pasting)).toEqual({ stream: pasting, keys: [] });
  });
});
