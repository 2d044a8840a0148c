import { describe, expect, it } from "vitest";
import { deliveryId, terminalId } from "../../../src/bus/ids.js";
import type { Answer } from "../../../src/tmux/client.js";
import { createKeyboard } from "../../../src/tmux/keyboard.js";

const T1 = terminalId("t1");
const D1 = deliveryId("d1");

const given = (answer: Answer) => {
  const lines: string[] = [];
  const stale: string[] = [];
  const keyboard = createKeyboard({
    ask: async (line) => {
      lines.push(line);
      return answer;
    },
    place: (terminal) => (terminal === T1 ? { pane: "%1", terminal, instance: "inst", epoch: "1-a" } : null),
    onStale: () => stale.push("stale"),
    keepsControlBytes: () => true,
    log: () => {},
  });
  return { keyboard, lines, stale };
};
const says = (text: string, ok = true): Answer => ({
  kind: "answered",
  blocks: [{ ok, ours: true, lines: [Buffer.from(text)] }],
});

describe("keyboard", () => {
  it.each([
    ["quay d1 PASTED", { kind: "pasted" }],
    ["quay d1 REFUSED STALE-EPOCH MODE ", { kind: "refused", reason: "stale epoch" }],
    ["quay d1 REFUSED MISSING OTHER-TERMINAL ", { kind: "refused", reason: "gone" }],
    ["quay d1 REFUSED OTHER-TERMINAL ", { kind: "refused", reason: "gone" }],
    ["quay d1 REFUSED DEAD ALREADY ", { kind: "refused", reason: "gone" }],
    ["quay d1 REFUSED INPUT-OFF ", { kind: "refused", reason: "input off" }],
    ["quay d1 REFUSED ALREADY MODE ", { kind: "refused", reason: "already pasted" }],
    ["quay d1 REFUSED MODE ", { kind: "refused", reason: "mode" }],
    ["quay d1 REFUSED NO-ECHO ", { kind: "unknown" }],
    ["quay d1 ENTERED", { kind: "unknown" }],
    ["something else", { kind: "unknown" }],
  ])("reads the reply to a paste: %j", async (line, reply) => {
    expect(await given(says(line)).keyboard.paste(T1, D1, "text")).toEqual(reply);
  });

  it.each([
    ["quay d1 ENTERED", { kind: "entered" }],
    ["quay d1 REFUSED STALE-EPOCH ", { kind: "refused", reason: "stale epoch" }],
    ["quay d1 REFUSED DEAD ", { kind: "refused", reason: "gone" }],
    ["quay d1 REFUSED ALREADY NO-ECHO ", { kind: "refused", reason: "already entered" }],
    ["quay d1 REFUSED NOT-PASTED NO-ECHO ", { kind: "refused", reason: "not pasted" }],
    ["quay d1 REFUSED NO-ECHO ", { kind: "refused", reason: "no echo" }],
    ["quay d1 REFUSED NOT-ENTERED NO-ECHO ", { kind: "refused", reason: "not entered" }],
    ["quay d1 REFUSED MODE ", { kind: "unknown" }],
    ["quay d1 PASTED", { kind: "unknown" }],
  ])("reads the reply to Enter: %j", async (line, reply) => {
    expect(await given(says(line)).keyboard.enter(T1, D1, null)).toEqual(reply);
  });

  it("tells when the epoch is another's", async () => {
    const { keyboard, stale } = given(says("quay d1 REFUSED STALE-EPOCH "));
    await keyboard.paste(T1, D1, "text");
    expect(stale).toEqual(["stale"]);
  });

  it("counts a closed pane as gone, and no answer as unknown", async () => {
    expect(await given(says("target pane has exited", false)).keyboard.enter(T1, D1, null)).toEqual({
      kind: "refused",
      reason: "gone",
    });
    expect(await given({ kind: "unknown", why: "late" }).keyboard.paste(T1, D1, "x")).toEqual({ kind: "unknown" });
  });

  it("asks tmux nothing for a terminal without a pane", async () => {
    const { keyboard, lines } = given(says("quay d1 PASTED"));
    expect(await keyboard.paste(terminalId("t2"), D1, "x")).toEqual({ kind: "refused", reason: "gone" });
    await keyboard.answerQuery(terminalId("t2"), Uint8Array.of(1));
    expect(lines).toEqual([]);
  });

  it("gates Enter by the tail of the text only when there is enough of it", async () => {
    const { keyboard, lines } = given(says("quay d1 ENTERED"));
    await keyboard.enter(T1, D1, { echoTail: "run the parser", cursor: null });
    await keyboard.enter(T1, D1, { echoTail: "ok", cursor: null });
    await keyboard.enter(T1, D1, null);
    expect(lines.map((line) => line.includes("#{C:"))).toEqual([true, false, false]);
  });

  it("leaves bytes of an answer alone where tmux would rewrite them", async () => {
    const { keyboard, lines } = given(says(""));
    await keyboard.answerQuery(T1, Buffer.from("\x1b[0n"));
    expect(lines[0]).toContain("paste-buffer -r -S -t %1");
  });
});
