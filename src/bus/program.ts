/**
 * OSC 7501 as the second witness. For a CLI with a bridge it only makes Quay more careful (a `cat` can forge it):
 * it settles a proposed end sooner, tells of interrupts, and shows when the bridge contradicts itself.
 * Source: facts/osc7501.md section 8; "Turns" in docs/architecture.md.
 */
import { CONTRADICTION_MS, INTERRUPT_MS } from "./limits.js";
import { takeTurnReport } from "./osc-turns.js";
import type { Observation } from "./protocol.js";
import { changeTerminal, type Step, terminalOf } from "./step.js";
import type { Terminal } from "./terminal.js";
import { closeTurn, openTurn, provisionalOf } from "./turns.js";

type Report = Extract<Observation, { kind: "programStatus" }>;

const changeOpenTurn = (step: Step, id: Terminal["id"], patch: Partial<NonNullable<Terminal["turn"]>>): void => {
  const turn = terminalOf(step, id)!.turn;
  if (turn !== null) changeTerminal(step, id, { turn: { ...turn, ...patch } });
};

/** A turn that only OSC told of is closed by OSC; one of the bridge is closed by the bridge. */
const isOscOnly = (terminal: Terminal): boolean =>
  terminal.turn !== null && terminal.turn.cause === "unknown" && terminal.turn.cliTurns.length === 0;

const becomeWorking = (step: Step, terminal: Terminal): void => {
  const wasWorking = terminal.program.state === "working" || terminal.program.state === "blocked";
  const covered = (wasWorking && terminal.program.covered) || terminal.turn !== null;
  const since = terminal.program.state === "working" ? terminal.program.since : step.now;
  changeTerminal(step, terminal.id, { program: { state: "working", since, covered } });
  changeOpenTurn(step, terminal.id, { interruptAt: null, contradictionAt: null, doubt: null });
  const moved = wasWorking ? [] : provisionalOf(step, terminalOf(step, terminal.id)!);
  if (terminal.turn === null && moved.length > 0) {
    openTurn(step, terminalOf(step, terminal.id)!, { cliTurn: null, cause: "delivery", deliveries: moved });
  }
};

const becomeQuiet = (step: Step, terminal: Terminal, report: Report): void => {
  const state = report.state === "cleared" ? "unknown" : (report.state as "idle" | "done" | "error");
  changeTerminal(step, terminal.id, { program: { state, since: step.now, covered: false } });
  const turn = terminal.turn;
  if (turn === null || report.state === "cleared") return;
  // A proposed end becomes final: the CLI's hooks are through.
  if (turn.candidate !== null) return closeTurn(step, terminal.id, turn.candidate.end);
  if (turn.heldBySubagents) return;
  if (isOscOnly(terminal)) {
    const isError = report.state === "error";
    return closeTurn(step, terminal.id, isError ? { kind: "failed", text: report.text } : { kind: "lost" });
  }
  if (report.state === "idle") return changeOpenTurn(step, terminal.id, { interruptAt: step.now + INTERRUPT_MS });
  const end = report.state === "error" ? ({ kind: "failed", text: report.text } as const) : ({ kind: "lost" } as const);
  changeOpenTurn(step, terminal.id, { contradictionAt: { at: step.now + CONTRADICTION_MS, end } });
};

export const takeProgramStatus = (step: Step, id: Terminal["id"], report: Report): void => {
  const terminal = terminalOf(step, id)!;
  if (terminal.traits.turns === "osc") return takeTurnReport(step, id, report);
  // Whatever the CLI says next takes back the dialog that OSC (or a hook, provisionally) had told of.
  if (report.state !== "blocked" && terminal.prompt !== null && terminal.prompt.source !== "registry") {
    changeTerminal(step, id, { prompt: null });
  }
  const current = terminalOf(step, id)!;
  if (report.state === "working") return becomeWorking(step, current);
  if (report.state !== "blocked") return becomeQuiet(step, current, report);
  changeTerminal(step, id, {
    program: { state: "blocked", since: step.now, covered: current.program.covered || current.turn !== null },
    prompt: { about: report.about ?? "dialog", text: report.text, since: step.now, source: "osc" },
  });
  changeOpenTurn(step, id, { interruptAt: null, contradictionAt: null, doubt: null });
};

export const loseProgramStatus = (step: Step, id: Terminal["id"]): void => {
  const terminal = terminalOf(step, id)!;
  const prompt = terminal.prompt?.source === "osc" ? null : terminal.prompt;
  changeTerminal(step, id, { prompt, program: { state: "unknown", since: step.now, covered: false } });
  changeOpenTurn(step, id, { interruptAt: null, contradictionAt: null, doubt: null });
};
