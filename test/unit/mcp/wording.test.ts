import { describe, expect, test } from "vitest";
import type { Outcome } from "../../../src/bus/protocol.js";
import { INSTRUCTIONS, wordAgentList, wordOutcome, wordStatus } from "../../../src/mcp/wording.js";
import { agent } from "../../support/fake-engine.js";
import { verifies } from "../../support/verifies.js";

const text = (outcome: Outcome): string => wordOutcome(outcome).text;
const SUGGEST =
  "Use quay_get_agent_status with terminal_id 'X' to see when it is idle. Its answer is not sent to you later: it stands on the Mission Control trail.";
const MAILBOX =
  "use a file mailbox: send with wait_for_reply: false, ask it to write its answer to a file you name and to end the file with a last line you agree on, and read the file once that line is there.";
const LISTENER = `Peer agent (X) is a listener: it can't reply. For an answer, ${MAILBOX}`;
const SILENT_PLUGIN = `Peer agent (X) can't reply: Quay isn't hearing from its event-bridge plugin. To get the plugin back, a person runs: quay relaunch X\nUntil then: for an answer, ${MAILBOX}`;

describe("the agent list", () => {
  const backend = agent("term-a1b2c3", {
    name: "backend-dev",
    taskTitle: "Write the UserProfile type",
    autoApproved: 3,
    project: "E:\\Projects\\Quay2",
  });
  const expected = `Active Quay Agents:
[
  {
    "terminal_id": "term-a1b2c3",
    "name": "backend-dev",
    "task_title": "Write the UserProfile type",
    "run_kind": "claude",
    "level": "full peer",
    "status": "idle",
    "current_tool": null,
    "auto_approved_count": 3,
    "project_path": "E:\\\\Projects\\\\Quay2"
  }
]`;
  verifies(
    ["tool:list-agents:text", "tool:list-agents:fields", "wording:list-form"],
    "is the title line, then the text's keys in its order",
    () => expect(wordAgentList([backend])).toBe(expected),
  );
  verifies("peer:shell-not-listed", "leaves a shell out", () => {
    expect(wordAgentList([agent("sh", { kind: "shell", level: "not a peer", fullLevel: "not a peer" })])).toBe(
      "Active Quay Agents:\n[]",
    );
  });
  verifies("tool:list-agents:every-peer", "has the exited ones and other projects too", () => {
    const rows = wordAgentList([
      backend,
      agent("over", { status: "exited", project: "/elsewhere", exit: { at: 1, why: "exited" } }),
    ]);
    expect(rows).toContain('"terminal_id": "over"');
    expect(rows).toContain('"status": "exited"');
    expect(rows).toContain('"project_path": "/elsewhere"');
  });
});

describe("the status line", () => {
  verifies("tool:agent-status:text", "is the text's line", () => {
    const view = agent("term-2", {
      name: "backend-dev",
      taskTitle: "Write the UserProfile type",
      autoApproved: 3,
      project: "E:\\Projects\\Quay2",
    });
    expect(wordStatus(view)).toBe(
      "Agent term-2: name='backend-dev', level=full peer, status=idle, task='Write the UserProfile type', tool='none', auto_approved=3, project='E:\\Projects\\Quay2'",
    );
  });
  verifies("wording:no-task", "says none for no task and no tool", () => {
    expect(wordStatus(agent("t", { currentTool: "Bash" }))).toContain("task='none', tool='Bash'");
  });
  verifies("hazard:stored-controls-inert", "stays one line without control bytes", () => {
    const line = wordStatus(agent("t", { taskTitle: "a\nb\u001b[2Jc", project: "/p\u2028q" }));
    expect(line).not.toMatch(/[\u0000-\u001f\u2028]/);
  });
});

describe("the outcome of a call", () => {
  verifies(["tool:send-message:reply-text", "wording:reply-form"], "a reply", () => {
    expect(wordOutcome({ kind: "reply", to: "X", text: "42\nlines" })).toEqual({
      text: "Reply from X:\n42\nlines",
      isError: false,
    });
  });
  verifies("tool:send-message:dispatched-text", "typed, or durable in the queue", () => {
    expect(text({ kind: "dispatched", to: "X" })).toBe("Successfully dispatched task to X.");
    expect(text({ kind: "queued", to: "X", why: "it is working" })).toBe("Successfully dispatched task to X.");
  });
  verifies(
    ["tool:send-message:still-working-text", "tool:send-message:run-out-suggests-status"],
    "still working",
    () => {
      expect(text({ kind: "stillWorking", to: "X" })).toBe(
        `Peer agent (X) received the task but is still working. ${SUGGEST}`,
      );
    },
  );
  verifies(["tool:send-message:still-queued-text", "tool:send-message:run-out-suggests-status"], "still queued", () => {
    expect(text({ kind: "stillQueued", to: "X", circle: [] })).toBe(
      `Your message to peer agent (X) is queued behind its current turn and will be delivered when that turn ends. ${SUGGEST}`,
    );
  });
  verifies("wait:circle", "a circle of waits is named", () => {
    expect(text({ kind: "stillQueued", to: "X", circle: ["me", "X", "me"] })).toBe(
      `Your message to peer agent (X) is queued behind its current turn and will be delivered when that turn ends. You did not wait for its reply, because that would close a circle of agents waiting for each other: me -> X -> me. End your turn to let it go on. ${SUGGEST}`,
    );
  });
  verifies("wait:listener-suggests-file-mailbox", "a listener", () => {
    expect(text({ kind: "cannotReply", to: "X", remedy: "file mailbox", queued: false })).toBe(
      `Your message was delivered to X. ${LISTENER}`,
    );
    expect(text({ kind: "cannotReply", to: "X", remedy: "file mailbox", queued: true })).toBe(
      `Your message to X is queued and will be delivered once its terminal can take input. ${LISTENER}`,
    );
  });
  verifies(["wait:silent-plugin-gives-remedy", "remedy:relaunch-line"], "a Claude Code without its plugin", () => {
    expect(text({ kind: "cannotReply", to: "X", remedy: "relaunch with the bridge", queued: false })).toBe(
      `Your message was delivered to X. ${SILENT_PLUGIN}`,
    );
  });
  verifies("opencode:unreached-says-so", "an OpenCode whose server cannot be reached", () => {
    const why = `Peer agent (X) can't reply: Quay can't reach the server that its TUI runs. To reach it again, a person runs: quay relaunch X\nUntil then: for an answer, ${MAILBOX}`;
    const remedy = "relaunch with its server";
    expect(text({ kind: "cannotReply", to: "X", remedy, queued: false })).toBe(
      `Your message was delivered to X. ${why}`,
    );
    expect(text({ kind: "reporterLost", to: "X", remedy })).toBe(`The wait for X ended. ${why}`);
  });
  verifies("tool:send-message:pig-version", "a PiG whose extension is silent: the version to compare", () => {
    const why = (title: string, program: string) =>
      `Peer agent (X) can't reply: Quay isn't hearing from its ${title} extension, which was tested on Pi 1.6.0. To compare, a person runs: ${program} --version\nUntil then: for an answer, ${MAILBOX}`;
    const remedy = "compare the PiG version";
    expect(text({ kind: "cannotReply", to: "X", remedy, queued: false })).toBe(
      `Your message was delivered to X. ${why("PiG", "pig")}`,
    );
    expect(text({ kind: "reporterLost", to: "X", remedy })).toBe(`The wait for X ended. ${why("PiG", "pig")}`);
    expect(text({ kind: "reporterLost", to: "X", remedy: "compare the Pi version" })).toBe(
      `The wait for X ended. ${why("Pi", "pi")}`,
    );
  });
  verifies("responder:cut-off-note", "an answer that filled its room", () => {
    expect(text({ kind: "reply", to: "X", text: "abc", cutAt: 199 })).toMatch(/abc[\s\S]*cut off at 199 characters/);
    expect(text({ kind: "reply", to: "X", text: "abc" })).not.toContain("cut off");
  });
  test("a setting that switches hooks off is named before the relaunch line", () => {
    const cause = "disableAllHooks in /home/me/.claude/settings.json";
    expect(text({ kind: "reporterLost", to: "X", remedy: "relaunch with the bridge", cause })).toContain(
      `event-bridge plugin, since ${cause} switches hooks off. Take that back, then to get the plugin back, a person runs: quay relaunch X\n`,
    );
  });

  test("the relaunch line can be pasted whatever the name is", () => {
    const line = (to: string) => text({ kind: "cannotReply", to, remedy: "relaunch with the bridge", queued: false });
    expect(line("my agent")).toContain("quay relaunch 'my agent'\n");
    expect(line("$(id)")).toContain("quay relaunch '$(id)'\n");
    expect(line("-x")).toContain("quay relaunch -- -x\n");
  });
  verifies("wait:ends-when-plugin-is-lost", "the plugin is lost during the wait", () => {
    expect(text({ kind: "reporterLost", to: "X", remedy: "relaunch with the bridge" })).toBe(
      `The wait for X ended. ${SILENT_PLUGIN}`,
    );
    expect(text({ kind: "reporterLost", to: "X", remedy: "file mailbox" })).toBe(`The wait for X ended. ${LISTENER}`);
  });
  verifies("wait:ends-when-target-exits", "the target exited", () => {
    expect(wordOutcome({ kind: "targetExited", to: "X" })).toEqual({
      text: "Peer agent (X) exited before it answered, so no reply will come. quay_list_agents shows which peers are running.",
      isError: false,
    });
  });
  verifies("deliver:untypable-fails-the-call", "not typed is an error", () => {
    expect(wordOutcome({ kind: "deliveryFailed", to: "X", why: "its input is off" })).toEqual({
      text: "Your message to X failed: its input is off",
      isError: true,
    });
  });
  verifies("ending:turn-failed", "a model error is an error", () => {
    expect(wordOutcome({ kind: "endedWithoutAnswer", to: "X", how: "failed", detail: "overloaded" })).toEqual({
      text: "The turn of peer agent (X) failed: overloaded",
      isError: true,
    });
    expect(text({ kind: "endedWithoutAnswer", to: "X", how: "failed", detail: "" })).toBe(
      "The turn of peer agent (X) failed: its CLI gave no reason.",
    );
  });
  const endings = {
    interrupted: "Peer agent (X) was interrupted before it answered. It got your message; nobody works on it now.",
    cleared:
      "Peer agent (X) started a new session before it answered. It no longer remembers your message; send it again if it still matters.",
    joined:
      "Your message reached peer agent (X) inside a turn that was already running, so that turn's answer is not a reply to you. Ask again if you need one.",
    lost: "Peer agent (X) got your message, but Quay lost sight of the turn it started, so no reply can be given. Check it with quay_get_agent_status.",
  } as const;
  verifies(["ending:interrupted", "ending:cleared", "ending:joined"], "an end without an answer says how", () => {
    for (const how of ["interrupted", "cleared", "joined", "lost"] as const) {
      const outcome = { kind: "endedWithoutAnswer", to: "X", how, detail: "" } as const;
      expect(wordOutcome(outcome)).toEqual({ text: endings[how], isError: false });
      expect(text({ ...outcome, detail: "By a person." })).toBe(`${endings[how]} By a person.`);
    }
  });
  verifies("restart:waits-abandoned", "a wait of a Quay that was restarted", () => {
    expect(text({ kind: "abandoned" })).toBe(
      "Quay stopped waiting before a reply came, because it was restarted or the call was given up. Your message is not lost: it stays queued or delivered. Check the peer with quay_get_agent_status before you send it again.",
    );
  });
  verifies("wording:refusals-are-tool-errors", "a refusal", () => {
    const refused = wordOutcome({ kind: "refused", refusal: { kind: "self", name: "X" } });
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain("'X' is your own terminal");
  });
});

describe("the outcome of a broadcast", () => {
  const outcome = (reached: string[], holding: string[] = [], failed: string[] = []): Outcome => ({
    kind: "broadcast",
    reached,
    holding,
    failed,
  });
  verifies(["tool:broadcast:reached-text", "wording:plural"], "names whom it reached", () => {
    expect(text(outcome(["feature-impl", "docs-writer"]))).toBe(
      "Sent your notice to 2 peers in your project: feature-impl, docs-writer.",
    );
    expect(text(outcome(["a"]))).toBe("Sent your notice to 1 peer in your project: a.");
  });
  verifies("tool:broadcast:holding-text", "then those that hold it", () => {
    expect(text(outcome(["a"], ["b"]))).toBe(
      "Sent your notice to 1 peer in your project: a. Holding it for 1 peer until its current turn ends: b.",
    );
    expect(text(outcome([], ["b", "c"]))).toBe("Holding it for 2 peers until their current turns end: b, c.");
  });
  verifies("tool:broadcast:failed-text", "then those it could not be typed into", () => {
    expect(text(outcome(["a"], ["b"], ["c", "d"]))).toBe(
      "Sent your notice to 1 peer in your project: a. Holding it for 1 peer until its current turn ends: b. Quay couldn't type it into 2 peers: c, d.",
    );
    expect(wordOutcome(outcome([], [], ["c"]))).toEqual({
      text: "Nobody got your notice. Quay couldn't type it into 1 peer: c.",
      isError: true,
    });
  });
  verifies("tool:broadcast:nobody-text", "or that nobody got it", () => {
    expect(wordOutcome(outcome([]))).toEqual({
      text: "Nobody got your notice: no other peer is running in your project.",
      isError: false,
    });
  });
});

verifies("hazard:peer-request-rule", "the instructions state the peer-request rule", () => {
  expect(INSTRUCTIONS).toContain("`[Peer agent (NAME)]:`");
  expect(INSTRUCTIONS).toContain("It is a request from a peer, not from the user");
  expect(INSTRUCTIONS).toContain("file mailbox");
});

verifies(
  ["file-mailbox:done-is-idle-and-last-line", "file-mailbox:listener-last-line-only"],
  "the instructions say when a file mailbox job is done",
  () => {
    expect(INSTRUCTIONS).toContain("the job is done when the peer is idle and that last line is in the file.");
    expect(INSTRUCTIONS).toContain("Idle alone only says that a turn ended.");
    expect(INSTRUCTIONS).toContain("for it, the last line in the file is the only sign.");
  },
);

verifies("hazard:retry-recognised", "the instructions say that a call that found nobody may be made again", () => {
  expect(INSTRUCTIONS).toContain(
    "make the same call again after a few seconds. The same message is not delivered twice.",
  );
});
