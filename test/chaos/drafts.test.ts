/**
 * A person begins a draft while a long text is being pasted, which the terminal takes in chunks. Neither is the draft
 * submitted with it nor lost: the message is held, or failed with its reason, and what waits is typed when it is gone.
 */
import { afterAll, beforeAll, describe, expect } from "vitest";
import { seeded } from "../../src/drill/random.js";
import { ofKind } from "../support/chaos-books.js";
import { type ChaosStage, createChaosStage, type DrillAgent, scaled } from "../support/chaos-stage.js";
import { until } from "../support/until.js";
import { verifies } from "../support/verifies.js";

let stage: ChaosStage;
beforeAll(async () => {
  stage = await createChaosStage();
  await stage.startEngine();
});
afterAll(() => stage.close());

/** So much that the program reads it in many pieces. */
const LONG = "a long text, of which a line has sixty-three characters in all\n".repeat(3_000);
const ROUNDS = scaled(15, 150);
const TURN_MS = 30;

const hasBytes = (agent: DrillAgent, known: number): boolean => ofKind(agent.lines(), "bytes").length > known;

type Seen = { held: number; failed: number; submitted: number };

/** One long message, a draft that begins at `moment` of it, and a short message behind. */
const meet = async (agent: DrillAgent, round: number, seen: Seen, moment: () => Promise<void>): Promise<string> => {
  const text = `${round}: ${LONG}`.trim();
  const draft = `half a thought ${round}`;
  const before = agent.submissions().length;
  const sent = stage.send(agent.name, text);
  await moment();
  agent.press("-l", draft);
  await sent;
  await stage.send(agent.name, `behind ${round}`);
  // The draft stays on the line, whatever became of the message before it; what is behind waits for it.
  const entriesNow = async () => (await stage.trail(agent.name)).slice(-2);
  await until(
    async () => {
      const [long, behind] = await entriesNow();
      const isSettled = long?.status !== "Dispatched" && (long?.status !== "Queued" || long.notes.length > 0);
      return isSettled && behind?.notes.some((note) => note.startsWith("held: ")) === true;
    },
    20_000,
    () => `the hold: ${agent.screen()}`,
  );
  const [long] = await entriesNow();
  expect(agent.screen().replace(/\s+/g, " ")).toContain(draft);
  expect(agent.submissions().slice(before)).toEqual(long?.status === "Completed" ? [text] : []);
  if (long?.status === "Queued") seen.held += 1;
  if (long?.status === "Failed") {
    seen.failed += 1;
    expect(long.notes).toEqual(["the line holds other text beside the message"]);
  }
  if (long?.status === "Completed") seen.submitted += 1;
  // The person gives up the draft, and with it a message that could not be submitted.
  agent.press("C-u");
  await until(
    async () => {
      const over = await entriesNow();
      return over.every(({ status }) => status === "Completed" || (status === "Failed" && seen.failed > 0));
    },
    20_000,
    () => `all to be over: ${agent.screen()}`,
  );
  expect((await entriesNow())[1]?.status).toBe("Completed");
  return `${draft}\u0015`;
};

describe.concurrent("a draft that begins while a long text is pasted", () => {
  verifies("hazard:draft-kept", "in the middle of the paste", async () => {
    const agent = await stage.launch("middle", { DRILL_TURN_MS: TURN_MS });
    const seen: Seen = { held: 0, failed: 0, submitted: 0 };
    let typed = "";
    for (let round = 1; round <= ROUNDS; round += 1) {
      const known = ofKind(agent.lines(), "bytes").length;
      typed += await meet(agent, round, seen, async () => {
        await until(() => hasBytes(agent, known), 10_000, "the paste to begin");
      });
    }
    console.log(`drafts in the middle of a paste: ${JSON.stringify(seen)}`);
    expect((await stage.books(agent, { typedByHand: typed })).faults).toEqual([]);
    expect(seen.failed).toBeGreaterThan(0);
  });

  verifies("hazard:draft-kept", "at moments of chance around it", async () => {
    const agent = await stage.launch("around", { DRILL_TURN_MS: TURN_MS });
    const random = seeded(9);
    const seen: Seen = { held: 0, failed: 0, submitted: 0 };
    let typed = "";
    for (let round = 1; round <= ROUNDS; round += 1) {
      const at = performance.now() + random.within({ min: 0, max: 400 });
      typed += await meet(agent, round, seen, async () => {
        await until(() => performance.now() >= at);
      });
    }
    console.log(`drafts around a paste: ${JSON.stringify(seen)}`);
    expect((await stage.books(agent, { typedByHand: typed })).faults).toEqual([]);
  });
});
