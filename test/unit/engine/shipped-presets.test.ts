/** The presets of the package, launched with made-up CLIs, each with the dialogue that docs/presets.md gives it. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { runKinds } from "../../../src/adapters/registry.js";
import { createPresetShelf } from "../../../src/store/presets.js";
import { type Rig, rest, startRig } from "../../support/engine-rig.js";
import { repositoryRoot } from "../../support/source-files.js";
import { tempFolder } from "../../support/temp-folder.js";
import { verifies } from "../../support/verifies.js";

/** One message and the turn it starts. Without `waits` the sender goes on, and the answer is for the trail. */
type Line = {
  readonly from: string | null;
  readonly to: string;
  readonly text: string;
  readonly answer: string;
  readonly waits?: true;
};

const DIALOGUES: Readonly<Record<string, readonly Line[]>> = {
  "tdd-swarm": [
    { from: null, to: "test-architect", text: "Write failing tests.", answer: "Handed off." },
    { from: "test-architect", to: "feature-impl", text: "Make them pass, then send me GREEN.", answer: "Sent." },
    { from: "feature-impl", to: "test-architect", text: "GREEN", answer: "RELAY DONE" },
  ],
  "review-pair": [
    { from: null, to: "developer", text: "Build it, then ask for a review.", answer: "Asked lead-architect." },
    {
      from: "developer",
      to: "lead-architect",
      text: "Review review-request.diff, write your findings to review.md, ending the file with the line VERDICT: APPROVE or VERDICT: CHANGES.",
      answer: "review.md is written.",
    },
    { from: null, to: "developer", text: "Read review.md.", answer: "VERDICT: APPROVE, pushed." },
  ],
  "relay-three-clis": [
    { from: null, to: "planner", text: "Plan it and ask builder.", answer: "Asked." },
    { from: "planner", to: "builder", text: "Build the parser.", answer: "Built.", waits: true },
    { from: "builder", to: "checker", text: "Check the parser.", answer: "Checked: 12 of 12.", waits: true },
    { from: null, to: "planner", text: "How did it go?", answer: "All checked." },
  ],
  "research-and-write": [
    { from: null, to: "researcher", text: "Collect facts in notes.md.", answer: "Notes are ready." },
    { from: "researcher", to: "writer", text: "notes.md is ready: write text.md.", answer: "text.md is written." },
    {
      from: "writer",
      to: "fact-checker",
      text: "Check text.md.",
      answer: "2 sentences without a source.",
      waits: true,
    },
    { from: "fact-checker", to: "writer", text: "Lines 3 and 9 have no source.", answer: "Mended." },
  ],
};

const launch = async (name: string): Promise<Rig> => {
  const shelf = createPresetShelf({
    builtIn: join(repositoryRoot, "presets"),
    user: join(tempFolder(), "user"),
    kinds: runKinds,
  });
  onTestFinished(() => shelf.close());
  const seats = shelf.seats(name, "/work/app");
  const rig = await startRig({ preset: seats });
  const answer = await rig.client.dispatch({ kind: "up", preset: name, cwd: "/work/app" });
  if (!answer.ok) throw new Error(answer.message);
  expect(answer.seats.map((one) => [one.name, one.result])).toEqual(seats.map((one) => [one.name, "started"]));
  for (const { name: who, kind } of seats) {
    rig.host.output(rig.idOf(who), "hello");
    if (kind !== "shell") await rig.sees(who, { kind: "ready", cliSession: `s-${who}`, cleared: false });
  }
  await rest();
  return rig;
};

const play = async (rig: Rig, line: Line, turn: string): Promise<void> => {
  const answer = rig.send(line.from, line.to, line.text, line.waits === true);
  await rig.advance(2_000);
  const prompt = rig.deliveries().at(-1)!.typed;
  await rig.sees(line.to, { kind: "turnStarted", cliTurn: turn, prompt, automatic: false });
  const end = { kind: "answered", text: line.answer } as const;
  await rig.sees(line.to, { kind: "turnStopped", cliTurn: turn, end, subagentsRunning: false });
  await rig.advance(1_000);
  const outcome = line.waits === true ? { kind: "reply", text: line.answer } : { kind: "dispatched" };
  expect(await answer).toMatchObject({ ok: true, outcome });
};

describe("a preset of the package", () => {
  verifies("preset:shipped", "has its dialogue here, whatever it is; the demo plays its own", () => {
    const shipped = readdirSync(join(repositoryRoot, "presets")).map((file) => file.replace(/\.json$/, ""));
    expect(shipped.toSorted()).toEqual(["demo", ...Object.keys(DIALOGUES)].toSorted());
  });

  for (const [name, dialogue] of Object.entries(DIALOGUES)) {
    verifies("preset:shipped", `${name} is launched and its dialogue played to the end`, async () => {
      const rig = await launch(name);
      for (const [n, line] of dialogue.entries()) await play(rig, line, `turn-${n}`);
      const told = [...rig.trail()].reverse().map(({ from, to, status, response }) => ({ from, to, status, response }));
      expect(told).toEqual(
        dialogue.map(({ from, to, answer }) => ({ from: from ?? "You", to, status: "Completed", response: answer })),
      );
      expect(rig.bugs).toEqual([]);
    });
  }
});
