/**
 * What the signals of Pi and PiG mean to the bus: their column of the authority table in docs/architecture.md. Events
 * are those that the extension in assets/pi leaves; OSC 7501 is the second witness. Pure.
 * A turn is a whole run, from its first prompt to `agent_settled`: retries, compaction and queued prompts belong to it.
 */
import type { Observation } from "../bus/protocol.js";
import type { Prompt } from "../bus/terminal.js";
import type { TurnEnd } from "../bus/turn.js";
import type { HookSignal, Interpretation, Memory, Signal } from "./adapter.js";
import { idIn, isJson, textIn } from "./json.js";
import { type Blocked, interpretProgramStatus } from "./osc-interpret.js";

type Payload = HookSignal["payload"];

type PiMemory = { readonly blocked: Blocked; readonly cliSession: string | null };

const EMPTY: PiMemory = { blocked: null, cliSession: null };

const turnOf = (payload: Payload): string | null => idIn(payload, "turn_id");

/** Pi itself asks for nothing: these are dialogs of extensions, by their kind. */
const ABOUT: Readonly<Record<string, Prompt["about"]>> = {
  confirm: "permission",
  select: "question",
  input: "question",
  editor: "question",
};

const raised = (dialog: Payload): Observation => ({
  kind: "promptRaised",
  prompt: { about: ABOUT[textIn(dialog, "kind")] ?? "dialog", text: textIn(dialog, "title"), source: "hook" },
});

const endOf = (payload: Payload): TurnEnd => {
  const reason = textIn(payload, "stop_reason");
  if (payload.aborted === true || reason === "aborted") return { kind: "interrupted" };
  if (reason === "error") return { kind: "failed", text: textIn(payload, "error") || "the model gave an error" };
  return { kind: "answered", text: textIn(payload, "text") };
};

const goesOn = (payload: Payload): readonly Observation[] => {
  const cliTurn = turnOf(payload);
  return cliTurn === null ? [] : [{ kind: "turnContinued", cliTurn }];
};

const started = (payload: Payload): readonly Observation[] => {
  const cliTurn = turnOf(payload);
  if (cliTurn === null) return [];
  const prompt = textIn(payload, "prompt").trim();
  return [{ kind: "turnStarted", cliTurn, prompt, automatic: payload.automatic === true }];
};

const interpretHook = ({ event, payload }: HookSignal, memory: PiMemory): readonly Observation[] => {
  switch (event) {
    case "session_start": {
      const cliSession = textIn(payload, "session_id");
      const replaces = ["new", "resume", "fork"].includes(textIn(payload, "reason"));
      const moved = memory.cliSession !== null && memory.cliSession !== cliSession;
      return [{ kind: "ready", cliSession, cleared: replaces || moved }];
    }
    case "turn_start":
    case "prompt":
      return started(payload);
    case "turn_goes_on":
      return goesOn(payload);
    case "tool_start":
      return [
        { kind: "toolStarted", tool: textIn(payload, "tool_id"), name: textIn(payload, "tool_name") },
        ...goesOn(payload),
      ];
    case "tool_end":
      // Pi asks for no approvals, so no rule of Quay's ever gives one.
      return [{ kind: "toolEnded", tool: textIn(payload, "tool_id"), autoApproved: false }, ...goesOn(payload)];
    case "turn_end":
      return [{ kind: "turnStopped", cliTurn: turnOf(payload), end: endOf(payload), subagentsRunning: false }];
    case "dialog_open":
      return [raised(payload)];
    case "dialog_closed":
      return [{ kind: "promptClosed", source: "hook" }];
    case "state":
      return [...goesOn(payload), ...(isJson(payload.dialog) ? [raised(payload.dialog)] : [])];
    default:
      return [];
  }
};

export const interpretPi = (before: Memory, signal: Signal): Interpretation => {
  const memory: PiMemory = { ...EMPTY, ...before };
  switch (signal.kind) {
    case "hook": {
      const isStart = signal.event === "session_start";
      const cliSession = isStart ? textIn(signal.payload, "session_id") : memory.cliSession;
      return { memory: { ...memory, cliSession }, observations: interpretHook(signal, memory) };
    }
    case "programStatus": {
      const { blocked, observations } = interpretProgramStatus(memory.blocked, signal);
      return { memory: { ...memory, blocked }, observations };
    }
    case "gap":
      return { memory, observations: [{ kind: "programStatusLost" }] };
    default:
      return { memory, observations: [] };
  }
};
