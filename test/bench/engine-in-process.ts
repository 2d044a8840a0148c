/** An engine of this process, as Mission Control has it, with fixture agents that are ready. */

import type { AgentView } from "../../src/bus/views.js";
import { type RunningEngine, startEngine } from "../../src/engine/compose.js";
import { until } from "../support/until.js";
import type { Stage } from "./stage.js";

export type BenchEngine = RunningEngine & {
  agent(name: string): AgentView | undefined;
  /** Launches a fixture and waits until the engine knows it as idle. */
  launch(name: string, env?: Readonly<Record<string, string>>): Promise<void>;
  /** Resolves when this agent is idle and nothing is queued for it. */
  idle(name: string): Promise<void>;
  send(to: string, text: string): Promise<void>;
};

export const startBenchEngine = async (stage: Stage): Promise<BenchEngine> => {
  Object.assign(process.env, { TMUX_TMPDIR: stage.env.TMUX_TMPDIR, HOME: stage.env.HOME });
  const engine = await startEngine({ env: stage.env, socket: null, insideTmux: null });
  const { client } = engine;
  const agent = (name: string): AgentView | undefined => client.snapshot().agents.find((one) => one.name === name);
  const idle = (name: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const isIdle = (): boolean => {
        const known = agent(name);
        return known?.status === "idle" && known.queued === 0;
      };
      if (isIdle()) return resolve();
      const late = setTimeout(
        () => finish(new Error(`${name} is not idle after 30 s: ${JSON.stringify(agent(name))}`)),
        30_000,
      );
      const unsubscribe = client.subscribe(() => {
        if (isIdle()) finish(null);
      });
      const finish = (error: Error | null): void => {
        clearTimeout(late);
        unsubscribe();
        if (error === null) resolve();
        else reject(error);
      };
    });
  return {
    ...engine,
    agent,
    idle,
    launch: async (name, env = {}) => {
      const started = await client.dispatch({ kind: "launch", seat: stage.seat(name, "agent", env) });
      if (!started.ok) throw new Error(started.message);
      await stage.hello(name);
      await until(
        () => agent(name)?.status === "idle",
        30_000,
        () => `${name} to be idle: ${JSON.stringify(agent(name))}`,
      );
    },
    send: async (to, text) => {
      const caller = { kind: "person", as: null, project: null } as const;
      const answer = await client.dispatch({ kind: "send", caller, target: to, text, wait: false, raw: false });
      if (!answer.ok) throw new Error(answer.message);
      if (answer.outcome.kind !== "dispatched" && answer.outcome.kind !== "queued") {
        throw new Error(`the message was not sent: ${JSON.stringify(answer.outcome)}`);
      }
    },
  };
};
