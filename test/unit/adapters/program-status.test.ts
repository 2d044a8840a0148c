import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ProgramRecord, Report } from "../../../src/adapters/program-report.js";
import {
  applyHostNotice,
  applyReport,
  applySequence,
  type DerivedEvent,
  describeState,
  listRecords,
  newProgramStatus,
  type ProgramStatus,
  type ProgramStep,
} from "../../../src/adapters/program-status.js";
import { createOscScanner } from "../../../src/tmux/osc-scanner.js";

type Chunk = string | { readonly host: "exit" } | { readonly host: "foreground"; readonly shell: boolean };
type Vector = {
  readonly id: string;
  readonly name: string;
  readonly input: readonly Chunk[];
  readonly expect: {
    readonly records: readonly unknown[];
    readonly reports?: readonly unknown[];
    readonly replies: readonly string[];
    readonly derived?: readonly string[];
  };
};

const file = new URL("../../fixtures/osc/osc7501-vectors.json", import.meta.url);
const { vectors } = JSON.parse(readFileSync(file, "utf8")) as { readonly vectors: readonly Vector[] };

type Outcome = {
  readonly records: readonly ProgramRecord[];
  readonly reports: readonly unknown[];
  readonly replies: readonly string[];
  readonly derived: readonly DerivedEvent[];
};

/** Scanner and store together, as a feed runs them. */
const run = (chunks: readonly Chunk[]): Outcome => {
  const scanner = createOscScanner();
  let status = newProgramStatus;
  const reports: Report[] = [];
  const replies: string[] = [];
  const derived: DerivedEvent[] = [];
  const take = (step: ProgramStep) => {
    status = step.status;
    reports.push(...step.reports);
    replies.push(...step.replies);
    derived.push(...step.derived);
  };
  for (const chunk of chunks) {
    if (typeof chunk === "string") {
      for (const sequence of scanner.feed(Buffer.from(chunk, "latin1"))) take(applySequence(status, sequence));
    } else if (chunk.host === "exit") {
      take(applyHostNotice(status, { kind: "exit" }));
    } else {
      take(applyHostNotice(status, { kind: "foreground", shell: chunk.shell }));
    }
  }
  // The vectors leave the id of a root report out.
  const plain = reports.map((report) =>
    Object.fromEntries(Object.entries(report).filter(([key, value]) => key !== "id" || value !== "")),
  );
  return { records: listRecords(status), reports: plain, replies, derived };
};

const bytewise = (chunks: readonly Chunk[]): readonly Chunk[] =>
  chunks.flatMap((chunk): readonly Chunk[] => (typeof chunk === "string" ? [...chunk] : [chunk]));

describe("the vectors of OSC 7501", () => {
  it("are all there", () => {
    expect(vectors).toHaveLength(138);
  });

  it.each(vectors.map((vector) => [`${vector.id} ${vector.name}`, vector] as const))("%s", (_, vector) => {
    for (const chunks of [vector.input, bytewise(vector.input)]) {
      const outcome = run(chunks);
      expect(outcome.records).toEqual(vector.expect.records);
      expect(outcome.replies).toEqual(vector.expect.replies);
      if (vector.expect.reports !== undefined) expect(outcome.reports).toEqual(vector.expect.reports);
      if (vector.expect.derived !== undefined) expect(outcome.derived).toEqual(vector.expect.derived);
    }
  });

  it("give the same when cut in two at any place", () => {
    for (const vector of vectors) {
      const only = vector.input.length === 1 ? vector.input[0] : undefined;
      if (typeof only !== "string" || only.length > 200) continue;
      for (let cut = 1; cut < only.length; cut++) {
        expect(run([only.slice(0, cut), only.slice(cut)])).toEqual(run([only]));
      }
    }
  });
});

const text = (plain: string): string => Buffer.from(plain).toString("base64");
const report = (body: string): string => `\x1b]7501;${body}\x07`;

describe("what a report may hold", () => {
  it.each([
    ["a key of 17 letters", `state=done:${"k".repeat(17)}=1`],
    ["nine levels", "state=done:id=a/b/c/d/e/f/g/h/i"],
    ["an over-long app that is overridden", `state=done:app=${"a".repeat(33)}:app=b`],
    ["padding that is not right", "state=done:msg=YQ="],
    ["bytes that are no UTF-8", `state=done:msg=${Buffer.from([0xc3, 0x28]).toString("base64")}`],
    ["a surrogate in UTF-8", `state=done:msg=${Buffer.from([0xed, 0xa0, 0x80]).toString("base64")}`],
    ["a NUL in its text", `state=done:msg=${text("a\0b")}`],
  ])("is dropped whole for %s", (_, body) => {
    expect(run([report("state=idle"), report(body)]).records).toEqual([{ id: "", state: "idle" }]);
  });

  it.each(["00", "007", "1e1", "-1", "5.0", "1000"])("has no progress when it says %s", (progress) => {
    expect(run([report(`state=working:progress=${progress}`)]).records).toEqual([{ id: "", state: "working" }]);
  });

  it("is kept as it was written, invisible characters too", () => {
    const msg = "\ufeffa\u202eb";
    expect(run([report(`state=done:msg=${text(msg)}`)]).records).toEqual([{ id: "", state: "done", msg }]);
  });

  it("takes no progress with done, and replaces a record wholly", () => {
    const first = report(`state=working:progress=5:msg=${text("x")}:title=${text("t")}`);
    expect(run([first, report("state=done:progress=5")]).records).toEqual([{ id: "", state: "done" }]);
  });
});

describe("turns read from records", () => {
  const derivedOf = (...chunks: readonly Chunk[]) => run(chunks).derived;

  it.each<[string, Chunk]>([
    ["the program ends", { host: "exit" }],
    ["everything is cleared", report("state=clear")],
    ["a shell prompt comes", "\x1b]133;A\x07"],
    ["the terminal is reset", "\x1bc"],
  ])("an open turn is lost when %s", (_, event) => {
    const last = typeof event === "string" ? "none" : "gone";
    expect(derivedOf(report("state=working"), event)).toEqual(["working", "turn:lost", last]);
  });

  it("a turn ends once", () => {
    expect(derivedOf(report("state=working"), report("state=error"), report("state=done"))).toEqual([
      "working",
      "turn:error",
      "idle",
    ]);
  });

  it("a child alone works without opening a turn", () => {
    expect(derivedOf(report("state=working:id=a"), report("state=clear:id=a"))).toEqual(["working", "none"]);
  });

  it("a blocked root goes before a blocked child, and the lowest id before others", () => {
    const children = [report("state=blocked:kind=auth:id=b"), report("state=blocked:kind=question:id=a")];
    expect(derivedOf(...children, report("state=blocked:kind=permission"))).toEqual([
      "waiting:auth",
      "waiting:question",
      "waiting:permission",
    ]);
  });

  it("a child that still waits holds the pane at waiting when the root is done", () => {
    const derived = derivedOf(report("state=working"), report("state=blocked:id=a"), report("state=done"));
    expect(derived).toEqual(["working", "waiting", "turn:done"]);
  });

  it("a program nobody has heard of is starting", () => {
    expect(describeState(newProgramStatus)).toBe("starting");
  });
});

it("never changes the status it was given", () => {
  const before: ProgramStatus = applyReport(newProgramStatus, { id: "", state: "working" }).status;
  const kept = [...before.records];
  applyReport(before, { id: "a", state: "done" });
  applyReport(before, { id: "", state: "clear" });
  applySequence(before, { kind: "ris" });
  expect([...before.records]).toEqual(kept);
});
