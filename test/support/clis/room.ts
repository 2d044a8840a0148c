/**
 * Where real CLIs run in tests: a scratch HOME, project folders, the scripted model, and an environment that holds
 * nothing of the developer's. Each CLI adds its own through a `CliSetUp`, one file per CLI beside this one; several
 * may share a room, as on a person's machine.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Room = {
  readonly root: string;
  readonly home: string;
  /** Address of the scripted model, `http://127.0.0.1:<port>`; its path tells which API is spoken. */
  readonly modelUrl: string;
  /** What every CLI gets. */
  readonly env: Readonly<Record<string, string>>;
  /** Makes a file below HOME, with its folders. Content that is not text is written as JSON. Returns its path. */
  seed(path: string, content: unknown): string;
  /** Makes a program that runs this command line with its own arguments behind. Returns its path. */
  program(name: string, argv: readonly string[]): string;
  remove(): void;
};

/** One real CLI in a room, ready to be started by Quay without a person. */
export type CliSandbox = {
  readonly kind: string;
  /** The environment that it needs besides the room's, such as its folder, address and made-up key. */
  readonly env: Readonly<Record<string, string>>;
  /** `adapters.<kind>` of Quay's settings: `command` as a person would have it, and whatever the adapter knows. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Answers the CLI's question whether it may work in this folder, before it is asked. */
  trust(folder: string): void;
};

/** Seeds the CLI's files into the room. */
export type CliSetUp = (room: Room) => CliSandbox;

/** `ask`: tools open the CLI's own approval dialog. */
export type Permissions = "allow" | "ask";

export const MADE_UP_KEY = "made-up-key";

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

export const createRoom = (modelUrl: string): Room => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "quay-room-")));
  const home = join(root, "home");
  mkdirSync(home);
  return {
    root,
    home,
    modelUrl,
    env: {
      PATH: process.env.PATH ?? "/usr/bin:/bin",
      HOME: home,
      TERM: "tmux-256color",
      LANG: "C.UTF-8",
      SHELL: "/bin/sh",
    },
    seed(path, content) {
      const file = join(home, path);
      mkdirSync(join(file, ".."), { recursive: true });
      writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
      return file;
    },
    program(name, argv) {
      const file = join(root, name);
      writeFileSync(file, `#!/bin/sh\nexec ${argv.map(quoted).join(" ")} "$@"\n`, { mode: 0o755 });
      return file;
    },
    remove() {
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
};
