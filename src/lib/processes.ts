/** Which process started which, as the system says. Reads only; it signals and judges nothing. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** A chain of parents longer than this is no chain. */
const DEEPEST = 64;
const PS_WITHIN_MS = 2_000;

type Seen = { readonly parent: number; readonly isOver: boolean };

/** Behind the name in brackets, which may hold anything: state, parent. */
const readProc = (pid: number): Seen | null => {
  try {
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^[\s\S]*\) /u, "")
      .split(" ");
    return { parent: Number(parent), isOver: state === "Z" || state === "X" };
  } catch {
    return null;
  }
};

const askPs = (pid: number): Seen | null => {
  try {
    const said = execFileSync("ps", ["-o", "ppid=,stat=", "-p", String(pid)], {
      encoding: "utf8",
      timeout: PS_WITHIN_MS,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [parent, state] = said.trim().split(/\s+/u);
    return { parent: Number(parent), isOver: state?.startsWith("Z") ?? true };
  } catch {
    return null;
  }
};

/** Parent, grandparent and so on, up to the first process; null when this process is over. */
export const ancestorsOf = (pid: number): readonly number[] | null => {
  const look = existsSync("/proc/self/stat") ? readProc : askPs;
  let seen = look(pid);
  if (seen === null || seen.isOver) return null;
  const ancestors: number[] = [];
  while (seen !== null && seen.parent > 0 && ancestors.length < DEEPEST) {
    ancestors.push(seen.parent);
    seen = look(seen.parent);
  }
  return ancestors;
};
