/** What an adapter understood becomes facts: one observation, its terminal, its rules. */

import { loseReporter, settleDoubt } from "./doubt.js";
import { assertNever } from "./ids.js";
import { giveUpTurn } from "./osc-turns.js";
import { loseProgramStatus, takeProgramStatus } from "./program.js";
import type { Input, Observation, TerminalPatch } from "./protocol.js";
import { changeTerminal, type Step, terminalOf } from "./step.js";
import type { Prompt, Terminal } from "./terminal.js";
import { startTurn } from "./turn-start.js";
import { closeTurn, continueTurn, stopTurn } from "./turns.js";

/**
 * Only the bridge itself proves that it is heard; files and screens do not, nor does OSC where it is not the reporter.
 * Where the bridge cannot tell that the CLI is ready, OSC is believed to begin with: until the bridge has contradicted itself.
 */
const provesBridge = ({ reporter, traits }: Terminal, observation: Observation): boolean =>
  observation.kind === "ready" && observation.cliSession === null
    ? reporter !== "lost" && traits.reporter?.tells === "ends"
    : isOfBridge(observation) || (traits.turns === "osc" && observation.kind === "programStatus");

const OF_BRIDGE: readonly Observation["kind"][] = [
  "reporterHeard",
  "ready",
  "turnStarted",
  "turnContinued",
  "turnStopped",
  "toolStarted",
  "toolEnded",
];

const isOfBridge = (observation: Observation): boolean =>
  OF_BRIDGE.includes(observation.kind) || (observation.kind === "promptRaised" && observation.prompt.source === "hook");

const raisePrompt = (step: Step, terminal: Terminal, raised: Omit<Prompt, "since">): void => {
  // OSC says more than a hook: it also tells when the dialog is gone.
  if (terminal.prompt?.source === "osc" && raised.source !== "osc") return;
  // A hook names what is asked for; the registry only that something is.
  if (terminal.prompt?.source === "hook" && raised.source === "registry") return;
  const same = terminal.prompt?.source === raised.source && terminal.prompt.text === raised.text;
  const since = same ? terminal.prompt!.since : step.now;
  const graceEndsAt = terminal.reporter === "silent" ? null : terminal.graceEndsAt;
  changeTerminal(step, terminal.id, { prompt: { ...raised, since }, graceEndsAt });
};

const closePrompt = (step: Step, terminal: Terminal, source: Prompt["source"]): void => {
  if (terminal.prompt?.source === source) changeTerminal(step, terminal.id, { prompt: null });
};

const startTool = (step: Step, terminal: Terminal, tool: string, name: string): void => {
  if (terminal.endedTools.includes(tool) || terminal.tools.some((running) => running.tool === tool)) return;
  changeTerminal(step, terminal.id, { tools: [...terminal.tools, { tool, name }] });
};

const endTool = (step: Step, terminal: Terminal, tool: string, autoApproved: boolean): void => {
  if (terminal.endedTools.includes(tool)) return;
  const isLast = terminal.tools.every((running) => running.tool === tool);
  changeTerminal(step, terminal.id, {
    tools: terminal.tools.filter((running) => running.tool !== tool),
    endedTools: [tool, ...terminal.endedTools].slice(0, 64),
    autoApproved: terminal.autoApproved + (autoApproved ? 1 : 0),
    // Beside the tool that ended another one may still be asked for.
    prompt: terminal.prompt?.source === "hook" && isLast ? null : terminal.prompt,
  });
};

type Registry = Extract<Observation, { kind: "registryStatus" }>;

const takeRegistry = (step: Step, terminal: Terminal, seen: Registry): void => {
  switch (seen.state) {
    case "busy":
      settleDoubt(step, terminal.id, "goes on");
      closePrompt(step, terminal, "registry");
      closePrompt(step, terminal, "hook");
      return changeTerminal(step, terminal.id, { doubtful: false });
    case "waiting":
      settleDoubt(step, terminal.id, "goes on");
      return raisePrompt(step, terminalOf(step, terminal.id)!, {
        about: "dialog",
        text: seen.text,
        source: "registry",
      });
    case "idle":
      closePrompt(step, terminal, "registry");
      changeTerminal(step, terminal.id, { doubtful: false });
      // What the transcript ends with may be the turn before: a doubt says itself how this one ended.
      if (settleDoubt(step, terminal.id, "over")) return;
      if (terminal.turn !== null && terminal.turn.candidate === null) {
        closeTurn(step, terminal.id, seen.lastEnd ?? { kind: "interrupted" });
      }
      return;
    case "gone":
      // tmux alone decides exit; a CLI that shows no registry says nothing.
      if (settleDoubt(step, terminal.id, "nothing")) return;
      return changeTerminal(step, terminal.id, { doubtful: terminal.turn !== null || terminal.prompt !== null });
    default:
      return assertNever(seen.state);
  }
};

/** A dialog that only the screen told of is over: the screen is looked at while the bridge is silent, not after. */
const beginHearing = (terminal: Terminal): TerminalPatch => ({
  reporter: "heard",
  prompt: terminal.prompt?.source === "screen" ? null : terminal.prompt,
});

export const observe = (step: Step, input: Extract<Input, { kind: "observed" }>): void => {
  const before = terminalOf(step, input.terminal);
  if (before === undefined || before.exit !== null) return;
  const seen = input.observation;
  const bridge = provesBridge(before, seen);
  changeTerminal(step, before.id, {
    lastSignAt: step.now,
    ...(seen.kind === "resyncFailed" ? {} : { doubtful: false }),
    ...(bridge && before.reporter !== "heard" ? beginHearing(before) : {}),
  });
  const terminal = terminalOf(step, before.id)!;
  switch (seen.kind) {
    case "ready":
      changeTerminal(step, terminal.id, {
        ready: true,
        cliSession: seen.cliSession ?? terminal.cliSession,
        graceEndsAt: terminal.reporter === "silent" ? terminal.graceEndsAt : null,
      });
      if (terminal.prompt?.source === "screen") changeTerminal(step, terminal.id, { prompt: null });
      if (seen.cleared && terminal.turn !== null) closeTurn(step, terminal.id, { kind: "cleared" });
      return;
    case "turnStarted":
      return startTurn(step, terminal.id, seen);
    case "turnContinued":
      return continueTurn(step, terminal.id, seen.cliTurn);
    case "turnStopped":
      return stopTurn(step, terminal.id, seen);
    case "toolStarted":
      return startTool(step, terminal, seen.tool, seen.name);
    case "toolEnded":
      return endTool(step, terminal, seen.tool, seen.autoApproved);
    case "promptRaised":
      return raisePrompt(step, terminal, seen.prompt);
    case "promptClosed":
      return closePrompt(step, terminal, seen.source);
    case "programStatus":
      return takeProgramStatus(step, terminal.id, seen);
    case "programStatusLost":
      return loseProgramStatus(step, terminal.id);
    case "registryStatus":
      return takeRegistry(step, terminal, seen);
    case "bridgeSwitchedOff":
      return changeTerminal(step, terminal.id, { switchedOffBy: seen.by });
    case "resyncFailed":
      if (settleDoubt(step, terminal.id, "nothing")) return;
      if (terminal.traits.turns === "osc" && terminal.program.state === "unknown") return giveUpTurn(step, terminal.id);
      return changeTerminal(step, terminal.id, { doubtful: terminal.turn !== null || terminal.prompt !== null });
    case "reporterHeard":
      return changeTerminal(step, terminal.id, { ready: true, graceEndsAt: null });
    case "reporterLost":
      return terminal.reporter === "lost" ? undefined : loseReporter(step, terminal);
    default:
      return assertNever(seen);
  }
};
