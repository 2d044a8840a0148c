/**
 * Dialogs open at moments of chance while messages flow. One that was signalled 50 ms before the Enter is never
 * answered by Quay; the others are counted and printed, and the aim is none.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ofKind } from "../support/chaos-books.js";
import { type ChaosStage, createChaosStage, type Drill, scaled } from "../support/chaos-stage.js";
import { until } from "../support/until.js";

let stage: ChaosStage;
beforeAll(async () => {
  stage = await createChaosStage();
  await stage.startEngine();
});
afterAll(() => stage.close());

const SIGNAL_MS = 50;
const DIALOGS = scaled(60, 340);

const flow = async (
  name: string,
  drill: Drill,
): Promise<{ readonly late: number; readonly early: number; readonly opened: number }> => {
  const agent = await stage.launch(name, {
    DRILL_DIALOGS: DIALOGS,
    DRILL_DIALOG_GAP_MS: "1-500",
    DRILL_DIALOG_OPEN_MS: 120,
    DRILL_TURN_MS: "5-80",
    ...drill,
  });
  // Without its reports each way of telling would be the same one.
  expect(ofKind(agent.lines(), "started")[0]?.osc).toBe(drill.DRILL_OSC !== "off");
  let sent = 0;
  let cleared = 0;
  // An Enter that a dialog took leaves the message on the line: a person clears it, and the queue goes on.
  const clear = async (): Promise<boolean> => {
    const entries = await stage.trail(name);
    const stood = entries.filter(({ notes }) => notes.some((note) => note.includes("stood on the line"))).length;
    const isHeld = ["a person is typing", "its line holds text that was not submitted"].includes(
      agent.view().held ?? "",
    );
    const isOccupied = isHeld && agent.view().status === "idle";
    if (isOccupied && stood > cleared && agent.screen().includes("❯\u00a0")) {
      cleared += 1;
      agent.press("C-u");
    }
    return entries.every(({ status }) => status === "Completed" || status === "Failed");
  };
  const opened = (): number => ofKind(agent.lines(), "dialogClosed").length;
  const feed = async (): Promise<boolean> => {
    if (agent.view().queued < 2) {
      sent += 1;
      await stage.send(name, sent % 7 === 0 ? `long message ${sent}\n`.repeat(5) : `message ${sent} for ${name}`);
    }
    await clear();
    return opened() >= DIALOGS;
  };
  await until(feed, DIALOGS * 3_000, () => `its dialogs: ${opened()} of ${DIALOGS}`);
  await until(clear, 60_000, () => `all to be over: ${JSON.stringify(agent.view())}`).catch(async (error: Error) => {
    throw new Error(`${error.message}: ${await stage.story()}`);
  });
  expect((await stage.books(agent, { typedByHand: "\u0015".repeat(cleared) })).faults).toEqual([]);
  const answered = ofKind(agent.lines(), "dialogAnswered");
  const entries = await stage.trail(name);
  const failed = entries.filter((entry) => entry.status === "Failed");
  const late = answered.filter(({ heldMs }) => heldMs >= SIGNAL_MS).length;
  const early = answered.length - late;
  console.log(
    `${name}: ${opened()} dialogs, ${entries.length} messages, ${failed.length} failed with a reason; answered by Quay: ${late} signalled ${SIGNAL_MS} ms before, ${early} others`,
  );
  return { late, early, opened: opened() };
};

describe.concurrent("no dialog is answered", () => {
  test.each([
    ["announced", { DRILL_DIALOG_LEAD_MS: SIGNAL_MS }],
    ["told-when-open", {}],
    ["never-told", { DRILL_OSC: "off" }],
  ] as const)("%s", async (name, drill) => {
    const { late, opened } = await flow(name, { DRILL_SEED: 21, ...drill });
    expect(late).toBe(0);
    expect(opened).toBe(DIALOGS);
  });
});
