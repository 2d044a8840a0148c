import { describe, expect, test } from "vitest";
import type { Snapshot } from "../../src/bus/views.js";
import { cellWidth } from "../../src/tui/text.js";
import { agentView, START, snapshotOf, trailView } from "../support/fake-client.js";
import { showMissionControl } from "../support/mission-control.js";
import { verifies } from "../support/verifies.js";

const relay: Snapshot = snapshotOf(
  [
    agentView({
      name: "test-architect",
      status: "working",
      currentTool: "Bash",
      taskTitle: "Write failing unit tests",
    }),
    agentView({
      name: "feature-impl",
      status: "waiting",
      queued: 2,
      prompt: { about: "permission", text: "Allow Bash: npm run build?", since: START },
    }),
    agentView({ name: "test-runner", kind: "shell", level: "not a peer", fullLevel: "not a peer", status: "unknown" }),
    agentView({
      name: "reviewer",
      level: "listener",
      status: "unknown",
      demoted: "The event-bridge plugin is not reporting; quay relaunch reviewer cures it.",
      held: "a person is typing",
    }),
  ],
  [
    trailView({ id: "d4", from: "You", to: "reviewer", status: "Queued", text: "Please review" }),
    trailView({ id: "d3", timer: { kind: "counting", since: START - 65_000 } }),
    trailView({
      id: "d2",
      from: "release-captain",
      tag: "Broadcast",
      status: "Completed",
      timer: { kind: "took", ms: 4_200 },
      label: "Answer:",
      response: "Understood.",
      text: "Code freeze",
    }),
    trailView({ id: "d1", status: "Failed", notes: ["exited before its turn ended"], text: "hello" }),
  ],
);

const sizes: readonly (readonly [number, number])[] = [
  [80, 24],
  [40, 20],
  [200, 50],
];

describe("the first frame", () => {
  for (const [columns, rows] of sizes) {
    test(`at ${columns}x${rows} shows what matters and leaves the last row free`, async () => {
      const { terminal } = await showMissionControl(relay, [columns, rows]);
      const seen = await terminal.rows();
      const text = seen.join("\n");
      expect(seen.at(-1)).toBe("");
      expect(text).toContain("1 waiting on you");
      expect(text.replace(/\s+/g, " ")).toContain("WAITS ON YOU (permission): Allow");
      expect(text).toContain("[Listener]");
      expect(text).toContain("2 queued");
      expect(text).toContain("You → reviewer");
      expect(text).toContain("Queued");
      expect(text).toContain("? keys");
      // Those that wait on a person come before the others.
      expect(text.indexOf("feature-impl")).toBeLessThan(text.indexOf("test-architect"));
    });
  }

  test("is no clear of the screen and no clear of the scrollback", async () => {
    const { terminal } = await showMissionControl(relay);
    expect(terminal.written()).not.toContain("\x1b[2J");
    expect(terminal.written()).not.toContain("\x1b[3J");
    expect(await terminal.isAlternate()).toBe(true);
  });

  test("a window too small for anything says so", async () => {
    const { terminal, timing } = await showMissionControl(relay);
    terminal.resize(18, 4);
    await timing.advance(200);
    expect(await terminal.text()).toMatch(/^Quay: the window …/);
  });
});

describe("the trail", () => {
  verifies(
    [
      "trail:newest-first",
      "trail:statuses",
      "trail:queued-has-no-timer",
      "trail:timer-counts-from-delivery",
      "trail:completed-shows-turn-time",
      "trail:label-answer",
    ],
    "lists status, timer, sender and target, tag and response, newest first",
    async () => {
      const { terminal } = await showMissionControl(relay, [120, 40]);
      const rows = (await terminal.rows()).map((row) => row.split("│")[0]?.trimEnd());
      expect(rows.slice(2, 9)).toEqual([
        "› Queued             You → reviewer  Please review",
        "  Dispatched   1:05  test-architect → feature-impl  Make them pass",
        "  Completed    4.2s  release-captain → feature-impl [Broadcast]  Code freeze",
        "                     Answer: Understood.",
        "  Failed             test-architect → feature-impl  hello",
        "                     exited before its turn ended",
        "",
      ]);
    },
  );

  verifies("trail:blind-has-no-timer", "a Dispatched entry without a timer shows none, and needs no tick", async () => {
    const blind = snapshotOf([agentView({ name: "aider", level: "listener" })], [trailView({ id: "d1", to: "aider" })]);
    const { terminal, timing } = await showMissionControl(blind);
    expect(await terminal.text()).toMatch(/Dispatched {2,}test-architect → aider/);
    expect(timing.waiting()).toBe(0);
  });

  verifies(["trail:reply-fills-in", "trail:label-reply"], "a reply fills in its entry, live", async () => {
    const { terminal, change } = await showMissionControl(relay, [120, 40]);
    expect(await terminal.text()).not.toContain("Reply:");
    const answered = relay.trail.map((entry) =>
      entry.id === "d3"
        ? { ...entry, status: "Completed" as const, timer: { kind: "took", ms: 66_000 } as const, response: "GREEN" }
        : entry,
    );
    await change({ ...relay, trail: answered });
    expect(await terminal.text()).toContain("Completed   1m06s  test-architect → feature-impl  Make them pass");
    expect(await terminal.text()).toContain("Reply: GREEN");
  });

  verifies("trail:joins-when-typed-or-queued", "a new entry joins at the top, and moves on from Queued", async () => {
    const { terminal, change } = await showMissionControl(relay, [120, 40]);
    const fresh = trailView({ id: "d5", status: "Queued", text: "fresh" });
    await change({ ...relay, trail: [fresh, ...relay.trail] });
    expect((await terminal.rows())[2]).toMatch(/^› Queued {13}test-architect → feature-impl {2}fresh/);
    const typed = { ...fresh, status: "Dispatched" as const, timer: { kind: "counting", since: START } as const };
    await change({ ...relay, trail: [typed, ...relay.trail] });
    expect((await terminal.rows())[2]).toMatch(/^› Dispatched {3}0:0\d {2}test-architect/);
  });

  test("a chosen entry stays chosen and seen when newer ones come", async () => {
    const { terminal, press, change } = await showMissionControl(relay);
    await press("\t", "\x1b[F");
    const many = Array.from({ length: 40 }, (_, index) => trailView({ id: `n${index}`, text: `newer ${index}` }));
    await change({ ...relay, trail: [...many, ...relay.trail] });
    expect(await terminal.text()).toMatch(/› Failed {13}test-architect → feature-impl {2}hello/);
  });

  test("an entry is shown whole, scrolls, and Esc goes back", async () => {
    const long = Array.from({ length: 60 }, (_, index) => `line ${index}`).join("\n");
    const { terminal, timing, press } = await showMissionControl(
      snapshotOf(relay.agents, [trailView({ id: "d1", text: "short", response: long, label: "Reply:" })]),
    );
    await press("\t", "\r");
    expect(await terminal.text()).toContain("Message\nshort\n\nReply:\nline 0");
    await press("\x1b[F");
    expect(await terminal.text()).toContain("line 59");
    await press("\x1b");
    await timing.advance(200);
    expect(await terminal.text()).toContain("Agents 4");
  });
});

describe("foreign text", () => {
  const hostile = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202eevil\u2066\r\nnext\x08";
  const bad = snapshotOf(
    [
      agentView({
        name: `a${hostile}`,
        status: "waiting",
        currentTool: hostile,
        taskTitle: hostile,
        demoted: hostile,
        held: hostile,
        prompt: { about: "question", text: hostile, since: START },
      }),
    ],
    [
      trailView({
        id: "d1",
        from: hostile,
        to: hostile,
        text: hostile,
        response: hostile,
        notes: [hostile],
        project: hostile,
      }),
    ],
  );

  verifies("hazard:stored-controls-inert", "controls, bidi and escape sequences in any field are inert", async () => {
    const { terminal, press, client } = await showMissionControl(bad, [120, 40]);
    client.emit({ kind: "toast", toast: { at: START, text: hostile } });
    await press("\t", "\r");
    await press("\x1b[B");
    const written = terminal.written();
    expect(written).not.toContain("\x1b[2J");
    expect(written).not.toContain("\x1b]0;");
    expect(written).not.toMatch(/[\x00-\x07\x08\x0b-\x1a\x80-\x9f\u202a-\u202e\u2066-\u2069]/);
    expect(written.replace(/\x1b\[[\d;?]*[A-Za-z]/g, "")).not.toContain("\x1b");
    expect(await terminal.text()).toContain("␛[2J␛]0;owned␇<U+009B>31m<U+202E>evil<U+2066>");
  });

  verifies("hazard:wide-characters", "wide, combining, joined and right-to-left text keeps the columns", async () => {
    const texts = [
      "plain",
      "你好，世界 你好，世界",
      "e\u0301 x\u0336\u0335\u0334",
      "\u{1f469}\u200d\u{1f469}\u200d\u{1f467}\u{1f1eb}\u{1f1f7}",
      "שלום مرحبا",
      "Ｗｉｄｅ ﾊﾝ 한국어",
    ];
    const trail = texts.map((text, index) =>
      trailView({ id: `d${index}`, from: text.slice(0, 9), text: text.repeat(20) }),
    );
    const { terminal } = await showMissionControl(snapshotOf(relay.agents, trail), [120, 40]);
    const columns = await Promise.all(texts.map((_, index) => terminal.columnOf(2 + index, "│")));
    expect(new Set(columns).size).toBe(1);
    expect(columns[0]).toBeGreaterThan(0);
    for (const row of await terminal.rows()) expect(cellWidth(row)).toBeLessThanOrEqual(120);
  });
});

describe("NO_COLOR", () => {
  test("leaves weight and inversion, and no colour", async () => {
    const { terminal } = await showMissionControl(relay, [80, 24], { depth: "none" });
    expect(terminal.written()).not.toMatch(/\x1b\[(?:\d+;)*(?:3|4|9|10)[0-7][;m]/);
    expect(terminal.written()).toMatch(/\x1b\[1;7m/);
  });

  test("with colours only the sixteen of the terminal are used", async () => {
    const { terminal } = await showMissionControl(relay);
    expect(terminal.written()).toMatch(/\x1b\[[\d;]*3[0-7]m/);
    expect(terminal.written()).not.toMatch(/[34]8;[25]/);
  });
});

describe("the trail alone", () => {
  test("shows the trail, says when the engine is gone, and that it is back", async () => {
    const { terminal, client, timing, change } = await showMissionControl(relay, [60, 20], { trailOnly: true });
    expect(await terminal.text()).toContain("Trail 4");
    expect(await terminal.text()).not.toContain("Agents");
    client.emit({ kind: "gone", why: "it was stopped" });
    await timing.advance(200);
    expect(await terminal.text()).toContain("The engine is gone: it was stopped.");
    await change(relay);
    expect(await terminal.text()).not.toContain("The engine is gone");
  });
});
