/**
 * Fires the hooks of a plugin folder as Claude Code does: reads hooks/hooks.json, runs each command of an event with
 * the event's JSON on its standard input, and waits for it. Knows nothing of what the hooks do.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

export type Payload = Readonly<Record<string, unknown>>;

export type Plugin = {
  /** Resolves when the event's commands have ended; a command that fails or hangs for 10 s is let be. */
  fire(event: string, payload: Payload, pid: number): Promise<void>;
};

export type PluginPlace = {
  readonly folder: string | null;
  readonly env: NodeJS.ProcessEnv;
  readonly cliSession: string;
  readonly cwd: string;
};

type HookFile = {
  readonly hooks?: Readonly<
    Record<string, readonly { readonly hooks?: readonly { readonly type?: string; readonly command?: string }[] }[]>
  >;
};

const LONGEST_MS = 10_000;

const commandsIn = (folder: string): ReadonlyMap<string, readonly string[]> => {
  const file = JSON.parse(readFileSync(join(folder, "hooks", "hooks.json"), "utf8")) as HookFile;
  return new Map(
    Object.entries(file.hooks ?? {}).map(([event, groups]) => [
      event,
      groups.flatMap((group) =>
        (group.hooks ?? []).flatMap((hook) => (hook.type === "command" && hook.command ? [hook.command] : [])),
      ),
    ]),
  );
};

const runCommand = (command: string, env: NodeJS.ProcessEnv, input: string): Promise<void> =>
  new Promise((resolve) => {
    const child = spawn("sh", ["-c", command], { env, stdio: ["pipe", "ignore", "ignore"] });
    child.on("error", () => resolve());
    child.on("exit", () => resolve());
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });

export const openPlugin = (place: PluginPlace): Plugin => {
  const commands = place.folder === null ? new Map<string, readonly string[]>() : commandsIn(place.folder);
  return {
    fire: async (event, payload, pid) => {
      const env = {
        ...place.env,
        CLAUDE_PLUGIN_ROOT: place.folder ?? "",
        CLAUDE_PROJECT_DIR: place.cwd,
        CLAUDE_CODE_SESSION_ID: place.cliSession,
        CLAUDE_PID: String(pid),
      };
      const common = { session_id: place.cliSession, cwd: place.cwd, hook_event_name: event };
      const input = JSON.stringify({ ...common, ...payload });
      const ended = Promise.all((commands.get(event) ?? []).map((command) => runCommand(command, env, input)));
      await Promise.race([ended, pause(LONGEST_MS, undefined, { ref: false })]);
    },
  };
};
