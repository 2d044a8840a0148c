/**
 * The engine as a child that ends itself by SIGKILL at a named step of a delivery, or of a commit of its journal. Run as
 * a program, from compiled sources: QUAY_STEP_HOOK names a file that gets each step's name, QUAY_STEP_KILL the step at
 * which it dies.
 */
import { appendFileSync } from "node:fs";
import Libsql from "libsql";
import { startEngine } from "../../src/engine/compose.js";
import type { TerminalHost } from "../../src/engine/ports.js";

/** In the order in which a delivery meets them. */
export const STEPS = [
  "looked at the line",
  "before the paste",
  "paste written",
  "paste answered",
  "looked for the echo",
  "before Enter",
  "Enter written",
  "Enter answered",
] as const;
export type StepName = (typeof STEPS)[number];

const { QUAY_STEP_HOOK: file, QUAY_STEP_KILL: fatal } = process.env;

/** The moments of a commit; behind each stands the fact that it is about, such as "deliveryChanged to completed". */
export const COMMIT_MOMENTS = ["before the row of", "before COMMIT of", "after COMMIT of"] as const;
type CommitStep = `${(typeof COMMIT_MOMENTS)[number]} ${string}`;

const pass = (step: StepName | CommitStep): void => {
  if (file !== undefined) appendFileSync(file, `${step}\n`);
  if (step === fatal) process.kill(process.pid, "SIGKILL");
};

/** A line is written in the tick in which it is asked for: the next one comes after it was handed to tmux. */
const afterWriting = (step: StepName): void => void setImmediate(() => pass(step));

const withSteps = (host: TerminalHost): TerminalHost => {
  let pasted = false;
  return {
    ...host,
    screen: async (terminal) => {
      const screen = await host.screen(terminal);
      pass(pasted ? "looked for the echo" : "looked at the line");
      return screen;
    },
    paste: async (...given) => {
      pass("before the paste");
      const reply = host.paste(...given);
      afterWriting("paste written");
      pasted = true;
      await reply;
      pass("paste answered");
      return reply;
    },
    enter: async (...given) => {
      pass("before Enter");
      const reply = host.enter(...given);
      afterWriting("Enter written");
      await reply;
      pass("Enter answered");
      return reply;
    },
  };
};

/** Stands around the library: what it has not been given is lost in a kill, and so is a transaction without COMMIT. */
const stepThroughCommits = (): void => {
  const { prepare, exec } = Libsql.prototype;
  let facts: string[] = [];
  Libsql.prototype.prepare = function (this: Libsql.Database, sql: string): never {
    const statement = prepare.call(this, sql);
    if (!sql.startsWith("INSERT INTO fact")) return statement as never;
    const run = statement.run.bind(statement);
    statement.run = ([version, kind, body]: readonly [unknown, string, string]) => {
      const { patch } = JSON.parse(body) as { readonly patch?: { readonly state?: string } };
      const fact = patch?.state === undefined ? kind : `${kind} to ${patch.state}`;
      pass(`before the row of ${fact}`);
      facts.push(fact);
      return run([version, kind, body]);
    };
    return statement as never;
  };
  Libsql.prototype.exec = function (this: Libsql.Database, sql: string) {
    const done = sql === "COMMIT" ? facts : [];
    for (const fact of done) pass(`before COMMIT of ${fact}`);
    const result = exec.call(this, sql);
    for (const fact of done) pass(`after COMMIT of ${fact}`);
    facts = [];
    return result;
  };
};

if (process.argv[2] === "serve") {
  stepThroughCommits();
  const socket = process.argv[3] ?? null;
  const engine = await startEngine({ env: process.env, socket, insideTmux: null, wrapHost: withSteps });
  process.stdout.write(`${JSON.stringify({ ready: true, pid: engine.endpoint.pid })}\n`);
  process.on("SIGTERM", () => void engine.stop());
  await engine.closed;
  process.exit(0);
}
