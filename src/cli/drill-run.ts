/**
 * The drill's course: a private tmux server with the person's own configuration, the real engine on it, a scripted agent
 * that writes down what it gets, and the nasty messages one by one. What it starts is taken down, however it ends.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RecordLine } from "../drill/record.js";
import type { EngineClient } from "../engine/client.js";
import { QuayError } from "../lib/errors.js";
import type { Cli, PrivateTmux, StartedEngine } from "./cli.js";
import { ask } from "./connect.js";
import { type DrillMessage, drillMessages } from "./drill-messages.js";

export type DrillResult = {
  readonly name: string;
  /** Of what was sent, as UTF-8. */
  readonly bytes: number;
  /** `survived`: what had to arrive did, to the byte, once; or what had to be refused was. */
  readonly result: "survived" | "changed" | "failed" | "late";
  readonly detail: string;
};

export type DrillEnd = {
  readonly tmux: string;
  /** Files of the person's that the server read. */
  readonly configs: readonly string[];
  readonly results: readonly DrillResult[];
  readonly ms: number;
};

const AGENT = fileURLToPath(new URL("../drill/agent.js", import.meta.url));
const READY_WITHIN_MS = 20_000;
/** One message, its turn included; the whole drill has a limit of its own. */
const MESSAGE_WITHIN_MS = 15_000;
/** A name and a folder that tmux and a shell would make something of. */
const SEAT = "drill #{pid}; $HOME";

const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** For the name of a folder, where no slash can stand: a program that runs it leaves this file where it is. */
const bareName = (path: string): string => path.replaceAll("/", "");

type Ground = {
  readonly folder: string;
  readonly home: string;
  readonly work: string;
  readonly canary: string;
  record(serial: number): string;
};

const prepare = (): Ground => {
  const folder = mkdtempSync(join(tmpdir(), "quay-drill-"));
  const canary = join(folder, "ran");
  const [home, work] = [join(folder, "home"), join(folder, `#(touch ${bareName(canary)}) ; $HOME 'x'`)];
  for (const path of [home, work]) mkdirSync(path, { mode: 0o700 });
  const command = join(folder, "claude");
  writeFileSync(command, `#!/bin/sh\nexec ${shellWord(process.execPath)} ${shellWord(AGENT)} "$@"\n`, { mode: 0o700 });
  writeFileSync(join(home, "settings.json"), JSON.stringify({ adapters: { claude: { command } } }), { mode: 0o600 });
  return { folder, home, work, canary, record: (serial) => join(folder, `record-${serial}.jsonl`) };
};

/** Those that tmux reads by itself, when they are there. */
export const tmuxConfigs = (env: NodeJS.ProcessEnv): readonly string[] => {
  const home = env.HOME ?? "";
  const xdg = env.XDG_CONFIG_HOME || join(home, ".config");
  return [join(home, ".tmux.conf"), join(xdg, "tmux", "tmux.conf")].filter((file) => existsSync(file));
};

const recorded = (file: string): readonly RecordLine[] => {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as RecordLine);
};

const submissionsIn = (lines: readonly RecordLine[]): readonly string[] =>
  lines.flatMap((line) => (line.kind === "submitted" ? [line.text] : []));

/** What the agent answered last; null: nothing yet. */
const lastAnswerIn = (lines: readonly RecordLine[]): string | null =>
  lines.flatMap((line) => (line.kind === "turnEnded" ? [line.answer] : [])).at(-1) ?? null;

const firstDifference = (got: string, want: string): string => {
  const [left, right] = [Buffer.from(got), Buffer.from(want)];
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return `${left.length} bytes arrived where ${right.length} had to; they differ from byte ${at} on`;
};

type Judged = Pick<DrillResult, "result" | "detail">;

/** Pure: what came of one message, by the texts that arrived since it was sent. */
export const judgeArrival = (wanted: string | null, arrived: readonly string[], refusal: string | null): Judged => {
  if (wanted === null) {
    if (arrived.length > 0) return { result: "changed", detail: "it arrived, and had to be refused" };
    return refusal === null
      ? { result: "failed", detail: "it was neither refused nor did it arrive" }
      : { result: "survived", detail: "refused, as it must be" };
  }
  const [first] = arrived;
  if (refusal !== null) return { result: "failed", detail: refusal };
  if (first === undefined) return { result: "failed", detail: "it did not arrive" };
  if (arrived.length > 1) return { result: "changed", detail: `it was submitted ${arrived.length} times` };
  return first === wanted
    ? { result: "survived", detail: "" }
    : { result: "changed", detail: firstDifference(first, wanted) };
};

/** Pure: what arrived as it had to survived only when its sender was told what the agent answered to it. */
export const judgeReply = (judged: Judged, told: string, answered: string | null): Judged =>
  judged.result !== "survived" || told === answered
    ? judged
    : { result: "changed", detail: "its sender got the answer of another turn" };

type Agent = { readonly id: string; readonly record: string };

const untilIdle = (client: EngineClient, id: string, halt: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const fail = (why: string): void => finish(() => reject(new QuayError("drill", why)));
    const finish = (how: () => void): void => {
      clearTimeout(alarm);
      unsubscribe();
      halt.removeEventListener("abort", onHalt);
      how();
    };
    const onHalt = (): void => fail("the drill was ended before its agent was ready.");
    const look = (): void => {
      const agent = client.snapshot().agents.find((one) => one.id === id);
      if (agent?.exit) fail(`the drill's agent ended: ${agent.exit.why}.`);
      else if (agent?.status === "idle") finish(resolve);
    };
    const unsubscribe = client.subscribe((change) => {
      if (change.kind === "snapshot") look();
    });
    const alarm = setTimeout(
      () => fail(`the drill's agent was not ready within ${READY_WITHIN_MS / 1_000} s; quay doctor may say why.`),
      READY_WITHIN_MS,
    );
    halt.addEventListener("abort", onHalt, { once: true });
    look();
  });

const launch = async (client: EngineClient, ground: Ground, serial: number, halt: AbortSignal): Promise<Agent> => {
  const record = ground.record(serial);
  const { seat } = await ask(client, {
    kind: "launch",
    seat: {
      name: SEAT,
      kind: "claude",
      cwd: ground.work,
      args: [],
      env: { DRILL_LOG: record, DRILL_TURN_MS: "10" },
      prompt: null,
      preset: null,
    },
  });
  if (seat.id === null)
    throw new QuayError("drill", `the drill's agent did not start: ${seat.why ?? "no reason given"}`);
  await untilIdle(client, seat.id, halt);
  return { id: seat.id, record };
};

type Outcome = Judged & { readonly spoiled: boolean };

const sendOne = async (
  client: EngineClient,
  agent: Agent,
  message: DrillMessage,
  halt: AbortSignal,
): Promise<Outcome> => {
  const before = submissionsIn(recorded(agent.record)).length;
  const caller = { kind: "person", as: null, project: null } as const;
  const signal = AbortSignal.any([halt, AbortSignal.timeout(MESSAGE_WITHIN_MS)]);
  const answer = await client.dispatch(
    { kind: "send", caller, target: agent.id, text: message.sent, wait: true, raw: false },
    { signal },
  );
  const lines = recorded(agent.record);
  const arrived = submissionsIn(lines).slice(before);
  if (signal.aborted) return { result: "late", detail: "no answer in time", spoiled: true };
  if (!answer.ok) return { ...judgeArrival(message.arrives, arrived, answer.message), spoiled: false };
  const { outcome } = answer;
  const refusal = outcome.kind === "refused" ? `it was refused (${outcome.refusal.kind})` : null;
  if (outcome.kind === "deliveryFailed") return { result: "failed", detail: outcome.why, spoiled: true };
  const judged = judgeArrival(message.arrives, arrived, refusal);
  if (outcome.kind !== "reply") return { ...judged, spoiled: refusal === null };
  const replied = judgeReply(judged, outcome.text, lastAnswerIn(lines));
  return { ...replied, spoiled: replied !== judged };
};

export type DrillParts = {
  readonly cli: Cli;
  /** Ends the drill: Ctrl-C, or its time is over. */
  readonly halt: AbortSignal;
  readonly progress: (done: number, of: number) => void;
};

const course = async (client: EngineClient, ground: Ground, parts: DrillParts): Promise<readonly DrillResult[]> => {
  const messages = drillMessages(ground.canary);
  const results: DrillResult[] = [];
  let serial = 1;
  let agent = await launch(client, ground, serial, parts.halt);
  for (const message of messages) {
    const bytes = Buffer.byteLength(message.sent);
    if (parts.halt.aborted) {
      results.push({ name: message.name, bytes, result: "late", detail: "not sent: the time was over" });
      continue;
    }
    const { spoiled, ...judged } = await sendOne(client, agent, message, parts.halt);
    results.push({ name: message.name, bytes, ...judged });
    parts.progress(results.length, messages.length);
    // What stands on its line now is not to spoil the next one.
    if (spoiled && !parts.halt.aborted) {
      await ask(client, { kind: "kill", target: agent.id });
      serial += 1;
      agent = await launch(client, ground, serial, parts.halt);
    }
  }
  const places = [ground.folder, ground.work, parts.cli.cwd, parts.cli.env.HOME ?? ground.folder];
  const ran = existsSync(ground.canary) || places.some((place) => existsSync(join(place, bareName(ground.canary))));
  const place = { name: "a folder and a name that tmux would run", bytes: Buffer.byteLength(SEAT + ground.work) };
  return [
    ...results,
    ran
      ? { ...place, result: "changed", detail: "a text was run as a program" }
      : { ...place, result: "survived", detail: "" },
  ];
};

const takeDown = async (engine: StartedEngine | null, tmux: PrivateTmux | null, ground: Ground): Promise<void> => {
  if (engine !== null) {
    await engine.client.dispatch({ kind: "down", target: null, project: null }).catch(() => {});
    await engine.stop().catch(() => {});
  }
  await tmux?.end();
  rmSync(ground.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
};

/** Throws QuayError when the drill cannot begin: no tmux, an engine that does not start, an agent that is not ready. */
export const runDrill = async (parts: DrillParts): Promise<DrillEnd> => {
  const { cli } = parts;
  const startedAt = cli.now();
  const ground = prepare();
  let tmux: PrivateTmux | null = null;
  let engine: StartedEngine | null = null;
  try {
    tmux = await cli.doors.privateTmux(join(ground.folder, "tmux"), cli.env);
    engine = await cli.doors.startEngine({
      env: {
        ...cli.env,
        QUAY_HOME: ground.home,
        CLAUDE_CONFIG_DIR: join(ground.folder, "claude-config"),
        TMUX: undefined,
      },
      socket: null,
      insideTmux: `${tmux.socket},${tmux.pid},0`,
    });
    const results = await course(engine.client, ground, parts);
    return { tmux: tmux.version, configs: tmuxConfigs(cli.env), results, ms: cli.now() - startedAt };
  } finally {
    await takeDown(engine, tmux, ground);
  }
};
