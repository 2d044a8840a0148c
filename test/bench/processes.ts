/** What processes use, as the kernel counts it (/proc): Linux only. */

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { monotonic } from "./clock.js";

const TICKS_PER_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** Seconds of processor time so far. */
const cpuSeconds = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
};

export type CpuMeter = { readonly pids: readonly number[]; readonly before: number; readonly at: number };

const total = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);

export const startCpu = (pids: readonly number[]): CpuMeter => ({ pids, before: total(pids), at: monotonic() });

/** Percent of one core since the start. */
export const readCpu = ({ pids, before, at }: CpuMeter): number => ((total(pids) - before) / (monotonic() - at)) * 1e5;

export const residentMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;

/** Direct children of a process. */
export const childrenOf = (pid: number): readonly number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => {
      try {
        const stat = readFileSync(`/proc/${one}/stat`, "utf8");
        return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === pid;
      } catch {
        return false;
      }
    });
