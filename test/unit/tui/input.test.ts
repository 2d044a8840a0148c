import { describe, expect, test } from "vitest";
import { giveUpOn, type KeyEvent, parseInput } from "../../../src/tui/input.js";

const word = (event: KeyEvent): string => (event.kind === "key" ? event.key : `paste(${event.text})`);
const feed = (...chunks: readonly string[]): { events: readonly string[]; pending: string } => {
  let pending = "";
  const events: string[] = [];
  for (const chunk of chunks) {
    const parsed = parseInput(pending, chunk);
    pending = parsed.pending;
    events.push(...parsed.events.map(word));
  }
  return { events, pending };
};

describe("parseInput", () => {
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ["characters, each for itself", ["hé你"], ["h", "é", "你"]],
    ["text and Enter in one piece", ["hi\r"], ["h", "i", "enter"]],
    ["arrows", ["\x1b[A\x1b[B\x1bOC\x1bOD"], ["up", "down", "right", "left"]],
    ["keys with a tilde", ["\x1b[3~\x1b[5~\x1b[6~\x1b[1~\x1b[4~"], ["delete", "pageup", "pagedown", "home", "end"]],
    ["Tab and back", ["\t\x1b[Z"], ["tab", "shift+tab"]],
    ["Ctrl+J is not Enter", ["\n\r"], ["ctrl+j", "enter"]],
    ["Alt+Enter, both ways", ["\x1b\r\x1b[13;3u"], ["alt+enter", "alt+enter"]],
    ["Ctrl with a letter", ["\x03\x0c\x17"], ["ctrl+c", "ctrl+l", "ctrl+w"]],
    ["a paste with line breaks", ["\x1b[200~one\r\ntwo\rthree\x1b[201~x"], ["paste(one\ntwo\nthree)", "x"]],
    ["a paste with an escape sequence in it", ["\x1b[200~a\x1b[Ab\x1b[201~"], ["paste(a\x1b[Ab)"]],
    ["what it does not know is dropped", ["\x1b[99~\x1b[?1;2c\x1b[<0;1;1Mx"], ["x"]],
    ["an escape before a sequence", ["\x1b\x1b[A"], ["escape", "up"]],
  ];
  for (const [title, chunks, events] of cases)
    test(title, () => expect(feed(...chunks)).toEqual({ events, pending: "" }));

  test("any cut gives the same events", () => {
    const text = "a\x1b[A\x1b[200~p\r\nq\x1b[201~\x1b[5~\x1bOBz\x1b[13;3u";
    const whole = feed(text);
    for (let at = 1; at < text.length; at += 1) expect(feed(text.slice(0, at), text.slice(at))).toEqual(whole);
  });

  test("a lone ESC waits, and is Escape when nothing follows", () => {
    expect(feed("\x1b")).toEqual({ events: [], pending: "\x1b" });
    expect(giveUpOn("\x1b")).toEqual({ events: [{ kind: "key", key: "escape" }], pending: "" });
    expect(giveUpOn("\x1b[")).toEqual({ events: [], pending: "" });
  });

  test("half a paste is kept until its end comes", () => {
    const half = feed("\x1b[200~abc");
    expect(half.events).toEqual([]);
    expect(giveUpOn(half.pending).pending).toBe(half.pending);
    expect(parseInput(half.pending, "def\x1b[201~").events).toEqual([{ kind: "paste", text: "abcdef" }]);
  });
});
