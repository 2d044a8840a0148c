import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ControlEvent, isNonce, readChunk, startParser, unescapeOutput } from "../../../src/tmux/protocol.js";

const read = (chunks: readonly Buffer[]): readonly ControlEvent[] => {
  let state = startParser;
  const events: ControlEvent[] = [];
  for (const chunk of chunks) {
    const step = readChunk(state, chunk);
    state = step.state;
    events.push(...step.events);
  }
  return events;
};

const plain = (events: readonly ControlEvent[]): unknown[] =>
  events.map((event) => {
    if (event.kind === "block")
      return { ...event.block, lines: event.block.lines.map((line) => line.toString("latin1")) };
    return event.kind === "output" ? [event.pane, event.bytes.toString("latin1")] : `${event.name}|${event.rest}`;
  });

const STREAM = Buffer.from(
  [
    "%begin 1 1 0",
    "%end 1 1 0",
    "%session-changed $0 quay",
    "%begin 2 7 1",
    "first line",
    "%output %1 only text of a capture",
    "%end 2 6 1",
    "",
    "%end 2 7 1",
    "%output %12 caf\\303\\251\\015\\012 \\134 end",
    "%extended-output %3 120 : a : b",
    "%begin 3 8 1",
    "no such thing",
    "%error 3 8 1",
    "%pause %3",
    "%exit",
    "",
  ].join("\n"),
  "latin1",
);

const WANTED = [
  { ok: true, ours: false, lines: [] },
  "%session-changed|$0 quay",
  { ok: true, ours: true, lines: ["first line", "%output %1 only text of a capture", "%end 2 6 1", ""] },
  ["%12", "caf\xc3\xa9\r\n \\ end"],
  ["%3", "a : b"],
  { ok: false, ours: true, lines: ["no such thing"] },
  "%pause|%3",
  "%exit|",
];

describe("readChunk", () => {
  it("reads blocks, output and notifications", () => {
    expect(plain(read([STREAM]))).toEqual(WANTED);
  });

  it("reads the same however the stream is cut", () => {
    for (let at = 0; at <= STREAM.length; at++) {
      expect(plain(read([STREAM.subarray(0, at), STREAM.subarray(at)]))).toEqual(WANTED);
    }
    expect(plain(read([...STREAM].map((byte) => Buffer.of(byte))))).toEqual(WANTED);
  });

  it("keeps bytes that are half a character as they are", () => {
    const events = read([Buffer.from("%output %1 \xe6\x97\n%output %1 \xa5\n", "latin1")]);
    const bytes = Buffer.concat(events.map((event) => (event.kind === "output" ? event.bytes : Buffer.alloc(0))));
    expect(bytes.toString("utf8")).toBe("日");
  });

  it("survives any bytes", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 64 })), (chunks) => {
        read(chunks.map((chunk) => Buffer.from(chunk)));
      }),
    );
  });

  it("gives up on a line of more than 16 MB", () => {
    expect(() => read([Buffer.alloc(16 * 1024 * 1024 + 1, 0x61)])).toThrow(RangeError);
  });
});

describe("unescapeOutput", () => {
  const escaped = (bytes: Uint8Array): string =>
    [...bytes]
      .map((byte) =>
        byte < 0x20 || byte === 0x5c ? `\\${byte.toString(8).padStart(3, "0")}` : String.fromCharCode(byte),
      )
      .join("");

  it("undoes what tmux writes, for all bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(unescapeOutput(Buffer.from(escaped(bytes), "latin1"))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it("leaves a stray backslash alone", () => {
    expect(unescapeOutput(Buffer.from("a\\9b\\")).toString()).toBe("a\\9b\\");
  });
});

describe("isNonce", () => {
  const block = (lines: readonly string[], ok = true) => ({
    ok,
    ours: true,
    lines: lines.map((line) => Buffer.from(line)),
  });

  it("asks for the whole body", () => {
    expect(isNonce(block(["n-1"]), "n-1")).toBe(true);
    expect(isNonce(block(["n-1", ""]), "n-1")).toBe(false);
    expect(isNonce(block(["n-11"]), "n-1")).toBe(false);
    expect(isNonce(block(["n-1"], false), "n-1")).toBe(false);
  });
});
