import { describe, expect, it } from "vitest";
import type { Block } from "../../../src/tmux/protocol.js";
import { paneRows, parseFence, parsePaneRow, parseTyping } from "../../../src/tmux/replies.js";

const block = (ok: boolean, ...lines: readonly string[]): Block => ({
  ok,
  ours: true,
  lines: lines.map((line) => Buffer.from(line)),
});
const EMPTY = block(true);

describe("parseTyping", () => {
  it.each([
    ["quay D1 PASTED", { kind: "pasted" }],
    ["quay D1 PASTED before=3", { kind: "pasted" }],
    ["quay D1 ENTERED", { kind: "entered" }],
    ["quay D1 REFUSED MODE ", { kind: "refused", reason: "MODE" }],
    ["quay D1 REFUSED STALE-EPOCH DEAD ALREADY ", { kind: "refused", reason: "STALE-EPOCH" }],
    ["quay D1 REFUSED ", { kind: "unknown" }],
    ["quay D1 REFUSED BUSY ", { kind: "unknown" }],
    ["quay D1 ", { kind: "unknown" }],
    ["quay D10 PASTED", { kind: "unknown" }],
  ])("reads %j", (line, reply) => {
    expect(parseTyping([EMPTY, block(true, line), EMPTY], "D1")).toMatchObject(reply);
  });

  it("knows a pane whose terminal was closed, and no other error", () => {
    expect(parseTyping([EMPTY, block(false, "target pane has exited"), EMPTY], "D1")).toEqual({ kind: "exited" });
    expect(parseTyping([block(false, "parse error")], "D1")).toEqual({ kind: "unknown", why: "parse error" });
  });

  it("does not choose between two replies", () => {
    expect(parseTyping([block(true, "quay D1 PASTED"), block(true, "quay D1 PASTED")], "D1").kind).toBe("unknown");
  });
});

describe("parseFence", () => {
  it("tells who won", () => {
    expect(parseFence([EMPTY, block(true, "quay fence WON")])).toEqual({ kind: "won" });
    expect(parseFence([block(true, "quay fence LOST 4-ff")])).toEqual({ kind: "lost", holder: "4-ff" });
    expect(parseFence([block(false, "bad")])).toEqual({ kind: "unknown", why: "bad" });
  });
});

describe("parsePaneRow", () => {
  const line = "%3/1/0/0/2-aa/t_1/d1//42/0//$0/@5";

  it("reads a row", () => {
    expect(parsePaneRow(line)).toEqual({
      ...{ pane: "%3", terminal: "t_1", pid: 42, dead: true, inputOff: false, inMode: false, epoch: "2-aa" },
      ...{ pasted: "d1", entered: null, enteredTwice: false, status: 0, signal: null, session: "$0", window: "@5" },
    });
  });

  it.each([
    "",
    "%3/1/0/0/2-aa/a b/d1//42/0//$0/@5",
    "%3/1/0/0/2-aa/t_1/x/d1//42/0//$0/@5",
    "3/1/0/0/2-aa/t_1/d1//42/0//$0/@5",
    "%3/1/0/0/2-aa/t_1/d1//42/0//quay/@5",
  ])("leaves out %j", (text) => {
    expect(parsePaneRow(text)).toBeNull();
  });

  it("lists a linked pane once, in our session when it is there", () => {
    const rows = (main: string) =>
      paneRows([block(true, line, line.replace("$0", "$4"))], main).map((row) => row.session);
    expect(rows("$4")).toEqual(["$4"]);
    expect(rows("$9")).toEqual(["$0"]);
  });
});
