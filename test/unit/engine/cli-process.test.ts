import { describe, expect, test } from "vitest";
import { judgeProcess } from "../../../src/engine/cli-process.js";

/**
 * 1 ─ 10 the pane's process ─ 20 a CLI below it ─ 30 a shell of that ─ 40 a CLI in that shell; 21 a second one beside 20.
 * 50 is elsewhere. What is not in the table is over.
 */
const PARENTS: Readonly<Record<number, number>> = { 10: 1, 20: 10, 21: 10, 30: 20, 40: 30, 50: 1 };

const ancestorsOf = (pid: number): readonly number[] | null => {
  const parent = PARENTS[pid];
  if (parent === undefined) return pid === 1 ? [] : null;
  return [parent, ...(ancestorsOf(parent) ?? [])];
};

const judge = (cli: number | null, bound: number | null, pane: number | null = 10) =>
  judgeProcess({ cli, pane, bound }, ancestorsOf);
const counts = (bind: number | null, isNew = false) => ({ kind: "counts", bind, isNew });
const foreign = { kind: "foreign" };

describe("the pane's process is the CLI", () => {
  test("it is bound, and counts from then on", () => {
    expect(judge(10, null)).toEqual(counts(10));
    expect(judge(10, 10)).toEqual(counts(null));
  });

  test("a CLI below it with the same environment does not count, alive or over", () => {
    for (const cli of [20, 40, 99]) expect(judge(cli, 10)).toMatchObject(foreign);
  });

  test("it takes its place back from one below it that spoke first, whose memory is dropped", () => {
    expect(judge(20, null)).toEqual(counts(20));
    expect(judge(10, 20)).toEqual(counts(10, true));
  });
});

describe("the pane's process is a wrapper", () => {
  test("the first one below it counts, and what that starts does not", () => {
    expect(judge(20, null)).toEqual(counts(20));
    expect(judge(20, 20)).toEqual(counts(null));
    for (const cli of [40, 21, 99]) expect(judge(cli, 20)).toMatchObject(foreign);
  });

  test("the one nearer to the pane takes the place of one below itself", () => {
    expect(judge(40, null)).toEqual(counts(40));
    expect(judge(20, 40)).toEqual(counts(20, true));
  });

  test("the next one counts when the first is over, or its number is somebody else's now", () => {
    expect(judge(21, 99)).toEqual(counts(21, true));
    expect(judge(21, 50)).toEqual(counts(21, true));
  });
});

describe("what cannot be placed", () => {
  test("a process elsewhere never counts", () => {
    for (const bound of [null, 10, 20, 99]) expect(judge(50, bound)).toMatchObject(foreign);
  });

  test("one that is over counts only where none is bound, and binds nothing", () => {
    expect(judge(99, null)).toEqual(counts(null));
    expect(judge(99, 20)).toMatchObject(foreign);
  });

  test("one that names no process counts only where none is bound", () => {
    expect(judge(null, null)).toEqual(counts(null));
    expect(judge(null, 10)).toMatchObject(foreign);
  });

  test("without a pane the bound one alone counts", () => {
    expect(judge(20, 20, null)).toEqual(counts(null));
    expect(judge(21, 20, null)).toMatchObject(foreign);
    expect(judge(20, null, null)).toEqual(counts(null));
  });
});
