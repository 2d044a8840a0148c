import { describe, expect, test } from "vitest";
import { type Rig, rest, startRig } from "../../support/engine-rig.js";
import { verifies } from "../../support/verifies.js";

const both = async (): Promise<Rig> => {
  const rig = await startRig();
  await rig.launch("a");
  await rig.launch("b");
  return rig;
};
const turn = async (rig: Rig, cliTurn: string, text: string): Promise<void> => {
  const prompt = rig.deliveries().at(-1)!.typed;
  await rig.sees("b", { kind: "turnStarted", cliTurn, prompt, automatic: false });
  await rig.sees("b", { kind: "turnStopped", cliTurn, end: { kind: "answered", text }, subagentsRunning: false });
  await rig.advance(400);
};

describe("a call", () => {
  verifies("wait:caller-gone-keeps-delivery", "that is aborted ends, and its message goes on", async () => {
    const rig = await both();
    const abort = new AbortController();
    const answer = rig.send("a", "b", "hello", true, abort.signal);
    await rig.advance(5);
    abort.abort();
    expect(await answer).toMatchObject({ ok: true, outcome: { kind: "abandoned" } });
    await rig.advance(500);
    await turn(rig, "t1", "GREEN");
    expect(rig.trail()[0]).toMatchObject({ status: "Completed", response: "GREEN" });
    expect(rig.engine.state().waits.size).toBe(0);
  });

  test("that was aborted before it began ends at once", async () => {
    const rig = await both();
    expect(await rig.send("a", "b", "hello", true, AbortSignal.abort())).toMatchObject({
      outcome: { kind: "abandoned" },
    });
    await rest();
    expect(rig.engine.state().waits.size).toBe(0);
  });

  verifies(
    ["send:repeat-joins-the-first", "send:repeat-after-answer-is-new"],
    "again joins the first, and is new once that was answered",
    async () => {
      const rig = await both();
      const abort = new AbortController();
      const first = rig.send("a", "b", "hello", true, abort.signal);
      await rig.advance(500);
      abort.abort();
      await first;
      const again = rig.send("a", "b", "hello", true);
      await rig.advance(100);
      await turn(rig, "t1", "GREEN");
      const joined = await again;
      if (!joined.ok) throw new Error(joined.message);
      expect(joined).toMatchObject({ outcome: { kind: "reply", text: "GREEN" } });
      expect(rig.trail()).toHaveLength(1);
      rig.directory.answered(joined.delivery);
      await rest();
      void rig.send("a", "b", "hello", true);
      await rig.advance(500);
      expect(rig.trail()).toHaveLength(2);
      expect(rig.typed("b")).toHaveLength(4);
    },
  );

  test("that is open when the engine breaks fails, and says so", async () => {
    const rig = await startRig({
      journal: (journal) => ({
        ...journal,
        append: async (facts) => {
          if (facts.some((fact) => fact.kind === "deliveryAccepted")) throw new Error("disk full");
          await journal.append(facts);
        },
      }),
    });
    await rig.launch("a");
    await rig.launch("b");
    expect(await rig.send("a", "b", "hello", true)).toMatchObject({
      ok: false,
      message: expect.stringContaining("disk full"),
    });
    expect(rig.client.snapshot().engine.stopped).toContain("disk full");
    await rig.advance(1_000);
    expect(rig.typed("b")).toEqual([]);
  });

  test("of a terminal that exits is answered, and the message stays", async () => {
    const rig = await both();
    const answer = rig.send("a", "b", "hello", true);
    await rig.advance(500);
    rig.host.exit(rig.idOf("a"), 0);
    await rest();
    expect(await answer).toMatchObject({ outcome: { kind: "abandoned" } });
    await turn(rig, "t1", "GREEN");
    expect(rig.trail()[0]).toMatchObject({ status: "Completed" });
  });

  verifies("target:same-for-send-and-status", "for a status matches as one for a message does", async () => {
    const rig = await both();
    const caller = { kind: "terminal", id: rig.idOf("a") } as const;
    expect(await rig.client.dispatch({ kind: "status", caller, target: "b" })).toMatchObject({
      ok: true,
      agent: { name: "b" },
    });
    const refused = await rig.client.dispatch({ kind: "status", caller, target: "nobody" });
    expect(refused).toMatchObject({ ok: false, code: "unknownTarget" });
    const exited = rig.idOf("b");
    rig.host.exit(exited, 0);
    await rest();
    expect(await rig.client.dispatch({ kind: "status", caller, target: "b" })).toMatchObject({
      ok: false,
      code: "nameExited",
    });
    expect(await rig.client.dispatch({ kind: "status", caller, target: exited })).toMatchObject({
      agent: { status: "exited" },
    });
  });

  verifies("ending:cancelled", "to cancel works in the queue, and says why not elsewhere", async () => {
    const rig = await both();
    await rig.sees("b", { kind: "turnStarted", cliTurn: "t1", prompt: "a person's", automatic: false });
    void rig.send("a", "b", "hello");
    await rig.advance(10);
    const delivery = rig.trail()[0]!.id;
    expect(await rig.client.dispatch({ kind: "cancel", delivery })).toEqual({ ok: true });
    expect(rig.trail()[0]!.status).toBe("Failed");
    expect(await rig.client.dispatch({ kind: "cancel", delivery })).toMatchObject({
      ok: false,
      code: "not-cancellable",
    });
    expect(await rig.client.dispatch({ kind: "cancel", delivery: "d999" })).toMatchObject({
      ok: false,
      code: "unknown-delivery",
    });
  });

  verifies("screen:type-now", "to type now looks at a held line anew, and says why not elsewhere", async () => {
    const rig = await both();
    rig.host.pane(rig.idOf("b")).person = true;
    void rig.send("a", "b", "hello");
    await rig.advance(10);
    const delivery = rig.trail()[0]!.id;
    const held = { ok: true, held: "a person is typing" };
    expect(rig.trail()[0]!.notes).toEqual(["held: a person is typing"]);
    // Still at its keyboard: it holds again.
    expect(await rig.client.dispatch({ kind: "typeNow", delivery })).toEqual(held);
    await rig.advance(10);
    expect(rig.trail()[0]).toMatchObject({ status: "Queued", notes: ["held: a person is typing"] });
    rig.host.pane(rig.idOf("b")).person = false;
    expect(await rig.client.dispatch({ kind: "typeNow", delivery })).toEqual(held);
    // Well before the engine itself looks at the line again.
    await rig.advance(100);
    expect(rig.trail()[0]!.status).toBe("Dispatched");
    expect(await rig.client.dispatch({ kind: "typeNow", delivery })).toMatchObject({
      ok: false,
      code: "not-held",
      message: expect.stringContaining("only a queued message can be typed"),
    });
  });

  verifies("stop:agents-go-on", "to stop counts the agents that go on, and no shell", async () => {
    const rig = await both();
    await rig.launch("sh", "shell");
    rig.host.exit(rig.idOf("b"), 0);
    await rest();
    expect(await rig.client.dispatch({ kind: "stop" })).toEqual({ ok: true, agentsLeft: 1 });
  });

  verifies("forget:exited-stay", "to forget drops exited terminals only", async () => {
    const rig = await both();
    expect(await rig.client.dispatch({ kind: "forget", target: "b" })).toMatchObject({
      ok: false,
      code: "still-running",
    });
    rig.host.exit(rig.idOf("b"), 0);
    await rest();
    expect(rig.client.snapshot().agents).toHaveLength(2);
    expect(await rig.client.dispatch({ kind: "forget", target: "b" })).toMatchObject({ ok: true });
    expect(rig.client.snapshot().agents).toHaveLength(1);
  });
});
