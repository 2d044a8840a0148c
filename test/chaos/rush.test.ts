/** Many messages at the worst moments: in the instant in which a turn ends, and from all sides into one terminal. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seeded } from "../../src/drill/random.js";
import { ofKind } from "../support/chaos-books.js";
import { type ChaosStage, createChaosStage, type DrillAgent, scaled } from "../support/chaos-stage.js";
import { until } from "../support/until.js";

let stage: ChaosStage;
beforeAll(async () => {
  stage = await createChaosStage();
  await stage.startEngine();
});
afterAll(() => stage.close());

const expectClean = async (agent: DrillAgent, count: number): Promise<void> => {
  const books = await stage.books(agent);
  expect(books.faults).toEqual([]);
  expect(books.submitted).toHaveLength(count);
  const entries = await stage.trail(agent.name);
  expect(entries.filter((entry) => entry.status !== "Completed")).toEqual([]);
  // Each got the answer of its very turn.
  expect(entries.map(({ response }) => response)).toEqual(
    ofKind(agent.lines(), "turnEnded").map(({ answer }) => answer),
  );
  expect(ofKind(agent.lines(), "submitted").filter(({ during }) => during === "turn")).toEqual([]);
  expect(ofKind(agent.lines(), "turnAborted")).toEqual([]);
};

/** Resolves in the tick in which the engine first says so. */
const onChange = (is: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (!is()) return;
      stop();
      resolve();
    };
    const stop = stage.client().subscribe(look);
    look();
  });

/** Its own record says that the turn is over: Stop is on its way now, and so is the message. */
const untilEnded = (agent: DrillAgent, turns: number): Promise<unknown> =>
  until(() => ofKind(agent.lines(), "turnEnded").length >= turns, 30_000, "the end of the turn");

const collide = async (name: string, rounds: number, seed: number): Promise<void> => {
  const random = seeded(seed);
  const agent = await stage.launch(name, { DRILL_TURN_MS: "5-60", DRILL_SEED: seed, DRILL_BUSY_INPUT: "abort" });
  let sent = 0;
  const send = (): Promise<void> => {
    sent += 1;
    return stage.send(name, `collision ${sent}`);
  };
  await send();
  while (sent < rounds) {
    const turns = sent;
    const way = sent % 4;
    if (way === 0)
      await onChange(() => agent.view().status === "working").then(() =>
        onChange(() => agent.view().status === "idle"),
      );
    else if (way === 1) await untilEnded(agent, turns);
    else if (way === 2) {
      await onChange(() => agent.view().status === "working");
      const at = Date.now() + random.within({ min: 0, max: 150 });
      await until(() => Date.now() >= at);
    } else {
      await untilEnded(agent, turns);
      const at = Date.now() + random.within({ min: 0, max: 120 });
      await until(() => Date.now() >= at);
    }
    await send();
    // Never far ahead: only a message that meets the end of a turn counts.
    await untilEnded(agent, turns);
  }
  await until(
    async () => (await stage.trail(name)).every((entry) => entry.status === "Completed"),
    30_000,
    () => `all to be answered: ${JSON.stringify(agent.view())}`,
  );
  await expectClean(agent, rounds);
};

describe.concurrent("messages", () => {
  test.each([1, 2, 3, 4, 5])("meet the end of a turn (%i)", async (seed) => {
    await collide(`collider-${seed}`, scaled(100, 100), seed);
  });

  test("come from ten senders into one terminal", async () => {
    const senders = Array.from({ length: 10 }, (_, index) => `sender-${index + 1}`);
    for (const sender of senders) await stage.launch(sender);
    const agent = await stage.launch("target", { DRILL_TURN_MS: "1-20" });
    const each = scaled(8, 50);
    await Promise.all(
      senders.map(async (sender) => {
        for (let n = 1; n <= each; n += 1) await stage.send("target", `${n} of ${sender}`, sender);
      }),
    );
    await until(
      async () => (await stage.trail("target")).every((entry) => entry.status === "Completed"),
      scaled(180_000, 900_000),
      () => `all to be answered: ${JSON.stringify(agent.view())}`,
    );
    await expectClean(agent, 10 * each);
    for (const sender of senders) {
      const own = agent.submissions().filter((text) => text.includes(`(${sender})`));
      expect(own).toEqual(
        Array.from({ length: each }, (_, index) => `[Peer agent (${sender})]: ${index + 1} of ${sender}`),
      );
    }
  });
});
