import { describe, expect, it } from "vitest";
import type { BusTools } from "../../../src/demo/bus-tools.js";
import { openConversation } from "../../../src/demo/conversation.js";
import type { Script } from "../../../src/demo/stage.js";
import { until } from "../../support/until.js";

const NO_TOOLS: BusTools = { call: async () => ({ ok: true, text: "sent" }), close: async () => undefined };

const converse = (play: Script["play"], tools: BusTools = NO_TOOLS) => {
  const log: string[] = [];
  const payloads: Record<string, unknown>[] = [];
  const conversation = openConversation({
    script: { understands: "nothing", play },
    cwd: "/project",
    peer: "feature-impl",
    cliSession: "session",
    pauseMs: 0,
    bridge: {
      report: (event, payload) => {
        log.push(event);
        payloads.push({ event, ...payload });
      },
      settled: async () => undefined,
    },
    tools,
    show: () => undefined,
    status: (state) => log.push(state),
    changed: () => undefined,
  });
  return { conversation, log, payloads };
};

describe("a conversation", () => {
  it("reports a turn with its tools under one turn id, the hook before the program's status", async () => {
    const { conversation, log, payloads } = converse(async (prompt, stage) => {
      await stage.send("feature-impl", prompt.body);
      return "answer";
    });
    conversation.start();
    conversation.submit("hello");
    await until(() => log.includes("done"));
    expect(log).toEqual([
      "SessionStart",
      "idle",
      "UserPromptSubmit",
      "working",
      "PreToolUse",
      "working",
      "PostToolUse",
      "Stop",
      "done",
    ]);
    expect(new Set(payloads.slice(1).map(({ prompt_id }) => prompt_id)).size).toBe(1);
    expect(payloads.every(({ session_id }) => session_id === "session")).toBe(true);
    expect(payloads[2]).toMatchObject({ tool_name: "mcp__quay-a2a__quay_send_message" });
    expect(payloads.at(-1)).toMatchObject({ last_assistant_message: "answer", background_tasks: [] });
  });

  it("plays one prompt at a time, in their order", async () => {
    const order: string[] = [];
    const releases: (() => void)[] = [];
    const { conversation, log } = converse(async ({ body }) => {
      order.push(body);
      await new Promise<void>((resolve) => releases.push(resolve));
      return body;
    });
    for (const text of ["one", "two", "three"]) conversation.submit(text);
    for (let turn = 1; turn <= 3; turn += 1) {
      await until(() => releases.length === turn);
      expect(order).toHaveLength(turn);
      releases[turn - 1]?.();
    }
    await until(() => log.filter((entry) => entry === "Stop").length === 3);
    expect(order).toEqual(["one", "two", "three"]);
  });

  it("ends an interrupted turn idle, with no end reported, and goes on with the next", async () => {
    const { conversation, log } = converse(async ({ body }, stage) => {
      if (body === "next") return "answer";
      await new Promise((resolve) => stage.signal.addEventListener("abort", resolve));
      await stage.pause();
      return "never";
    });
    expect(conversation.interrupt()).toBe(false);
    conversation.submit("hello");
    expect(conversation.isWorking()).toBe(true);
    expect(conversation.interrupt()).toBe(true);
    await until(() => log.includes("idle"));
    expect(log).toEqual(["UserPromptSubmit", "working", "idle"]);
    conversation.submit("next");
    await until(() => log.includes("Stop"));
  });

  it("takes no answer from a script that did not notice the interrupt", async () => {
    const { conversation, log } = converse(async (_prompt, stage) => {
      await new Promise((resolve) => stage.signal.addEventListener("abort", resolve));
      return "too late";
    });
    conversation.submit("hello");
    conversation.interrupt();
    await until(() => !conversation.isWorking());
    expect(log).toEqual(["UserPromptSubmit", "working", "idle"]);
  });

  it("does not wait for a tool that hangs when it is interrupted", async () => {
    const hanging: BusTools = { ...NO_TOOLS, call: () => new Promise(() => undefined) };
    const { conversation, log } = converse(async (_prompt, stage) => (await stage.send("x", "y")).text, hanging);
    conversation.submit("hello");
    await until(() => log.includes("PreToolUse"));
    conversation.interrupt();
    await until(() => log.includes("idle"));
    expect(log).not.toContain("PostToolUse");
  });

  it("reports a failed tool and turn, and does not mistake a script's fault for an interrupt", async () => {
    const broken: BusTools = { ...NO_TOOLS, call: async () => Promise.reject(new Error("no bus")) };
    const { conversation, log, payloads } = converse(async (_prompt, stage) => {
      await stage.send("x", "y");
      return "never";
    }, broken);
    conversation.submit("hello");
    await until(() => log.includes("error"));
    expect(log.slice(-3)).toEqual(["PostToolUseFailure", "StopFailure", "error"]);
    expect(payloads.at(-1)).toMatchObject({ last_assistant_message: "no bus" });
  });

  it("says goodbye once, and starts nothing any more", async () => {
    const { conversation, log } = converse(async () => "answer");
    conversation.end("other");
    conversation.end("other");
    conversation.submit("hello");
    expect(log).toEqual(["SessionEnd", "clear"]);
  });
});
