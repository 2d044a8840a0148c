import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { HookSignal, Memory, ProgramStatusSignal, Signal } from "../../../src/adapters/adapter.js";
import { interpretClaude } from "../../../src/adapters/claude-interpret.js";
import type { Observation } from "../../../src/bus/protocol.js";

const PID = 100;

const hook = (event: string, payload: Readonly<Record<string, unknown>> = {}, cliPid: number | null = PID): Signal => ({
  kind: "hook",
  event,
  payload: { session_id: "s1", ...payload },
  cliPid,
});
const start = (source = "startup", more: Readonly<Record<string, unknown>> = {}, pid = PID): Signal =>
  hook("SessionStart", { source, ...more }, pid);
const prompt = (text: string, prompt_id = "p1"): Signal => hook("UserPromptSubmit", { prompt: text, prompt_id });
const tool = (event: string, id: string, name = "Bash", more: Readonly<Record<string, unknown>> = {}): Signal =>
  hook(event, { tool_use_id: id, tool_name: name, prompt_id: "p1", ...more });
const stop = (more: Readonly<Record<string, unknown>> = {}): Signal =>
  hook("Stop", { prompt_id: "p1", last_assistant_message: "done", background_tasks: [], ...more });
const osc = (state: ProgramStatusSignal["state"], more: Partial<ProgramStatusSignal> = {}): Signal => ({
  kind: "programStatus",
  state,
  id: "",
  about: null,
  msg: "",
  ...more,
});

const play = (signals: readonly Signal[], memory: Memory = {}) => {
  const steps: (readonly Observation[])[] = [];
  let now = memory;
  for (const signal of signals) {
    const meaning = interpretClaude(now, signal);
    // Memory is plain data: the engine may keep it anywhere.
    now = JSON.parse(JSON.stringify(meaning.memory));
    steps.push(meaning.observations);
  }
  return { memory: now, steps, last: steps.at(-1) ?? [], all: steps.flat() };
};
const kinds = (observations: readonly Observation[]): readonly string[] => observations.map((one) => one.kind);

const recorded = (name: string): readonly HookSignal[] =>
  readFileSync(new URL(`../../fixtures/hooks/${name}.jsonl`, import.meta.url), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => ({ kind: "hook", ...JSON.parse(line) }));

describe("ready", () => {
  test.each(["startup", "resume", "fork"])("comes with a session that began by %s", (source) => {
    expect(play([start(source)]).last).toEqual([{ kind: "ready", cliSession: "s1", cleared: false }]);
  });

  test("says cleared when /clear put a new session in the old one's place", () => {
    const { steps } = play([
      start(),
      prompt("hi"),
      hook("SessionEnd", { reason: "clear", prompt_id: "p9" }),
      start("clear", { session_id: "s2" }),
    ]);
    expect(steps[2]).toEqual([
      { kind: "turnStopped", cliTurn: null, end: { kind: "cleared" }, subagentsRunning: false },
    ]);
    expect(steps[3]).toEqual([{ kind: "ready", cliSession: "s2", cleared: true }]);
  });

  test("says cleared also when the old session is not remembered", () => {
    expect(play([start("clear")]).last).toEqual([{ kind: "ready", cliSession: "s1", cleared: true }]);
  });

  test("says cleared when the person resumed another session inside the same process", () => {
    const { last } = play([start(), hook("SessionEnd", { reason: "resume" }), start("resume", { session_id: "s2" })]);
    expect(last).toEqual([{ kind: "ready", cliSession: "s2", cleared: true }]);
  });

  test("a compaction is neither a new session nor a new turn", () => {
    const { last } = play([start(), prompt("hi"), tool("PreToolUse", "a"), start("compact")]);
    expect(last).toEqual([]);
    expect(play([start(), hook("PreCompact"), hook("PostCompact")]).all).toHaveLength(1);
  });
});

describe("turns", () => {
  test("start with the prompt as it was typed", () => {
    expect(play([start(), prompt("  hello\n")]).last).toEqual([
      { kind: "turnStarted", cliTurn: "p1", prompt: "hello", automatic: false },
    ]);
  });

  test.each([
    ['\n\n<pasted_content id="5464">\nTEXT\nmore\n</pasted_content id="5464">\n', "TEXT\nmore"],
    ['before\n\n<pasted_content id="1">\na\n</pasted_content id="1">\nafter', "before\n\na\nafter"],
    // A message that quotes the tags: ours are marked, and a tag inside a line is text.
    [
      '> <pasted_content id="1">\nx\n> </pasted_content id="1">',
      '> <pasted_content id="1">\nx\n> </pasted_content id="1">',
    ],
    [
      'a <pasted_content id="1">\nx\n</pasted_content id="1"> b',
      'a <pasted_content id="1">\nx\n</pasted_content id="1"> b',
    ],
    [
      '<pasted_content id="1">\na\n</pasted_content id="1">\n<pasted_content id="2">\nb\n</pasted_content id="2">',
      "a\nb",
    ],
    ['<pasted_content id="1">\na $& $1\n</pasted_content id="1">', "a $& $1"],
    ['<pasted_content id="1">\na\n</pasted_content id="2">', '<pasted_content id="1">\na\n</pasted_content id="2">'],
    ["a <pasted_content> of nobody", "a <pasted_content> of nobody"],
  ])("unwrap a paste: %j", (typed, expected) => {
    expect(play([start(), prompt(typed)]).last).toMatchObject([{ prompt: expected }]);
  });

  test("are automatic when the CLI prompts itself", () => {
    expect(play([start(), prompt("<task-notification>\n<task-id>x</task-id>")]).last).toMatchObject([
      { automatic: true },
    ]);
    expect(play([start(), prompt("what is a <task-notification>?")]).last).toMatchObject([{ automatic: false }]);
  });

  test("end with the answer", () => {
    expect(play([start(), prompt("hi"), stop()]).last).toEqual([
      { kind: "turnStopped", cliTurn: "p1", end: { kind: "answered", text: "done" }, subagentsRunning: false },
    ]);
  });

  test.each([
    ["a running subagent", [{ type: "subagent", status: "running" }], true],
    ["a subagent that ended", [{ type: "subagent", status: "completed" }], false],
    ["a background shell", [{ type: "shell", status: "running" }], false],
    ["an MCP task", [{ type: "MCP task", status: "running" }], false],
    [
      "both",
      [
        { type: "shell", status: "running" },
        { type: "subagent", status: "running" },
      ],
      true,
    ],
    ["odd entries", [null, 3, "subagent"], false],
    ["no list", undefined, false],
  ])("are held by running subagents only: %s", (_what, background_tasks, held) => {
    expect(play([start(), prompt("hi"), stop({ background_tasks })]).last).toMatchObject([{ subagentsRunning: held }]);
  });

  test("fail with the words of the error", () => {
    const failed = hook("StopFailure", {
      prompt_id: "p1",
      error: "rate_limit",
      last_assistant_message: "API Error: 429",
    });
    expect(play([start(), failed]).last).toMatchObject([{ end: { kind: "failed", text: "API Error: 429" } }]);
    const bare = hook("StopFailure", { prompt_id: "p1", error: "rate_limit" });
    expect(play([start(), bare]).last).toMatchObject([{ end: { kind: "failed", text: "rate_limit" } }]);
  });

  test("other ends of a session end no turn: tmux decides exit", () => {
    for (const reason of ["prompt_input_exit", "other", "logout", "resume"]) {
      expect(play([start(), prompt("hi"), hook("SessionEnd", { reason })]).last).toEqual([]);
    }
  });

  test("a message queued while a turn runs keeps its tools open", () => {
    const { last, memory } = play([start(), prompt("hi"), tool("PreToolUse", "a"), prompt("and this")]);
    expect(last).toEqual([{ kind: "turnStarted", cliTurn: "p1", prompt: "and this", automatic: false }]);
    expect(Object.keys(memory.open as object)).toEqual(["a"]);
  });
});

describe("tools", () => {
  test("start and end by their id, and say that the turn goes on", () => {
    const { steps } = play([start(), prompt("hi"), tool("PreToolUse", "a"), tool("PostToolUse", "a")]);
    expect(steps.slice(2)).toEqual([
      [
        { kind: "toolStarted", tool: "a", name: "Bash" },
        { kind: "turnContinued", cliTurn: "p1" },
      ],
      [
        { kind: "toolEnded", tool: "a", autoApproved: false },
        { kind: "turnContinued", cliTurn: "p1" },
      ],
    ]);
  });

  const QUAY = "mcp__quay-a2a__quay_list_agents";
  test.each<readonly [string, readonly Signal[], boolean]>([
    ["a tool of Quay without a dialog", [tool("PreToolUse", "a", QUAY), tool("PostToolUse", "a", QUAY)], true],
    ["another tool without a dialog", [tool("PreToolUse", "a"), tool("PostToolUse", "a")], false],
    [
      "a tool of another server",
      [tool("PreToolUse", "a", "mcp__quay__x"), tool("PostToolUse", "a", "mcp__quay__x")],
      false,
    ],
    [
      "a tool of Quay with a dialog",
      [tool("PreToolUse", "a", QUAY), hook("PermissionRequest", { tool_name: QUAY }), tool("PostToolUse", "a", QUAY)],
      false,
    ],
    [
      "a tool of Quay while another one asks",
      [tool("PreToolUse", "a", QUAY), hook("PermissionRequest", { tool_name: "Bash" }), tool("PostToolUse", "a", QUAY)],
      true,
    ],
    ["a failed one", [tool("PreToolUse", "a", QUAY), tool("PostToolUseFailure", "a", QUAY)], false],
    ["one whose start was not seen", [tool("PostToolUse", "a", QUAY)], false],
  ])("count as approved by a rule of Quay: %s", (_what, signals, expected) => {
    const ended = play([start(), ...signals]).all.filter((one) => one.kind === "toolEnded");
    expect(ended).toEqual([{ kind: "toolEnded", tool: "a", autoApproved: expected }]);
  });

  test("a batch ends what is still open of it, once", () => {
    const batch = hook("PostToolBatch", {
      prompt_id: "p1",
      tool_calls: [
        { tool_use_id: "a", tool_name: "Bash" },
        { tool_use_id: "b", tool_name: "Read" },
      ],
    });
    const { steps } = play([
      start(),
      tool("PreToolUse", "a"),
      tool("PostToolUse", "a"),
      tool("PreToolUse", "b"),
      batch,
      batch,
    ]);
    expect(steps.at(-2)).toEqual([
      { kind: "toolEnded", tool: "b", autoApproved: false },
      { kind: "turnContinued", cliTurn: "p1" },
    ]);
    expect(steps.at(-1)).toEqual([]);
  });

  test("left open by an interrupt end with the next prompt, with Stop, with /clear", () => {
    for (const next of [prompt("next", "p2"), stop(), hook("SessionEnd", { reason: "clear" })]) {
      expect(play([start(), prompt("hi"), tool("PreToolUse", "a"), next]).last[0]).toEqual({
        kind: "toolEnded",
        tool: "a",
        autoApproved: false,
      });
    }
  });

  test("of a subagent are not the turn's, nor is its end", () => {
    const inside = { agent_id: "agent-1", agent_type: "general-purpose" };
    for (const event of ["PreToolUse", "PostToolUse", "Stop", "SubagentStop", "UserPromptSubmit", "StopFailure"]) {
      expect(play([start(), prompt("hi"), tool(event, "x", "Bash", { ...inside, prompt: "sub" })]).last).toEqual([]);
    }
    expect(play([start(), hook("SubagentStop", { agent_id: "", agent_type: "" })]).last).toEqual([]);
  });
});

describe("doubles and disorder change nothing", () => {
  test("each event read twice means what it means once", () => {
    for (const name of ["claude-turns", "claude-background", "claude-dialogs"]) {
      const once = recorded(name);
      const quiet = (observations: readonly Observation[]) =>
        observations.filter((one) => one.kind !== "promptRaised" && one.kind !== "promptClosed");
      for (const [place, signal] of once.entries()) {
        const doubled = [...once.slice(0, place + 1), signal, ...once.slice(place + 1)];
        const extra = play(doubled).steps[place + 1] ?? [];
        const first = play(once).steps[place] ?? [];
        // Ends and readiness say the same again, which amends nothing; all else that could change something is silent.
        for (const one of quiet(extra)) {
          expect(["turnStopped", "ready", "turnStarted"]).toContain(one.kind);
          // A prompt is said to be the same again: the bus knows whether anybody waits for it.
          const { again, ...said } = { again: undefined, ...one };
          expect(again).toBe(one.kind === "turnStarted" ? true : undefined);
          expect(first).toContainEqual(one.kind === "ready" ? expect.objectContaining({ kind: "ready" }) : said);
        }
      }
    }
  });

  test("an end before its start ends nothing twice", () => {
    const { steps } = play([start(), tool("PostToolUse", "a"), tool("PreToolUse", "a"), tool("PostToolUse", "a")]);
    expect(steps.map(kinds).slice(1)).toEqual([["toolEnded", "turnContinued"], [], []]);
  });

  test("a tool that ended long ago stays ended", () => {
    const many = Array.from({ length: 150 }, (_, n) => [
      tool("PreToolUse", `t${n}`),
      tool("PostToolUse", `t${n}`),
    ]).flat();
    const { last, memory } = play([start(), ...many, tool("PostToolUse", "t0")]);
    expect(last).toEqual([]);
    expect(JSON.stringify(memory).length).toBeLessThan(10_000);
  });

  test("unknown events and odd payloads say nothing and throw nothing", () => {
    for (const event of ["FileChanged", "PreToolUse", "PostToolUse", "PostToolBatch", "Notification", "PreCompact"]) {
      const { all } = play([start(), hook(event, { tool_calls: [{}], tool_use_id: 7, prompt_id: null })]);
      expect(kinds(all).filter((kind) => kind !== "ready" && kind !== "turnContinued")).toEqual([]);
    }
  });
});

describe("prompts", () => {
  test.each([
    ["Bash", { command: "touch x\n && y" }, "permission", "approve Bash: touch x && y"],
    ["Write", { file_path: "/a/b" }, "permission", "approve Write: /a/b"],
    ["Odd", {}, "permission", "approve Odd"],
    ["Odd", null, "permission", "approve Odd"],
    ["AskUserQuestion", { questions: [{ question: "Which color?" }] }, "question", "answer: Which color?"],
  ])("are raised by a PermissionRequest of %s", (tool_name, tool_input, about, text) => {
    expect(play([start(), hook("PermissionRequest", { tool_name, tool_input })]).last).toEqual([
      { kind: "promptRaised", prompt: { about, text, source: "hook" } },
    ]);
  });

  test("hold at most 200 characters", () => {
    const { last } = play([
      start(),
      hook("PermissionRequest", { tool_name: "Bash", tool_input: { command: "🙂".repeat(500) } }),
    ]);
    const [raised] = last;
    expect([...(raised?.kind === "promptRaised" ? raised.prompt.text : "")]).toHaveLength(200);
  });

  test("are raised by a subagent's request too: it stands on the same screen", () => {
    expect(kinds(play([start(), hook("PermissionRequest", { tool_name: "Bash", agent_id: "a" })]).last)).toEqual([
      "promptRaised",
    ]);
  });

  test("close when the asked tool ended, when the turn ended, and when the program goes on", () => {
    const asked = [start(), prompt("hi"), tool("PreToolUse", "a"), hook("PermissionRequest", { tool_name: "Bash" })];
    for (const next of [
      tool("PostToolUse", "a"),
      tool("PostToolUseFailure", "a"),
      stop(),
      prompt("x", "p2"),
      osc("working"),
      osc("idle"),
    ]) {
      expect(play([...asked, next]).last).toContainEqual({ kind: "promptClosed", source: "hook" });
    }
    expect(play([...asked, tool("PostToolUse", "b", "Read")]).last).not.toContainEqual({
      kind: "promptClosed",
      source: "hook",
    });
    expect(play([...asked, osc("blocked")]).last).not.toContainEqual({ kind: "promptClosed", source: "hook" });
  });

  test("are raised by a note of waiting when no request came", () => {
    const note = (notification_type: string): Signal =>
      hook("Notification", { notification_type, message: "needs you" });
    expect(play([start(), note("agent_needs_input")]).last).toEqual([
      { kind: "promptRaised", prompt: { about: "dialog", text: "needs you", source: "hook" } },
    ]);
    expect(play([start(), note("idle_prompt")]).last).toEqual([]);
    expect(play([start(), hook("PermissionRequest", { tool_name: "Bash" }), note("permission_prompt")]).last).toEqual(
      [],
    );
  });
});

describe("whose events count", () => {
  const nested = 200;
  test("a CLI started below ours says nothing, from its start to its end", () => {
    const { steps } = play([
      start(),
      start("startup", { session_id: "n" }, nested),
      hook("UserPromptSubmit", { prompt: "nested", prompt_id: "n1" }, nested),
      hook("Stop", { prompt_id: "n1" }, nested),
      hook("SessionEnd", { reason: "other" }, nested),
      prompt("ours"),
    ]);
    expect(steps.slice(1, 5)).toEqual([[], [], [], []]);
    expect(kinds(steps[5] ?? [])).toEqual(["turnStarted"]);
  });

  test("after our CLI ended, a start in the same pane is ours", () => {
    const { steps } = play([
      start(),
      hook("SessionEnd", { reason: "prompt_input_exit" }),
      hook("Stop", {}, nested),
      start("resume", {}, nested),
      hook("UserPromptSubmit", { prompt: "again", prompt_id: "p2" }, nested),
      prompt("a ghost", "p3"),
    ]);
    expect(steps.map(kinds)).toEqual([["ready"], [], [], ["ready"], ["turnStarted"], []]);
  });

  test("a change of the session inside our CLI lets no other in", () => {
    const { last } = play([start(), hook("SessionEnd", { reason: "resume" }), start("startup", {}, nested)]);
    expect(last).toEqual([]);
  });

  test("a process that goes on after its SessionEnd is still ours", () => {
    const { last } = play([start(), hook("SessionEnd", { reason: "logout" }), prompt("still here")]);
    expect(kinds(last)).toEqual(["turnStarted"]);
  });

  test("a fresh memory takes the first that speaks, whatever it says", () => {
    expect(kinds(play([stop(), hook("Stop", {}, nested)]).all)).toEqual(["turnStopped"]);
  });

  test("events that do not name their process do not count beside one that does", () => {
    expect(play([start(), hook("Stop", {}, null)]).last).toEqual([]);
    expect(kinds(play([hook("SessionStart", { source: "startup" }, null), hook("Stop", {}, null)]).last)).toEqual([
      "turnStopped",
    ]);
  });
});

describe("program status", () => {
  test("passes on the root record", () => {
    for (const state of ["idle", "working", "done", "error"] as const) {
      expect(play([osc("idle"), osc(state, { msg: "text" })]).last).toEqual([
        { kind: "programStatus", state, about: null, text: "text" },
      ]);
    }
    expect(play([osc("idle"), osc("clear")]).last).toMatchObject([{ kind: "programStatus", state: "cleared" }]);
  });

  test("blocked raises a prompt, of no kind a dialog, and its end closes it", () => {
    const { steps } = play([
      osc("working"),
      osc("blocked", { msg: "dialog open" }),
      osc("blocked", { msg: "dialog open" }),
      osc("blocked", { about: "question", msg: "Which?" }),
      osc("working"),
    ]);
    expect(steps.slice(1)).toEqual([
      [
        { kind: "programStatus", state: "blocked", about: "dialog", text: "dialog open" },
        { kind: "promptRaised", prompt: { about: "dialog", text: "dialog open", source: "osc" } },
      ],
      [{ kind: "programStatus", state: "blocked", about: "dialog", text: "dialog open" }],
      [
        { kind: "programStatus", state: "blocked", about: "question", text: "Which?" },
        { kind: "promptRaised", prompt: { about: "question", text: "Which?", source: "osc" } },
      ],
      [
        { kind: "programStatus", state: "working", about: null, text: "" },
        { kind: "promptClosed", source: "osc" },
      ],
    ]);
  });

  test("records of subagents are no status, but one that is blocked waits on a person", () => {
    const { steps } = play([
      osc("working"),
      osc("working", { id: "sub" }),
      osc("blocked", { id: "sub/1", about: "permission", msg: "approve" }),
      osc("working"),
      osc("clear", { id: "sub" }),
    ]);
    expect(steps.slice(1)).toEqual([
      [],
      [{ kind: "promptRaised", prompt: { about: "permission", text: "approve", source: "osc" } }],
      [{ kind: "programStatus", state: "working", about: null, text: "" }],
      [{ kind: "promptClosed", source: "osc" }],
    ]);
  });

  test("a fresh memory takes back what an earlier one may have raised", () => {
    expect(kinds(play([osc("idle")]).last)).toEqual(["programStatus", "promptClosed"]);
    expect(kinds(play([osc("working", { id: "sub" }), osc("idle")]).all)).toEqual(["programStatus", "promptClosed"]);
  });

  test("a gap makes it unknown, and the open prompt stands", () => {
    const { steps } = play([osc("blocked"), { kind: "gap" }, osc("working")]);
    expect(steps[1]).toEqual([{ kind: "programStatusLost" }]);
    expect(kinds(steps[2] ?? [])).toEqual(["programStatus", "promptClosed"]);
  });
});

describe("the registry", () => {
  const file = (
    status: "idle" | "busy" | "waiting" | "gone",
    tail: readonly unknown[] = [],
    cliSession = "s1",
  ): Signal => ({
    kind: "registry",
    status,
    waitingFor: status === "waiting" ? "permission prompt" : "",
    cliSession,
    transcriptTail: tail,
  });
  const interrupted = [
    { type: "user", message: { content: [{ type: "text", text: "[Request interrupted by user]" }] } },
  ];

  test("is passed on, with an end only when the CLI is idle", () => {
    expect(play([file("idle", interrupted)]).last).toEqual([
      { kind: "registryStatus", state: "idle", text: "", lastEnd: { kind: "interrupted" } },
    ]);
    expect(play([file("busy", interrupted)]).last).toMatchObject([{ state: "busy", lastEnd: null }]);
    expect(play([file("waiting")]).last).toMatchObject([{ state: "waiting", text: "permission prompt" }]);
    expect(play([file("gone")]).last).toMatchObject([{ state: "gone", lastEnd: null }]);
  });

  test("of another session than the known one tells that it was cleared", () => {
    expect(play([start(), file("idle", interrupted, "s2")]).last).toMatchObject([{ lastEnd: { kind: "cleared" } }]);
  });
});

describe("recorded sessions", () => {
  const story = (name: string) =>
    play(recorded(name)).all.flatMap((one) => {
      switch (one.kind) {
        case "ready":
          return [one.cleared ? "cleared" : "ready"];
        case "turnStarted":
          return [`> ${one.automatic ? "(automatic)" : one.prompt.split("\n")[0]}`];
        case "turnStopped":
          return [
            `${one.end.kind}${"text" in one.end ? `: ${one.end.text}` : ""}${one.subagentsRunning ? " (held)" : ""}`,
          ];
        case "toolStarted":
          return [`+${one.name}`];
        case "toolEnded":
          return [`-tool${one.autoApproved ? " (by rule)" : ""}`];
        case "promptRaised":
          return [`? ${one.prompt.text}`];
        case "promptClosed":
          return ["?-"];
        default:
          return [];
      }
    });

  test("turns, an approval, a refusal, an interrupt, an error, /clear", () => {
    expect(story("claude-turns")).toEqual([
      "ready",
      "> hello",
      "answered: Hi there.",
      "> list them",
      "+mcp__quay-a2a__quay_list_agents",
      "-tool (by rule)",
      "answered: listed",
      "> touch it",
      "+Bash",
      "? approve Bash: touch it",
      "-tool",
      "?-",
      "answered: touched",
      "> touch it again, and say no",
      "+Bash",
      "? approve Bash: touch it",
      "-tool",
      "?-",
      "> hang on",
      "> go wrong",
      "failed: API Error: 400 scripted error 400",
      "cleared",
      "cleared",
      "> a long one:",
      "answered: read",
    ]);
  });

  test("a subagent and a background shell", () => {
    expect(story("claude-background")).toEqual([
      "ready",
      "> use a subagent",
      "+Agent",
      "-tool",
      "answered: launched (held)",
      "> (automatic)",
      "answered: launched",
      "> background please",
      "+Bash",
      "-tool",
      "answered: started",
      "> (automatic)",
      "answered: started",
    ]);
  });

  test("two approvals in a row, a question that was declined", () => {
    expect(story("claude-dialogs")).toEqual([
      "ready",
      "> two",
      "+Bash",
      "? approve Bash: touch a",
      "-tool",
      "?-",
      "+Bash",
      "? approve Bash: touch b",
      "-tool",
      "?-",
      "answered: both",
      "> ask me",
      "+AskUserQuestion",
      "? answer: Which color?",
      "-tool",
      "?-",
      "> run long",
      "+mcp__quay-a2a__quay_list_agents",
      "-tool (by rule)",
    ]);
  });
});
