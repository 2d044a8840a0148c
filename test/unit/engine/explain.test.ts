/** What `quay explain` says of a delivery: typed bytes, markers, times, and the screen when it failed. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { startRig } from "../../support/engine-rig.js";
import { verifies } from "../../support/verifies.js";

const world = async () => {
  const rig = await startRig();
  await rig.launch("a");
  await rig.launch("b");
  const proofOf = async (delivery: string | null) => {
    const answer = await rig.client.dispatch({ kind: "explain", delivery });
    if (!answer.ok) throw new Error(answer.message);
    return answer.proof;
  };
  return { rig, proofOf };
};

describe("the proof of a delivery", () => {
  verifies("explain:proof", "names the bytes, their hash, the markers and the times of what was typed", async () => {
    const { rig, proofOf } = await world();
    void rig.send("a", "b", "zwölf");
    await rig.advance(1_000);
    const typed = "[Peer agent (a)]: zwölf";
    expect(await proofOf(null)).toMatchObject({
      state: "dispatched",
      typed: { bytes: Buffer.byteLength(typed), sha256: createHash("sha256").update(typed).digest("hex"), lines: 1 },
      markers: "entered",
      turn: null,
      times: [{ what: "accepted, durable" }, { what: "text and Enter typed" }],
      screen: null,
    });
  });

  test("of a message behind another one: nothing of it was typed, and the first one's markers are overwritten later", async () => {
    const { rig, proofOf } = await world();
    void rig.send("a", "b", "first");
    void rig.send("a", "b", "second");
    await rig.advance(1_000);
    const [second, first] = rig.trail();
    expect(await proofOf(second!.id)).toMatchObject({ state: "queued", markers: "nothing" });
    await rig.sees("b", { kind: "turnStarted", cliTurn: "t1", prompt: "[Peer agent (a)]: first", automatic: false });
    const end = { kind: "answered", text: "done" } as const;
    await rig.sees("b", { kind: "turnStopped", cliTurn: "t1", end, subagentsRunning: false });
    await rig.advance(1_000);
    expect(await proofOf(second!.id)).toMatchObject({ markers: "entered" });
    expect(await proofOf(first!.id)).toMatchObject({ state: "completed", markers: "later", turn: "t1" });
  });

  test("of a message that was stranded beside a draft: with the screen", async () => {
    const { rig, proofOf } = await world();
    rig.host.whenTyped(() => {
      rig.host.pane(rig.idOf("b")).text = "my draft [Peer agent (a)]: hello";
    });
    void rig.send("a", "b", "hello");
    await rig.advance(5_000);
    expect(await proofOf(null)).toMatchObject({
      state: "failed",
      markers: "pasted",
      screen: expect.stringContaining("my draft"),
    });
  });

  test("of an unknown message, or of none: a plain refusal", async () => {
    const { rig } = await world();
    expect(await rig.client.dispatch({ kind: "explain", delivery: "msg-none" })).toMatchObject({
      ok: false,
      code: "unknown-delivery",
    });
    expect(await rig.client.dispatch({ kind: "explain", delivery: null })).toMatchObject({
      ok: false,
      code: "unknown-delivery",
    });
  });
});
