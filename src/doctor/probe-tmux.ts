/** Looks at the tmux program and at the servers that are there. It starts none, attaches to none and changes nothing. */
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runTmux } from "../tmux/run.js";
import { isAtLeast, parseVersion } from "../tmux/version.js";
import type { Hook, ServerFacts, TmuxFacts, Whose } from "./facts.js";
import { type Env, findProgram, runBriefly } from "./run-program.js";

const VERSION_WITHIN_MS = 5_000;
const PROGRAM = "tmux";

const isLinkedWith = (path: string, library: string): boolean => {
  try {
    return readFileSync(path).includes(library);
  } catch {
    return false;
  }
};

export const probeTmux = async (env: Env, cwd: string): Promise<TmuxFacts> => {
  const path = findProgram(PROGRAM, env, cwd);
  if (path === null) return { kind: "missing", why: "there is no program tmux on the PATH" };
  const ran = await runBriefly(path, ["-V"], env, VERSION_WITHIN_MS);
  if (ran === null || ran.code !== 0) return { kind: "missing", why: `${path} -V failed` };
  return { kind: "there", path, version: ran.out.trim(), hasUtempter: isLinkedWith(path, "libutempter") };
};

const isSocket = (path: string): boolean => {
  try {
    return lstatSync(path).isSocket();
  } catch {
    return false;
  }
};

/** tmux's own place for sockets. */
export const socketPath = (name: string, env: Env): string =>
  name.startsWith("/") ? name : join(env.TMUX_TMPDIR || "/tmp", `tmux-${process.getuid?.() ?? 0}`, name);

const hooksIn = (shown: string): readonly Hook[] =>
  shown.split("\n").flatMap((line) => {
    const space = line.indexOf(" ");
    return space < 0 ? [] : [{ name: line.slice(0, space), command: line.slice(space + 1) }];
  });

const lookAt = async (whose: Whose, socket: string): Promise<ServerFacts | null> => {
  const ask = (...words: readonly string[]) => runTmux(PROGRAM, ["-N", "-S", socket, ...words]);
  const said = async (...words: readonly string[]): Promise<string> => {
    const ran = await ask(...words);
    return ran.code === 0 ? ran.stdout.trim() : "";
  };
  const first = await ask("display-message", "-p", "#{version}");
  if (first.hung) return { kind: "silent", whose, socket, why: "no answer within 5 s" };
  // A socket that a server left behind.
  if (first.code !== 0) return null;
  return {
    kind: "answers",
    whose,
    socket,
    version: first.stdout.trim(),
    windowSize: await said("show-options", "-gwv", "window-size"),
    exitUnattached: await said("show-options", "-sv", "exit-unattached"),
    hooks: hooksIn(`${await said("show-hooks", "-g")}\n${await said("show-hooks", "-gw")}`),
  };
};

/** @param own name or path of the server that Quay's terminals are on. The person's: the one around us, else the default one. */
export const probeServers = async (tmux: TmuxFacts, own: string, env: Env): Promise<readonly ServerFacts[]> => {
  if (tmux.kind === "missing" || !isAtLeast(parseVersion(tmux.version), 3, 2)) return [];
  const ours = socketPath(own, env);
  const persons = env.TMUX?.split(",")[0] || socketPath("default", env);
  const found: ServerFacts[] = [];
  for (const [whose, socket] of [["own", ours] as const, ...(persons === ours ? [] : [["user", persons] as const])]) {
    const server = isSocket(socket) ? await lookAt(whose, socket) : null;
    if (server !== null) found.push(server);
  }
  return found;
};
