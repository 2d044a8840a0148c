import { expect, test } from "vitest";
import { createSseParser, type SseEvent } from "../../../src/lib/sse-parser.js";

const parsed = (chunks: readonly string[]): readonly SseEvent[] => {
  const found: SseEvent[] = [];
  const parse = createSseParser((event) => found.push(event));
  for (const chunk of chunks) parse(chunk);
  return found;
};

const stream =
  'event: a\ndata: 1\n\n: comment\n\ndata:two\r\ndata: lines\r\n\r\nevent: none\n\nid: 7\ndata: {"x":1}\n\n';
const events = [
  { event: "a", data: "1" },
  { event: "message", data: "two\nlines" },
  { event: "message", data: '{"x":1}' },
];

test("events, comments and both line ends", () => expect(parsed([stream])).toEqual(events));

test("cut at every character, also between CR and LF", () => {
  for (let at = 1; at < stream.length; at += 1) {
    expect(parsed([stream.slice(0, at), stream.slice(at)])).toEqual(events);
  }
  expect(parsed([...stream])).toEqual(events);
});

test("an unfinished event is not told", () => expect(parsed(["event: a\ndata: 1\n"])).toEqual([]));
