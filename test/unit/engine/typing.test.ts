import { describe, expect, test } from "vitest";
import type { Rig } from "../../support/engine-rig.js";
import { startRig } from "../../support/engine-rig.js";
import { verifies } from "../../support/verifies.js";

const both = async (): Promise<Rig> => {
  const rig = await startRig();
  await rig.launch("a");
  await rig.launch("b");
  return rig;
};
const HELLO = "[Peer agent (a)]: hello";
const WHOLE = [`paste ${HELLO}`, "enter"];
const setLine = (rig: Rig, text: string): void => {
  rig.host.pane(rig.idOf("b")).text = text;
};

describe("typing a message", () => {
  verifies(
    ["hazard:bytes-equal-trail", "hazard:no-control-keys"],
    "types each text of the trail and its Enter, nothing else",
    async () => {
      const rig = await both();
      for (const [n, text] of ["one", "two\nlines", "3"].entries()) {
        const answer = rig.send("a", "b", text);
        await rig.advance(500);
        expect(await answer).toMatchObject({ ok: true, outcome: { kind: "dispatched" } });
        const prompt = rig.deliveries().at(-1)!.typed;
        await rig.sees("b", { kind: "turnStarted", cliTurn: `t${n}`, prompt, automatic: false });
        const end = { kind: "answered", text: "" } as const;
        await rig.sees("b", { kind: "turnStopped", cliTurn: `t${n}`, end, subagentsRunning: false });
        await rig.advance(400);
      }
      const trail = [...rig.trail()].reverse().flatMap((entry) => [`paste [Peer agent (a)]: ${entry.text}`, "enter"]);
      expect(rig.typed("b")).toEqual(trail);
      expect(rig.host.typed.filter((typed) => typed.kind === "enter").every((typed) => typed.text === "\r")).toBe(true);
    },
  );

  test("is held behind a draft until the line is empty again", async () => {
    const rig = await both();
    setLine(rig, "half a thou");
    const answer = rig.send("a", "b", "hello");
    await rig.advance(30_000);
    expect(await answer).toMatchObject({ outcome: { kind: "queued" } });
    expect(rig.typed("b")).toEqual([]);
    expect(rig.trail()[0]).toMatchObject({ status: "Queued", notes: ["held: a person is typing"] });
    expect(rig.host.pane(rig.idOf("b")).text).toBe("half a thou");
    setLine(rig, "");
    await rig.advance(1_000);
    expect(rig.typed("b")).toEqual(WHOLE);
  });

  test("waits for a dialog to go that opens between the echo and Enter", async () => {
    const rig = await both();
    const b = rig.idOf("b");
    const { enter } = rig.host;
    let isFirst = true;
    Object.assign(rig.host, {
      enter: async (...given: Parameters<typeof enter>) => {
        if (!isFirst) return enter(...given);
        isFirst = false;
        rig.host.setScreen(b, "dialog: permission");
        return { kind: "refused", reason: "no echo" };
      },
    });
    void rig.send("a", "b", "hello");
    await rig.advance(100);
    expect(rig.typed("b")).toEqual([`paste ${HELLO}`]);
    rig.host.setScreen(b, null);
    await rig.advance(500);
    expect(rig.typed("b")).toEqual(WHOLE);
    expect(rig.trail()[0]).toMatchObject({ status: "Dispatched" });
  });

  test("goes on watching a held line over a tmux that does not answer for a while", async () => {
    const rig = await both();
    setLine(rig, "half a thou");
    void rig.send("a", "b", "hello");
    await rig.advance(1_000);
    const { screen } = rig.host;
    Object.assign(rig.host, { screen: () => Promise.reject(new Error("no answer")) });
    await rig.advance(5_000);
    Object.assign(rig.host, { screen });
    setLine(rig, "");
    await rig.advance(3_000);
    expect(rig.typed("b")).toEqual(WHOLE);
  });

  verifies("held:toast", "tells once that it is held, after a minute, and why", async () => {
    const rig = await both();
    setLine(rig, "half a thou");
    void rig.send("a", "b", "hello");
    void rig.send("a", "b", "and more");
    await rig.advance(59_000);
    expect(rig.toasts).toEqual([]);
    await rig.advance(2_000);
    expect(rig.toasts).toEqual(["2 messages to b held: a person is typing"]);
    await rig.advance(120_000);
    expect(rig.toasts).toHaveLength(1);
    setLine(rig, "");
    await rig.advance(1_000);
    expect(rig.toasts.at(-1)).toBe("Message from a to b");
  });

  verifies("hazard:draft-kept", "is held while a person is at the keyboard of that terminal", async () => {
    const rig = await both();
    rig.host.pane(rig.idOf("b")).person = true;
    void rig.send("a", "b", "hello");
    await rig.advance(10_000);
    expect(rig.typed("b")).toEqual([]);
    expect(rig.trail()[0]).toMatchObject({ status: "Queued", notes: ["held: a person is typing"] });
    rig.host.pane(rig.idOf("b")).person = false;
    await rig.advance(1_000);
    expect(rig.typed("b")).toEqual(WHOLE);
  });

  test("is held when a person begins to type between the two looks at the line", async () => {
    const rig = await both();
    void rig.send("a", "b", "hello");
    await rig.advance(5);
    setLine(rig, "h");
    await rig.advance(1_000);
    expect(rig.typed("b")).toEqual([]);
    expect(rig.trail()[0]!.notes).toEqual(["held: a person is typing"]);
  });

  test("is held while a dialog is open or the screen is not understood, and the reason follows the screen", async () => {
    const rig = await both();
    setLine(rig, "mess");
    void rig.send("a", "b", "hello");
    await rig.advance(1_000);
    expect(rig.trail()[0]!.notes).toEqual(["held: the screen is not understood"]);
    setLine(rig, "dialog: trust");
    await rig.advance(1_000);
    expect(rig.trail()[0]!.notes).toEqual(["held: a dialog is open"]);
    await rig.advance(60_000);
    expect(rig.typed("b")).toEqual([]);
    setLine(rig, "");
    await rig.advance(1_000);
    expect(rig.typed("b")).toEqual(WHOLE);
  });

  verifies("hazard:copy-mode", "is held while the pane is in a mode", async () => {
    const rig = await both();
    rig.host.pane(rig.idOf("b")).inMode = true;
    void rig.send("a", "b", "hello");
    await rig.advance(10_000);
    expect(rig.typed("b")).toEqual([]);
    expect(rig.trail()[0]).toMatchObject({ status: "Queued", notes: ["held: the pane is in a mode"] });
    rig.host.pane(rig.idOf("b")).inMode = false;
    await rig.advance(3_000);
    expect(rig.typed("b")).toEqual(WHOLE);
  });

  test("fails on a pane whose input is off, after tries that end", async () => {
    const rig = await both();
    rig.host.pane(rig.idOf("b")).inputOff = true;
    void rig.send("a", "b", "hello");
    await rig.advance(60_000);
    expect(rig.trail()[0]).toMatchObject({ status: "Failed" });
    expect(rig.typed("b")).toEqual([]);
  });

  verifies("hazard:enter-only-on-echo", "presses Enter only on an echo of its own text alone", async () => {
    for (const [shown, why] of [
      ["", "the line never showed the pasted text"],
      [`x${HELLO}`, "the line holds other text beside the message"],
      ["dialog: permission", "a dialog (permission) was open after the paste"],
    ] as const) {
      const rig = await both();
      rig.host.pane(rig.idOf("b")).echoes = false;
      rig.host.whenTyped((typed) => {
        if (typed.kind === "paste") setLine(rig, shown);
      });
      const answer = rig.send("a", "b", "hello");
      await rig.advance(2_000);
      expect(await answer, shown).toMatchObject({ outcome: { kind: "deliveryFailed", why } });
      expect(rig.typed("b")).toEqual([`paste ${HELLO}`]);
      expect(rig.trail()[0]).toMatchObject({ status: "Failed", notes: [why] });
      // The line is taken until it is seen empty: what comes next waits for that.
      setLine(rig, "our text, not entered");
      void rig.send("a", "b", "next");
      await rig.advance(5_000);
      expect(rig.trail()[0]).toMatchObject({ status: "Queued" });
      expect(rig.typed("b")).toHaveLength(1);
      rig.host.pane(rig.idOf("b")).echoes = true;
      rig.host.whenTyped((typed) => {
        if (typed.kind === "paste") setLine(rig, typed.text);
      });
      setLine(rig, "");
      await rig.advance(2_000);
      expect(rig.typed("b").slice(1)).toEqual(["paste [Peer agent (a)]: next", "enter"]);
    }
  });

  test("looks again when tmux does not see the echo yet", async () => {
    const rig = await both();
    rig.host.nextEnter(rig.idOf("b"), { kind: "refused", reason: "no echo" }, { kind: "refused", reason: "no echo" });
    const answer = rig.send("a", "b", "hello");
    await rig.advance(1_000);
    expect(await answer).toMatchObject({ outcome: { kind: "dispatched" } });
    expect(rig.typed("b")).toEqual(WHOLE);
  });

  test("to a program that has ended fails at once", async () => {
    const rig = await both();
    rig.host.nextPaste(rig.idOf("b"), { kind: "refused", reason: "gone" });
    const answer = rig.send("a", "b", "hello");
    await rig.advance(1_000);
    expect(await answer).toMatchObject({ outcome: { kind: "deliveryFailed", why: "its program has ended" } });
  });

  test("that tmux did not answer about goes by the markers after a fence", async () => {
    // Nothing was typed: the next try types it.
    const rig = await both();
    rig.host.nextPaste(rig.idOf("b"), { kind: "unknown" });
    void rig.send("a", "b", "hello");
    await rig.advance(2_000);
    expect(rig.typed("b")).toEqual(WHOLE);
    expect(rig.trail()[0]!.status).toBe("Dispatched");

    // It stands on the line: only Enter is missing.
    const pasted = await both();
    pasted.host.nextEnter(pasted.idOf("b"), { kind: "unknown" });
    void pasted.send("a", "b", "hello");
    await pasted.advance(2_000);
    expect(pasted.typed("b")).toEqual(WHOLE);

    // All of it is in: nothing is typed again.
    const entered = await both();
    entered.host.whenTyped((typed) => {
      if (typed.kind === "paste") return;
      entered.host.setReachable(false);
    });
    void entered.send("a", "b", "hello");
    await entered.advance(3_000);
    entered.host.setReachable(true);
    await entered.advance(3_000);
    expect(entered.typed("b")).toEqual(WHOLE);
    expect(entered.trail()[0]!.status).toBe("Dispatched");
  });

  test("while tmux is away waits for it, and goes on", async () => {
    const rig = await both();
    rig.host.setReachable(false);
    const answer = rig.send("a", "b", "hello");
    await rig.advance(10_000);
    expect(await answer).toMatchObject({ outcome: { kind: "queued" } });
    rig.host.setReachable(true);
    await rig.advance(1_000);
    expect(rig.typed("b")).toEqual(WHOLE);
  });

  test("ends with another engine's fence: this one types no more and comes to rest", async () => {
    const rig = await both();
    const second = await startRig({ ground: { ...rig.ground, disk: { checkpoint: null, facts: [] } } });
    void rig.send("a", "b", "hello");
    await rig.advance(5_000);
    expect(rig.typed("b")).toEqual([]);
    expect(rig.engine.state().stopped).not.toBe(null);
    expect(await rig.send("a", "b", "again")).toMatchObject({
      outcome: { kind: "refused", refusal: { kind: "fencedOut" } },
    });
    const before = rig.notes.length;
    await rig.advance(30_000);
    expect(rig.notes.length).toBe(before);
    await rig.engine.settled();
    await second.kill();
  });

  verifies("hazard:one-submission", "of several lines is one paste and one Enter", async () => {
    const rig = await both();
    void rig.send("a", "b", "one\n\ntwo\nthree");
    await rig.advance(500);
    expect(rig.typed("b")).toEqual(["paste [Peer agent (a)]: one\n\ntwo\nthree", "enter"]);
  });

  test("keeps a start-up dialog waiting, then types the message that was kept", async () => {
    const rig = await startRig();
    await rig.launch("a");
    await rig.launch("b", "claude", { silent: true });
    setLine(rig, "dialog: trust");
    await rig.advance(2_000);
    void rig.send("a", "b", "hello");
    await rig.advance(120_000);
    const [, agent] = rig.client.snapshot().agents;
    expect(agent).toMatchObject({ status: "waiting", level: "full peer", prompt: { text: "trust dialog" } });
    expect(rig.typed("b")).toEqual([]);
    setLine(rig, "");
    await rig.sees("b", { kind: "ready", cliSession: "s", cleared: false });
    await rig.advance(1_000);
    expect(rig.typed("b")).toEqual(WHOLE);
  });
});
