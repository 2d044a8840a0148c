/**
 * The turns of a drill agent: what was submitted is worked on for a while and answered, one after the other, with the
 * events, records and reports that Claude Code would give, and the misdeeds that its behaviour asks for.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Behaviour } from "./behaviour.js";
import { forgery } from "./forgery.js";
import type { Hooks } from "./hooks.js";
import type { State } from "./program-status.js";
import type { Random } from "./random.js";
import type { AgentRecord } from "./record.js";

export type Prompt = { readonly text: string; readonly prompt: string };

export type Turns = {
  submit(prompt: Prompt): void;
  isBusy(): boolean;
  /** Ends the running turn without an answer and without a hook, as Esc does. */
  abort(): void;
  /** `end`: the answer is told, and the hooks of the end still run. */
  phase(): "idle" | "turn" | "end";
};

export type TurnParts = {
  readonly behaviour: Behaviour;
  readonly hooks: Hooks;
  readonly random: Random;
  readonly record: AgentRecord;
  readonly status: (state: State, msg?: string) => void;
  /** Writes raw bytes to the terminal; resolves when they are taken. */
  readonly print: (bytes: string) => Promise<void>;
  readonly say: (line: string) => void;
  readonly changed: () => void;
  readonly die: () => void;
};

type Running = { readonly id: string; readonly aborted: AbortController };

const PRINT_CHUNK = 65_536;
const NESTED_MS = 3_000;

export const openTurns = (parts: TurnParts): Turns => {
  const { behaviour, hooks, random, record, status } = parts;
  let running: Running | null = null;
  let queued: readonly Prompt[] = [];
  let count = 0;
  let working = false;
  let answered: Running | null = null;

  const tool = async (turn: string, name: string): Promise<void> => {
    const call = {
      prompt_id: turn,
      tool_name: name,
      tool_input: { command: "true" },
      tool_use_id: `toolu_${randomUUID()}`,
    };
    await hooks.fire("PreToolUse", call);
    await hooks.fire("PostToolUse", { ...call, tool_response: { stdout: "" }, duration_ms: 1 });
  };

  const flood = async (bytes: number): Promise<void> => {
    const line = `${"drill ".repeat(20)}\r\n`;
    const chunk = line.repeat(Math.ceil(PRINT_CHUNK / line.length));
    let printed = 0;
    while (printed < bytes) {
      await parts.print(chunk);
      printed += chunk.length;
    }
    record.write({ kind: "printed", bytes: printed });
  };

  /** A CLI started by this one: it inherits the environment, and its events carry its own process id. */
  const nest = async (): Promise<void> => {
    const child = spawn(process.execPath, ["-e", `setTimeout(() => {}, ${NESTED_MS})`], { stdio: "ignore" });
    const pid = child.pid ?? 1;
    const id = randomUUID();
    await hooks.fireAs(pid, "SessionStart", { source: "startup", session_id: randomUUID() });
    await hooks.fireAs(pid, "UserPromptSubmit", { prompt_id: id, prompt: "a nested agent's own work" });
    await hooks.fireAs(pid, "Stop", { prompt_id: id, last_assistant_message: "a nested answer", background_tasks: [] });
    child.kill();
  };

  /** By OSC and by a hook, in the order of its behaviour. */
  const tell = async (state: State, fire: () => Promise<void>): Promise<void> => {
    if (behaviour.oscOrder === "first") status(state);
    await fire();
    if (behaviour.oscOrder === "last") status(state);
  };

  const stop = (turn: string, answer: string): Promise<void> =>
    hooks.fire("Stop", {
      prompt_id: turn,
      stop_hook_active: false,
      last_assistant_message: answer,
      background_tasks: [],
    });

  const work = async (turn: Running): Promise<void> => {
    const lasts = random.within(behaviour.turnMs);
    if (behaviour.nests) await nest();
    if (behaviour.printBytes > 0) await flood(behaviour.printBytes);
    const rest = (ms: number): Promise<void> => pause(ms, undefined, { signal: turn.aborted.signal });
    if (behaviour.forges !== "no") {
      // In the middle, when the turn is long known.
      await rest(lasts / 2);
      await parts.print(forgery(behaviour.forges === "all" ? "working" : "done"));
    }
    await rest(behaviour.forges === "no" ? lasts : lasts / 2);
    turn.aborted.signal.throwIfAborted();
  };

  const answerTurn = async (turn: Running): Promise<void> => {
    const answer = `answer ${count}`;
    if (behaviour.continues) {
      // A person's own Stop hook makes it go on: the same turn, more work, a second Stop.
      await stop(turn.id, `${answer}, not yet`);
      await pause(50);
      await tool(turn.id, "Bash");
      await pause(300);
    }
    parts.say(`⏺ ${answer}`);
    record.write({ kind: "turnEnded", turn: turn.id, answer });
    working = false;
    answered = turn;
    await tell("done", () => stop(turn.id, answer));
  };

  const runTurn = async ({ prompt }: Prompt, announced: boolean): Promise<void> => {
    count += 1;
    const turn: Running = { id: randomUUID(), aborted: new AbortController() };
    running = turn;
    if (behaviour.busyAfterMs > 0) await pause(behaviour.busyAfterMs);
    record.write({ kind: "turnStarted", turn: turn.id });
    working = true;
    parts.changed();
    await tell("working", async () => {
      if (!announced) await hooks.fire("UserPromptSubmit", { prompt_id: turn.id, prompt });
    });
    if (behaviour.dies !== "never" && behaviour.dies !== "at once" && behaviour.dies.inTurn === count)
      return parts.die();
    try {
      await work(turn);
      await answerTurn(turn);
    } catch {
      working = false;
      record.write({ kind: "turnAborted", turn: turn.id });
      parts.say("⎿  Interrupted");
      status("idle");
    }
    running = null;
    parts.changed();
    const [next, ...rest] = queued;
    queued = rest;
    // It was announced when it was queued, under the turn that ran then.
    if (next !== undefined) await runTurn(next, true);
  };

  return {
    submit: (prompt) => {
      parts.say(`> ${prompt.text.split("\n", 1)[0]?.slice(0, 60) ?? ""}`);
      if (running === null) {
        void runTurn(prompt, false);
        return;
      }
      queued = [...queued, prompt];
      void hooks.fire("UserPromptSubmit", { prompt_id: running.id, prompt: prompt.prompt });
    },
    isBusy: () => working,
    abort: () => running?.aborted.abort(),
    phase: () => (running === null ? "idle" : answered === running ? "end" : "turn"),
  };
};
