/** The books themselves: each way in which an agent and the trail can disagree is a fault. */
import { describe, expect, test } from "vitest";
import { PRESSED_TWICE } from "../../src/bus/second-enter.js";
import type { TrailView } from "../../src/bus/views.js";
import type { RecordLine } from "../../src/drill/record.js";
import { compareBooks } from "../support/chaos-books.js";
import { trailView } from "../support/fake-cli.js";

const entry = (text: string, given: Partial<TrailView> = {}): TrailView =>
  trailView({ id: `d-${text}`, from: "You", text, status: "Completed", notes: [], ...given });

const bytes = (text: string): RecordLine => ({ kind: "bytes", at: 1, bytes: Buffer.from(text).toString("base64") });
const typed = (text: string): readonly RecordLine[] => [
  bytes(`\u001b[200~${text}\u001b[201~`),
  bytes("\r"),
  { kind: "submitted", at: 1, text, during: "idle" },
];

const faultsOf = (lines: readonly RecordLine[], entries: readonly TrailView[]): readonly string[] =>
  compareBooks(lines, entries).faults;

describe("the books", () => {
  test("are right when the agent got what the trail says", () => {
    expect(
      faultsOf([bytes("\u001b]7501;?\u0007\u001b[?1;2c"), ...typed("a"), ...typed("b")], [entry("a"), entry("b")]),
    ).toEqual([]);
    const twice = [
      bytes("\u001b[200~a\u001b[201~"),
      bytes("\r\r"),
      { kind: "submitted", at: 1, text: "a\n", during: "idle" },
    ] as const;
    expect(faultsOf(twice, [entry("a", { notes: [PRESSED_TWICE] })])).toEqual([]);
    const failed = entry("c", { status: "Failed", notes: ["the line never showed the pasted text"] });
    expect(faultsOf([...typed("a"), bytes("\u001b[200~c\u001b[201~")], [entry("a"), failed])).toEqual([]);
  });

  test.each([
    ["lost", [], [entry("a")], "on the trail as typed, never submitted"],
    ["twice", [...typed("a"), ...typed("a")], [entry("a")], "submitted twice"],
    ["pasted twice", [bytes("\u001b[200~a\u001b[201~"), ...typed("a")], [entry("a")], "pasted twice"],
    ["unknown", typed("b"), [], "submitted, not on the trail"],
    [
      "submitted though failed",
      typed("a"),
      [entry("a", { status: "Failed", notes: ["why"] })],
      "submitted, not on the trail",
    ],
    ["out of order", [...typed("b"), ...typed("a")], [entry("a"), entry("b")], "out of order"],
    ["entered twice", [...typed("a"), bytes("\r")], [entry("a")], "2 Enters, and at most 1"],
    [
      "entered thrice",
      [...typed("a\n").slice(0, 1), bytes("\r"), bytes("\r"), bytes("\r")],
      [entry("a", { notes: [PRESSED_TWICE] })],
      "3 Enters, and at most 2",
    ],
    ["a stray key", [...typed("a"), bytes("\u001b")], [entry("a")], "bytes of no entry"],
    ["queued for no reason", [], [entry("a", { status: "Queued" })], "still queued, without a reason"],
    ["failed for no reason", [], [entry("a", { status: "Failed" })], "failed without a reason"],
  ] as const)("are wrong when a message is %s", (_name, lines, entries, words) => {
    expect(faultsOf(lines, entries).join("\n")).toContain(words);
  });
});
