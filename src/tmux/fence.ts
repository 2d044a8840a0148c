/**
 * Taking the server over: compare-and-set of the epoch, so that of all command clients of this instance only the
 * newest can type; then the clients that a predecessor left behind are ended, and its buffers swept.
 * Facts: facts/typing.md sections 0.5, 1 (FENCE) and 3.
 */
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { QuayError } from "../lib/errors.js";
import type { Answer } from "./client.js";
import { bufferPrefix, fenceLine } from "./lines.js";
import { type FenceReply, parseFence, textOf } from "./replies.js";

export type Ask = (line: string) => Promise<Answer>;

/** Never used before: a counter for people, randomness for uniqueness. */
export const nextEpoch = (old: string): string =>
  `${(Number.parseInt(old, 10) || 0) + 1}-${randomBytes(6).toString("hex")}`;

export const raiseEpoch = async (ask: Ask, instance: string, old: string, next: string): Promise<FenceReply> => {
  const answer = await ask(fenceLine(instance, old, next));
  return answer.kind === "unknown" ? answer : parseFence(answer.blocks);
};

export const termName = (instance: string): string => `quay-${instance}`;

type Left = { readonly name: string; readonly pid: number };

const predecessors = async (ask: Ask, instance: string, mine: ReadonlySet<number>): Promise<readonly Left[]> => {
  const answer = await ask('list-clients -F "#{client_pid} #{client_control_mode} #{client_termname} #{client_name}"');
  if (answer.kind === "unknown") return [];
  return textOf(answer.blocks).flatMap((line) => {
    const [pid, control, term, ...name] = line.split(" ");
    const left = { name: name.join(" "), pid: Number(pid) };
    const isTheirs = control === "1" && term === termName(instance) && !mine.has(left.pid);
    return isTheirs && /^client-\d+$/.test(left.name) ? [left] : [];
  });
};

const isTmux = async (pid: number): Promise<boolean> => {
  try {
    return (await readFile(`/proc/${pid}/comm`, "utf8")).startsWith("tmux");
  } catch {
    return process.platform !== "linux";
  }
};

const DETACH_MS = 20;
const LOOK_MS = 25;
const GONE_MS = 2_000;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Ends the clients of this instance that are not in `mine`. Returns how many there were. */
export const endPredecessors = async (
  ask: Ask,
  instance: string,
  mine: ReadonlySet<number>,
  log: (line: string) => void,
): Promise<number> => {
  const first = await predecessors(ask, instance, mine);
  if (first.length === 0) return 0;
  for (const client of first) await ask(`detach-client -t ${client.name}`);
  await pause(DETACH_MS);
  const end = performance.now() + GONE_MS;
  const told = new Set<number>();
  for (;;) {
    const left = await predecessors(ask, instance, mine);
    if (left.length === 0) return first.length;
    for (const { pid } of left) {
      if (told.has(pid) || !(await isTmux(pid))) continue;
      told.add(pid);
      try {
        process.kill(pid, "SIGTERM");
      } catch {}
    }
    if (performance.now() > end) {
      log(`clients of an earlier engine stay attached: ${left.map((client) => client.pid).join(", ")}`);
      return first.length;
    }
    await pause(LOOK_MS);
  }
};

/** Removes the buffers that a broken step of ours left behind. */
export const sweepBuffers = async (ask: Ask, instance: string): Promise<void> => {
  const answer = await ask('list-buffers -F "#{buffer_name}"');
  if (answer.kind === "unknown") return;
  for (const name of textOf(answer.blocks)) {
    if (name.startsWith(bufferPrefix(instance)) && /^[A-Za-z0-9_-]+$/.test(name)) {
      await ask(`delete-buffer -b ${name}`);
    }
  }
};

export const fencedOut = (holder: string): QuayError =>
  new QuayError(
    "fenced-out",
    `Another quay engine with this state folder has taken over the terminals (epoch ${holder}). Stop that engine, or use it: only one may type.`,
    { facts: { holder } },
  );
