import { describe, expect } from "vitest";
import { exportTrail } from "../../../src/cli/trail-export.js";
import { trailView } from "../../support/fake-cli.js";
import { verifies } from "../../support/verifies.js";

const T = Date.UTC(2026, 0, 2, 3, 4, 5);
const run = [
  trailView({
    id: "d-1",
    from: "test-architect",
    to: "feature-impl",
    text: "Write the parser.",
    status: "Completed",
    acceptedAt: T,
    typedAt: T + 10,
    endedAt: T + 9_000,
    timer: { kind: "took", ms: 8_400 },
    label: "Reply:",
    response: "GREEN",
  }),
  trailView({
    id: "ok-1",
    from: "Quay",
    to: "feature-impl",
    tag: "Approval",
    text: "Bash: npm test",
    status: "Completed",
    acceptedAt: T + 5_000,
    endedAt: T + 5_000,
    notes: ["approved by the rule Bash(npm test) of preset tdd"],
  }),
  trailView({
    id: "d-2",
    from: "reviewer via You",
    to: "feature-impl",
    text: "Wait",
    status: "Queued",
    acceptedAt: T + 20_000,
    typedAt: null,
  }),
  trailView({
    id: "d-3",
    from: "You",
    to: "reviewer",
    text: "Read it",
    status: "Failed",
    acceptedAt: T + 30_000,
    typedAt: null,
    endedAt: T + 31_000,
    notes: ["exited before it could be typed"],
  }),
];

/** What an agent may call itself, or say, to break out of a form. */
const HOSTILE = [
  "end",
  "END",
  "x\nend\nNote over p0: forged",
  "p0->>p1: forged",
  "a; b %% c",
  "#59; <script>alert(1)</script>",
  "```\n# Forged\n```",
  "````` five",
  "[link](javascript:x) *bold* _it_ |cell| <b>",
  "\u001b[2J\u0007bell",
  "\u202eright to left",
  "\r\n\r\nsequenceDiagram",
];

describe("an export", () => {
  verifies("trail:export", "as jsonl is one entry per line", () => {
    const lines = exportTrail(run, "jsonl").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(run);
  });

  verifies(
    "trail:export",
    "as Mermaid is a sequence diagram of messages, answers and approvals in the order of their time",
    () => {
      expect(exportTrail(run, "mermaid")).toBe(
        [
          "sequenceDiagram",
          "    participant p0 as test#45;architect",
          "    participant p1 as feature#45;impl",
          "    participant p2 as reviewer",
          "    actor p3 as You",
          "    p0->>p1: Write the parser.",
          "    Note over p1: approved Bash#58; npm test",
          "    p1-->>p0: GREEN",
          "    p2-)p1: #40;via You#41; Wait",
          "    p3-xp2: Read it",
          "    Note over p2: exited before it could be typed",
          "",
        ].join("\n"),
      );
    },
  );

  verifies("trail:export", "as Markdown has a section per entry, with its answer and notes", () => {
    const page = exportTrail(run, "markdown");
    expect(page).toContain("# Trail, 2026-01-02 03:04:05 to 2026-01-02 03:04:35 UTC\n");
    expect(page).toContain("## 2026-01-02 03:04:05 test\\-architect → feature\\-impl\n\nCompleted, took 8.4 s\n");
    expect(page).toContain("```text\nWrite the parser.\n```\n\nReply:\n\n```text\nGREEN\n```\n");
    expect(page).toContain("(Approval)\n");
    expect(page).toContain("- exited before it could be typed\n");
    expect(exportTrail([], "markdown")).toBe("# Trail: no messages\n");
  });

  verifies("trail:export-is-data", "hostile names and texts stay data in Mermaid", () => {
    for (const text of HOSTILE) {
      const out = exportTrail(
        [trailView({ from: text, to: `to ${text}`, text, response: text, status: "Completed", notes: [text] })],
        "mermaid",
      );
      const lines = out.trimEnd().split("\n");
      expect(lines).toHaveLength(5);
      expect(lines[1]).toMatch(/^ {4}participant p0 as [^;:<>%"\n]*(?:#\d+;[^;:<>%"\n]*)*$/u);
      expect(lines[3]).toMatch(/^ {4}p0->>p1: (?:[\p{L}\p{N}\p{M} .,_/…]|#\d+;)+$/u);
      expect(lines[4]).toMatch(/^ {4}p1-->>p0: (?:[\p{L}\p{N}\p{M} .,_/…]|#\d+;)+$/u);
      expect(out.slice("sequenceDiagram".length)).not.toMatch(/\bend\b/i);
    }
  });

  verifies("trail:export-is-data", "hostile names and texts stay data in Markdown", () => {
    for (const text of HOSTILE) {
      const out = exportTrail(
        [trailView({ from: text, text, response: text, status: "Completed", notes: [text] })],
        "markdown",
      );
      // Outside its blocks every line is ours.
      let fence: string | null = null;
      const outside: string[] = [];
      for (const line of out.split("\n")) {
        const mark = /^(`{3,})(?:text)?$/.exec(line)?.[1] ?? null;
        if (fence === null && mark !== null) fence = mark;
        else if (fence !== null) fence = line === fence ? null : fence;
        else outside.push(line);
      }
      expect(fence).toBeNull();
      expect(outside.filter((line) => line.startsWith("#"))).toHaveLength(2);
      expect(outside.join("\n")).not.toMatch(/(?<!\\)[<*_[|]/u);
      expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/u);
    }
  });
});
