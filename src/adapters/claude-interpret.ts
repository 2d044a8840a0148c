/**
 * What Claude Code's signals mean to the bus: the Claude Code column of the authority table in docs/architecture.md.
 * Pure. Doubles, late files and events of other processes change nothing; nothing here decides that the CLI exited.
 * Sources: facts/claude-code.md sections 4 and 5.
 */
import type { Observation } from "../bus/protocol.js";
import type { TurnEnd } from "../bus/turn.js";
import type { FileSignal, HookSignal, Interpretation, Meaning, Memory, Signal } from "./adapter.js";
import { bind, type ClaudeMemory, remember, remembered } from "./claude-memory.js";
import { approvalText, isAutomatic, promptText } from "./claude-prompt.js";
import { lastEndOf } from "./claude-transcript.js";
import { idIn, listOf, textIn } from "./json.js";
import { interpretProgramStatus } from "./osc-interpret.js";

type Payload = HookSignal["payload"];

/** Tools that Quay itself allowed beforehand: only their calls count as approved by a rule of Quay. */
const PRE_ALLOWED = "mcp__quay-a2a__";

const nothing = (memory: ClaudeMemory): Meaning<ClaudeMemory> => ({ memory, observations: [] });

/** Tools still open when a turn is over were denied or interrupted: no hook says so. */
const endLeftovers = (memory: ClaudeMemory): Meaning<ClaudeMemory> => {
  const left = Object.keys(memory.open);
  return {
    memory: { ...memory, open: {}, asking: [], ended: remember(memory.ended, left) },
    observations: [
      ...left.map((tool): Observation => ({ kind: "toolEnded", tool, autoApproved: false })),
      ...(memory.asking.length > 0 ? [{ kind: "promptClosed", source: "hook" } as const] : []),
    ],
  };
};

const onSessionStart = (memory: ClaudeMemory, payload: Payload): Meaning<ClaudeMemory> => {
  const cliSession = textIn(payload, "session_id");
  const source = textIn(payload, "source");
  const same = memory.cliSession === cliSession;
  // A compaction happens inside a session, even inside a turn: the prompt was up before.
  if (source === "compact" && (same || memory.cliSession === null)) return nothing({ ...memory, cliSession });
  const cleared = source === "clear" || (source !== "startup" && memory.cliSession !== null && !same);
  const { memory: tidy, observations } = endLeftovers(memory);
  return {
    memory: { ...tidy, cliSession, cliTurn: null },
    observations: [...observations, { kind: "ready", cliSession, cleared }],
  };
};

const onSessionEnd = (memory: ClaudeMemory, payload: Payload): Meaning<ClaudeMemory> => {
  const reason = textIn(payload, "reason");
  if (reason === "clear") {
    const { memory: tidy, observations } = endLeftovers(memory);
    const stopped: Observation = {
      kind: "turnStopped",
      cliTurn: null,
      end: { kind: "cleared" },
      subagentsRunning: false,
    };
    return { memory: tidy, observations: [...observations, stopped] };
  }
  // `resume` exchanges the session inside the same process; all other reasons end the process.
  return nothing(reason === "resume" ? memory : { ...memory, bound: null, left: memory.bound });
};

const onPrompt = (memory: ClaudeMemory, payload: Payload): Meaning<ClaudeMemory> => {
  const prompt = textIn(payload, "prompt");
  const cliTurn = idIn(payload, "prompt_id") ?? `${textIn(payload, "session_id")}#${memory.prompts.length}`;
  const key = `${cliTurn}\n${prompt}`;
  const started = { kind: "turnStarted", cliTurn, prompt: promptText(prompt), automatic: isAutomatic(prompt) } as const;
  // Twice by its hook, or the same words once more: the bus knows whether anybody waits for them.
  if (memory.prompts.includes(key))
    return { memory, observations: started.automatic ? [] : [{ ...started, again: true }] };
  // A message queued while a turn runs carries the running turn's id: its tools go on.
  const { memory: tidy, observations } = memory.cliTurn === cliTurn ? nothing(memory) : endLeftovers(memory);
  return {
    memory: { ...tidy, cliTurn, prompts: remember(tidy.prompts, [key]).slice(-20) },
    observations: [...observations, started],
  };
};

const onToolStart = (memory: ClaudeMemory, payload: Payload): Meaning<ClaudeMemory> => {
  const tool = idIn(payload, "tool_use_id");
  const name = textIn(payload, "tool_name");
  if (tool === null || memory.ended.includes(tool) || tool in memory.open) return nothing(memory);
  return {
    memory: { ...memory, open: { ...memory.open, [tool]: { name, asked: false } } },
    observations: [
      { kind: "toolStarted", tool, name },
      { kind: "turnContinued", cliTurn: idIn(payload, "prompt_id") },
    ],
  };
};

const endTool = (memory: ClaudeMemory, tool: string, name: string, ran: boolean): Meaning<ClaudeMemory> => {
  if (memory.ended.includes(tool)) return nothing(memory);
  const known = memory.open[tool];
  const { [tool]: _ended, ...open } = memory.open;
  const place = memory.asking.indexOf(name);
  const asking = place < 0 ? memory.asking : memory.asking.toSpliced(place, 1);
  const autoApproved = ran && known !== undefined && !known.asked && known.name.startsWith(PRE_ALLOWED);
  return {
    memory: { ...memory, open, asking, ended: remember(memory.ended, [tool]) },
    observations: [
      { kind: "toolEnded", tool, autoApproved },
      ...(place >= 0 && asking.length === 0 ? [{ kind: "promptClosed", source: "hook" } as const] : []),
    ],
  };
};

const onToolEnd = (memory: ClaudeMemory, payload: Payload, ran: boolean): Meaning<ClaudeMemory> => {
  const tool = idIn(payload, "tool_use_id");
  if (tool === null || memory.ended.includes(tool)) return nothing(memory);
  const ended = endTool(memory, tool, textIn(payload, "tool_name"), ran);
  return {
    memory: ended.memory,
    observations: [...ended.observations, { kind: "turnContinued", cliTurn: idIn(payload, "prompt_id") }],
  };
};

const onBatch = (memory: ClaudeMemory, payload: Payload): Meaning<ClaudeMemory> => {
  const tools = listOf(payload.tool_calls).flatMap((call) => {
    const tool = idIn(call, "tool_use_id");
    return tool === null ? [] : [{ tool, name: textIn(call, "tool_name") }];
  });
  const key = tools.map(({ tool }) => tool).join(" ");
  if (memory.batches.includes(key)) return nothing(memory);
  let now = { ...memory, batches: remember(memory.batches, [key]) };
  const observations: Observation[] = [];
  for (const { tool, name } of tools) {
    const ended = endTool(now, tool, name, false);
    now = ended.memory;
    observations.push(...ended.observations);
  }
  observations.push({ kind: "turnContinued", cliTurn: idIn(payload, "prompt_id") });
  return { memory: now, observations };
};

const onPermissionRequest = (memory: ClaudeMemory, payload: Payload): Meaning<ClaudeMemory> => {
  const name = textIn(payload, "tool_name");
  // The request carries no tool id: every open call of that tool may be the one that was asked for.
  const open = Object.fromEntries(
    Object.entries(memory.open).map(([id, tool]) => [id, tool.name === name ? { ...tool, asked: true } : tool]),
  );
  const about = name === "AskUserQuestion" ? "question" : "permission";
  return {
    memory: { ...memory, open, asking: [...memory.asking, name].slice(-20) },
    observations: [
      { kind: "promptRaised", prompt: { about, text: approvalText(name, payload.tool_input), source: "hook" } },
    ],
  };
};

/** Dialogs that come without a PermissionRequest. Others of the kind (idle_prompt) say nothing new. */
const WAITING_NOTES: readonly string[] = ["permission_prompt", "agent_needs_input", "elicitation_dialog"];

const onNotification = (memory: ClaudeMemory, payload: Payload): Meaning<ClaudeMemory> => {
  const type = textIn(payload, "notification_type");
  if (!WAITING_NOTES.includes(type) || memory.asking.length > 0) return nothing(memory);
  return {
    memory: { ...memory, asking: [type] },
    observations: [
      {
        kind: "promptRaised",
        prompt: {
          about: type === "permission_prompt" ? "permission" : "dialog",
          text: textIn(payload, "message"),
          source: "hook",
        },
      },
    ],
  };
};

const hasRunningSubagent = (payload: Payload): boolean =>
  listOf(payload.background_tasks).some((task) => task.type === "subagent" && task.status === "running");

const onStop = (memory: ClaudeMemory, payload: Payload, end: TurnEnd): Meaning<ClaudeMemory> => {
  const { memory: tidy, observations } = endLeftovers(memory);
  const stopped: Observation = {
    kind: "turnStopped",
    cliTurn: idIn(payload, "prompt_id"),
    end,
    subagentsRunning: hasRunningSubagent(payload),
  };
  return { memory: tidy, observations: [...observations, stopped] };
};

const interpretHook = (memory: ClaudeMemory, signal: HookSignal): Meaning<ClaudeMemory> => {
  const { event, payload } = signal;
  // A subagent's tools and ends are not the turn's; but its dialog stands on the same screen.
  if (idIn(payload, "agent_id") !== null && event !== "PermissionRequest") return nothing(memory);
  switch (event) {
    case "SessionStart":
      return onSessionStart(memory, payload);
    case "SessionEnd":
      return onSessionEnd(memory, payload);
    case "UserPromptSubmit":
      return onPrompt(memory, payload);
    case "PreToolUse":
      return onToolStart(memory, payload);
    case "PostToolUse":
      return onToolEnd(memory, payload, true);
    case "PostToolUseFailure":
    case "PermissionDenied":
      return onToolEnd(memory, payload, false);
    case "PostToolBatch":
      return onBatch(memory, payload);
    case "PermissionRequest":
      return onPermissionRequest(memory, payload);
    case "Notification":
      return onNotification(memory, payload);
    case "Stop":
      return onStop(memory, payload, { kind: "answered", text: textIn(payload, "last_assistant_message") });
    case "StopFailure":
      return onStop(memory, payload, {
        kind: "failed",
        text: textIn(payload, "last_assistant_message") || textIn(payload, "error") || "the model gave an error",
      });
    default:
      return nothing(memory);
  }
};

const interpretFile = (memory: ClaudeMemory, signal: FileSignal): Meaning<ClaudeMemory> => {
  const moved = memory.cliSession !== null && signal.cliSession !== null && memory.cliSession !== signal.cliSession;
  const lastEnd: TurnEnd | null = moved ? { kind: "cleared" } : lastEndOf(signal.transcriptTail);
  return {
    memory,
    observations: [
      {
        kind: "registryStatus",
        state: signal.status,
        text: signal.waitingFor,
        lastEnd: signal.status === "idle" ? lastEnd : null,
      },
    ],
  };
};

export const interpretClaude = (memory: Memory, signal: Signal): Interpretation => {
  const known = remembered(memory);
  switch (signal.kind) {
    case "hook": {
      const bound = bind(known, signal);
      return bound === null ? { memory, observations: [] } : interpretHook(bound, signal);
    }
    case "programStatus": {
      const { blocked, observations } = interpretProgramStatus(known.blocked, signal);
      // The dialog that a hook announced is over when the program says that it goes on.
      const answered = signal.id === "" && signal.state !== "blocked" && known.asking.length > 0;
      return {
        memory: { ...known, blocked, asking: answered ? [] : known.asking },
        observations: answered ? [...observations, { kind: "promptClosed", source: "hook" }] : observations,
      };
    }
    case "registry":
      return interpretFile(known, signal);
    case "log":
    case "server":
    case "serverLost":
      return { memory, observations: [] };
    case "gap":
      return { memory, observations: [{ kind: "programStatusLost" }] };
  }
};
