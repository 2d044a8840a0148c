/**
 * The turns of a demo agent: one prompt at a time, later ones wait. Each turn reports to the event bridge and to
 * OSC 7501 what a coding CLI reports, in that order, and shows itself as entries of the conversation.
 * An interrupted turn reports no Stop, as with the CLI whose place the demo takes.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { messageOf } from "../lib/errors.js";
import type { BusTools } from "./bus-tools.js";
import type { EventBridge } from "./event-bridge.js";
import type { Entry } from "./frame.js";
import type { ProgramStatus } from "./program-status.js";
import { readPrompt } from "./prompt.js";
import { Interrupted, type Script, type Stage } from "./stage.js";

export type ConversationParts = {
  readonly script: Script;
  readonly cwd: string;
  readonly peer: string;
  readonly cliSession: string;
  readonly pauseMs: number;
  readonly bridge: EventBridge;
  readonly tools: BusTools;
  show(entry: Entry): void;
  status(state: ProgramStatus, about: string): void;
  /** Called when a turn starts or ends, so that the footer can say so. */
  changed(): void;
};

export type Conversation = {
  /** Says that the session is there, and idle. */
  start(): void;
  submit(text: string): void;
  /** Ends the turn under way; false when there is none. */
  interrupt(): boolean;
  isWorking(): boolean;
  /** Ends everything and says goodbye; no turn starts any more. */
  end(reason: string): void;
};

const TOOL_PREFIX = "mcp__quay-a2a__";

export const openConversation = (parts: ConversationParts): Conversation => {
  const { bridge, cliSession, cwd } = parts;
  const waiting: string[] = [];
  let turn: AbortController | null = null;
  let ended = false;
  let toolCount = 0;

  const common = { session_id: cliSession, cwd };
  const say = (text: string): void => parts.show({ mark: "●", text, dim: false });

  const stageOf = (promptId: string, signal: AbortSignal): Stage => {
    const stopIfInterrupted = (): void => {
      if (signal.aborted) throw new Interrupted();
    };
    const interrupted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Interrupted()), { once: true });
    });
    // Heard only while a tool runs.
    interrupted.catch(() => undefined);
    const tool: Stage["tool"] = async (name, title, run) => {
      stopIfInterrupted();
      toolCount += 1;
      const use = {
        ...common,
        prompt_id: promptId,
        tool_name: name,
        tool_use_id: `demo-tool-${process.pid}-${toolCount}`,
      };
      bridge.report("PreToolUse", use);
      parts.status("working", `${name}: ${title}`);
      parts.show({ mark: "›", text: `${name.replace(TOOL_PREFIX, "")} ${title}`, dim: true });
      try {
        const result = await Promise.race([run(), interrupted]);
        stopIfInterrupted();
        bridge.report("PostToolUse", use);
        return result;
      } catch (error) {
        stopIfInterrupted();
        bridge.report("PostToolUseFailure", { ...use, error: messageOf(error) });
        throw error;
      }
    };
    return {
      cwd,
      peer: parts.peer,
      signal,
      say,
      tool,
      pause: async () => {
        if (parts.pauseMs > 0) await wait(parts.pauseMs, undefined, { signal }).catch(() => undefined);
        stopIfInterrupted();
      },
      send: (target, message) =>
        tool(`${TOOL_PREFIX}quay_send_message`, `to ${target}: ${message}`, async () => {
          const args = { target_terminal_id: target, message, wait_for_reply: false };
          const answer = await parts.tools.call("quay_send_message", args);
          parts.show({ mark: "‹", text: answer.text, dim: true });
          return answer;
        }),
    };
  };

  const play = async (text: string, signal: AbortSignal): Promise<void> => {
    const promptId = randomUUID();
    const base = { ...common, prompt_id: promptId };
    bridge.report("UserPromptSubmit", { ...base, prompt: text });
    parts.status("working", "");
    parts.show({ mark: ">", text, dim: false });
    try {
      const answer = await parts.script.play(readPrompt(text), stageOf(promptId, signal));
      if (signal.aborted) throw new Interrupted();
      say(answer);
      bridge.report("Stop", {
        ...base,
        stop_hook_active: false,
        last_assistant_message: answer,
        background_tasks: [],
      });
      parts.status("done", "");
    } catch (error) {
      if (ended) return;
      if (error instanceof Interrupted || signal.aborted) {
        parts.show({ mark: "!", text: "Interrupted.", dim: true });
        parts.status("idle", "");
        return;
      }
      const why = messageOf(error);
      parts.show({ mark: "!", text: `The turn failed: ${why}`, dim: false });
      bridge.report("StopFailure", { ...base, error: "unknown", last_assistant_message: why });
      parts.status("error", why);
    }
  };

  const next = (): void => {
    if (turn !== null || ended) return;
    const text = waiting.shift();
    if (text === undefined) return;
    const mine = new AbortController();
    turn = mine;
    parts.changed();
    void play(text, mine.signal).then(() => {
      turn = null;
      if (ended) return;
      parts.changed();
      next();
    });
  };

  return {
    start: () => {
      bridge.report("SessionStart", { ...common, source: "startup", model: "none (scripted)" });
      parts.status("idle", "");
    },
    submit: (text) => {
      waiting.push(text);
      next();
    },
    interrupt: () => {
      turn?.abort();
      return turn !== null;
    },
    isWorking: () => turn !== null,
    end: (reason) => {
      if (ended) return;
      ended = true;
      turn?.abort();
      bridge.report("SessionEnd", { ...common, reason });
      parts.status("clear", "");
    },
  };
};
