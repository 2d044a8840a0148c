/** The second Enter through the whole engine: only where the line holds exactly our text and was broken by the first. */
import { describe, expect, test } from "vitest";
import { PRESSED_TWICE } from "../../../src/bus/second-enter.js";
import { newGround, type Rig, startRig } from "../../support/engine-rig.js";
import { verifies } from "../../support/verifies.js";

const HELLO = "[Peer agent (a)]: hello";

const entered = async (): Promise<Rig> => {
  const rig = await startRig({ ground: newGround() });
  await rig.launch("a");
  await rig.launch("b");
  void rig.send("a", "b", "hello");
  await rig.advance(500);
  expect(rig.typed("b")).toEqual([`paste ${HELLO}`, "enter"]);
  return rig;
};
const shows = (rig: Rig, text: string): void => {
  rig.host.pane(rig.idOf("b")).text = text;
};

describe("a second Enter", () => {
  verifies("hazard:swallowed-enter", "is pressed where the first one only broke the line, once", async () => {
    const rig = await entered();
    shows(rig, `${HELLO}\n`);
    await rig.advance(14_000);
    expect(rig.typed("b")).toEqual([`paste ${HELLO}`, "enter", "enter"]);
    expect(rig.trail()[0]).toMatchObject({ status: "Dispatched", notes: [PRESSED_TWICE] });
    const answer = await rig.client.dispatch({ kind: "explain", delivery: null });
    expect(answer).toMatchObject({ proof: { markers: "entered twice" } });
  });

  test.each([
    ["the same text, unchanged", HELLO],
    ["nothing: it was submitted", ""],
    ["a person's words behind it", `${HELLO}\nand I`],
    ["a person's words before it", `wait. ${HELLO}\n`],
    ["a dialog", "dialog: permission"],
    ["a screen that nobody understands", "mess"],
  ])("is never pressed on %s", async (_name, line) => {
    const rig = await entered();
    shows(rig, line);
    await rig.advance(14_000);
    expect(rig.typed("b")).toEqual([`paste ${HELLO}`, "enter"]);
  });

  test("is not pressed while a person is at that keyboard", async () => {
    const rig = await entered();
    shows(rig, `${HELLO}\n`);
    rig.host.pane(rig.idOf("b")).person = true;
    await rig.advance(14_000);
    expect(rig.typed("b")).toEqual([`paste ${HELLO}`, "enter"]);
  });

  test("is refused by tmux when the screen changes between the look and the key", async () => {
    const rig = await entered();
    shows(rig, `${HELLO}\n`);
    const { personAt } = rig.host;
    Object.assign(rig.host, {
      personAt: async (...given: Parameters<typeof personAt>) => {
        const is = await personAt(...given);
        shows(rig, `${HELLO}\n\nDo you want to proceed?`);
        return is;
      },
    });
    await rig.advance(14_000);
    expect(rig.typed("b")).toEqual([`paste ${HELLO}`, "enter"]);
  });

  verifies(
    "restart:nothing-twice",
    "of an engine that was killed after it is not pressed by the next one",
    async () => {
      const rig = await entered();
      shows(rig, `${HELLO}\n`);
      // The answer of tmux never reaches the bus.
      const { enterAgain } = rig.host;
      Object.assign(rig.host, {
        enterAgain: async (...given: Parameters<typeof enterAgain>) => {
          await enterAgain(...given);
          return new Promise(() => {});
        },
      });
      await rig.advance(3_000);
      expect(rig.ground.world.typed.filter(({ kind }) => kind === "enter")).toHaveLength(2);
      await rig.kill();
      const next = await startRig({ ground: rig.ground });
      await next.advance(10_000);
      expect(rig.ground.world.typed.filter(({ kind }) => kind === "enter")).toHaveLength(2);
      expect(next.trail()[0]!.notes).toEqual([PRESSED_TWICE]);
    },
  );

  test("of an engine that was killed before it is pressed by the next one", async () => {
    const rig = await entered();
    shows(rig, `${HELLO}\n`);
    Object.assign(rig.host, { enterAgain: () => new Promise(() => {}) });
    await rig.advance(3_000);
    await rig.kill();
    const next = await startRig({ ground: rig.ground });
    await next.advance(10_000);
    expect(rig.ground.world.typed.filter(({ kind }) => kind === "enter")).toHaveLength(2);
  });
});
