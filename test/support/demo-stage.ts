/** A stage for the demo's scripts: a real folder, real files and test runs; the messages are only written down. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ToolAnswer } from "../../src/demo/bus-tools.js";
import type { Stage } from "../../src/demo/stage.js";

export type Sent = { readonly target: string; readonly message: string };

export type RecordedStage = {
  readonly stage: Stage;
  readonly said: string[];
  readonly tools: string[];
  readonly sent: Sent[];
};

export const recordedStage = (
  cwd: string,
  answer: ToolAnswer = { ok: true, text: "Successfully dispatched task." },
): RecordedStage => {
  const said: string[] = [];
  const tools: string[] = [];
  const sent: Sent[] = [];
  const stage: Stage = {
    cwd,
    peer: "feature-impl",
    signal: new AbortController().signal,
    say: (text) => said.push(text),
    pause: async () => undefined,
    tool: (name, title, run) => {
      tools.push(`${name} ${title}`);
      return run();
    },
    send: async (target, message) => {
      sent.push({ target, message });
      return answer;
    },
  };
  return { stage, said, tools, sent };
};

export const temporaryProject = async (): Promise<{ readonly cwd: string; remove(): Promise<void> }> => {
  const cwd = await mkdtemp(join(tmpdir(), "quay-demo-project-"));
  return { cwd, remove: () => rm(cwd, { recursive: true, force: true }) };
};
