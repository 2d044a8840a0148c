/**
 * The lead and the worker of the mailbox's text, two real Claude Codes: the lead in a terminal of Quay, by its own token; the
 * worker started by nobody of Quay's, connected by the lines that `quay mailbox connect` prints, with an account key.
 */
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { claudeCode } from "../support/clis/claude.js";
import { needs } from "../support/clis/programs.js";
import { call, say } from "../support/model-server.js";
import { verifies } from "../support/verifies.js";
import { type QuayStage, startQuayStage } from "./quay-stage.js";

needs("claude");

type Args = Readonly<Record<string, unknown>>;
type Tool = readonly [name: string, args: Args];

/** What the tools answered in the turn of this prompt, in order. */
const answersTo = (stage: QuayStage, prompt: string) => {
  const last = stage.model.requests.findLast((request) => request.prompt.includes(prompt));
  return (last?.results ?? []).map((text) => JSON.parse(text));
};

const openDialogue = async () => {
  const stage = await startQuayStage();
  await stage.launch("lead");
  await stage.untilStatus("lead", "idle");

  /** One turn of the lead: these tools, then this answer. */
  const lead = async (prompt: string, tools: readonly Tool[], answer: string) => {
    const steps = tools.map(([name, args]) => call(`mcp__quay-a2a__${name}`, args));
    stage.model.when(prompt, ...steps, say(answer));
    await stage.send("lead", prompt);
    await stage.untilEntry(prompt, "Completed", 60_000);
    return answersTo(stage, prompt);
  };

  // A person's own Claude Code, in a folder and a shell that know nothing of Quay but the key.
  const folder = join(stage.room.root, "elsewhere");
  mkdirSync(folder);
  const sandbox = claudeCode()(stage.room);
  sandbox.trust(folder);
  const key = stage.quay("mailbox", "key", "new", "--label", "worker").trim();
  const env = { ...stage.room.env, ...sandbox.env, QUAY_MAILBOX_KEY: key };
  const program = String(sandbox.settings.command);
  const line = stage
    .quay("mailbox", "connect", "claude")
    .split("\n")
    .find((one) => one.includes("claude mcp add"))!;
  execFileSync("/bin/sh", ["-c", line.trim().replace("claude", program)], { env, cwd: folder });
  const worker = async (prompt: string, tools: readonly Tool[], answer: string) => {
    const steps = tools.map(([name, args]) => call(`mcp__quay-mailbox__${name}`, args));
    stage.model.when(prompt, ...steps, say(answer));
    const args = ["-p", prompt, "--allowedTools=mcp__quay-mailbox"];
    const running = promisify(execFile)(program, args, { env, cwd: folder, timeout: 60_000 });
    running.child.stdin?.end();
    expect((await running).stdout.trim()).toBe(answer);
    return answersTo(stage, prompt);
  };
  return { stage, lead, worker };
};

verifies(
  ["mailbox:dialogue", "mailbox:bearer-key", "mailbox:tools-by-credential", "mailbox:cli:connect"],
  "a lead in Quay and a worker outside divide a task",
  async () => {
    const { stage, lead, worker } = await openDialogue();
    const [{ agentId: leadId }] = await lead(
      "Register yourself",
      [["agent_register", { name: "Claude Code" }]],
      "here",
    );
    const about = { name: "recon-runner", description: "Maps hosts", kind: "worker" };
    const [{ agentId: workerId }] = await worker("Register as the worker", [["agent_register", about]], "here too");

    const [{ agents }, task] = await lead(
      "Hand the task over",
      [
        ["agent_list", { query: "hosts" }],
        [
          "send_message",
          {
            agentId: leadId,
            to: "recon-runner",
            subject: "Map acme-labs.com",
            content: "Enumerate subdomains and probe live hosts. Reply in this thread with evidence.",
            scanId: "scan-1",
          },
        ],
      ],
      "handed over",
    );
    expect(agents).toMatchObject([{ agentId: workerId, name: "recon-runner", active: true }]);

    const [inbox, thread, reply, marked] = await worker(
      "Look for work",
      [
        ["get_mailbox", { agentId: workerId, unreadOnly: true }],
        ["get_messages", { agentId: workerId, messageId: task.messageId }],
        ["reply_message", { agentId: workerId, replyTo: task.messageId, content: "12 live hosts." }],
        ["mark_message", { agentId: workerId, messageIds: [task.messageId], status: "ack" }],
      ],
      "done",
    );
    expect(inbox).toMatchObject({
      unread: 1,
      messages: [{ messageId: task.messageId, from: { name: "claude-code" } }],
    });
    expect(thread.messages).toHaveLength(1);
    expect(reply).toMatchObject({ threadId: task.threadId, to: { name: "claude-code" } });
    expect(marked.messages).toMatchObject([{ messageId: task.messageId, ackAt: expect.any(String) }]);

    const [read] = await lead(
      "Read the answer",
      [["get_messages", { agentId: leadId, messageId: reply.messageId }]],
      "12 live hosts",
    );
    expect(read.messages).toMatchObject([
      { subject: "Map acme-labs.com", scanId: "scan-1", ackAt: expect.any(String) },
      { content: "12 live hosts.", scanId: "scan-1", from: { name: "recon-runner" } },
    ]);
    // Nothing was typed for it: the trail has the person's own three messages.
    expect(stage.trail().map(({ from }) => from)).toEqual(["You", "You", "You"]);
    expect(stage.quay("mailbox", "read", task.threadId)).toContain("  12 live hosts.\n");
  },
);
