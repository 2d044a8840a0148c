/**
 * The tmux server that holds our terminals: where it is, whether it lives, and that it has our session. It starts
 * Quay's own server and never ends one; on a user's server it makes a session and touches no option of theirs.
 */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { QuayError } from "../lib/errors.js";
import { epochOption } from "./lines.js";
import { word } from "./quote.js";
import { type Ran, runTmux } from "./run.js";
import { hasManualSizeCrash, isAtLeast, parseVersion, type Version } from "./version.js";

export type ServerAddress =
  | { readonly kind: "own"; readonly name: string }
  | { readonly kind: "user"; readonly socketPath: string };

export type ServerSpot = { readonly tmux: string; readonly address: ServerAddress; readonly tmuxSession: string };

/** Which life of which server: a difference means that every pane known before is gone. */
export type ServerLife = {
  readonly pid: number;
  readonly startedAt: number;
  readonly socket: string;
  readonly version: Version;
};

export type Look =
  | { readonly kind: "alive"; readonly life: ServerLife; readonly epoch: string }
  | { readonly kind: "none" }
  | { readonly kind: "hung"; readonly why: string };

const COLS = "120";
const ROWS = "40";
const START_TRIES = 20;
const START_PAUSE_MS = 50;

/** Never starts a server by accident: -N. Without the user's configuration, should one be started all the same. */
export const addressArgs = (address: ServerAddress): readonly string[] =>
  address.kind === "own" ? ["-L", word(address.name)] : ["-S", address.socketPath];

export const clientArgs = (address: ServerAddress): readonly string[] => ["-N", "-u", ...addressArgs(address)];

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const isNoServer = (ran: Ran): boolean =>
  /no server running|error connecting|server exited|lost server|No such file|Connection refused/i.test(ran.stderr);

/** Throws QuayError `tmux-missing` or `tmux-too-old`. */
export const checkProgram = async (tmux: string): Promise<Version> => {
  const ran = await runTmux(tmux, ["-V"]);
  if (ran.code !== 0) {
    throw new QuayError("tmux-missing", `"${tmux} -V" failed: ${ran.stderr}. Install tmux 3.2 or later.`);
  }
  return checkFloor(parseVersion(ran.stdout));
};

const checkFloor = (version: Version): Version => {
  if (isAtLeast(version, 3, 2)) return version;
  throw new QuayError(
    "tmux-too-old",
    `tmux ${version.text} is too old: Quay needs 3.2 or later, and recommends 3.7. Upgrade tmux, and restart its server if one of the old version is running.`,
    { facts: { version: version.text } },
  );
};

export const look = async (spot: ServerSpot, instance: string): Promise<Look> => {
  const format = `#{pid} #{start_time} #{version} #{${epochOption(instance)}} #{socket_path}`;
  const ran = await runTmux(spot.tmux, [...clientArgs(spot.address), "display-message", "-p", format]);
  if (ran.hung) return { kind: "hung", why: "tmux did not answer within 5 s" };
  if (ran.code !== 0) return isNoServer(ran) ? { kind: "none" } : { kind: "hung", why: ran.stderr };
  const found = /^(\d+) (\d+) (\S+) (.*) (\/.*)$/.exec(ran.stdout.trimEnd());
  if (!found) return { kind: "hung", why: `tmux answered ${JSON.stringify(ran.stdout)}` };
  const [, pid, startedAt, version, epoch, socket] = found as unknown as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const life = { pid: Number(pid), startedAt: Number(startedAt), socket, version: parseVersion(version) };
  return { kind: "alive", life, epoch };
};

/** What the first window of our session runs: it holds the session, and is no terminal. */
const IDLE_WINDOW = [
  "/bin/sh",
  "-c",
  'trap "" INT QUIT TSTP; printf "%s\\n" "Quay keeps this window: its agents are the other windows of this session."; while :; do sleep 86400; done',
];

const ownConfig = (): string =>
  [
    "set-option -s exit-empty off",
    "set-option -s escape-time 10",
    // tmux would keep the text of the last thousand commands, and messages come as commands.
    "set-option -s message-limit 0",
    "set-option -s focus-events on",
    "set-option -s default-terminal tmux-256color",
    "set-option -s set-clipboard external",
    "set-option -g history-limit 50000",
    "set-option -g set-titles off",
    "set-option -g destroy-unattached off",
    "set-option -g status-left ' Quay  '",
    "set-option -g status-right ''",
    "set-option -gw window-size latest",
    "set-option -gw allow-rename off",
    "",
  ].join("\n");

const newSessionArgs = (session: string): readonly string[] => {
  const target = `=${session}:`;
  return [
    ...["new-session", "-d", "-P", "-F", "#{session_id}", "-s", session, "-n", "quay", "-x", COLS, "-y", ROWS, "--"],
    ...IDLE_WINDOW,
    // A user's `destroy-unattached on` would end our session, and every agent, with our last client.
    ...[";", "set-option", "-t", target, "destroy-unattached", "off"],
  ];
};

/** The id of our session, made when it is missing. Nothing of ours may be attaching meanwhile. */
export const ensureSession = async (spot: ServerSpot): Promise<string> => {
  const session = word(spot.tmuxSession);
  const at = clientArgs(spot.address);
  const listed = await runTmux(spot.tmux, [...at, "list-sessions", "-F", "#{session_id} #{session_name}"]);
  if (listed.hung) throw unreachable("tmux did not answer within 5 s");
  const found = listed.stdout.split("\n").find((line) => line.slice(line.indexOf(" ") + 1) === session);
  if (found) return found.slice(0, found.indexOf(" "));
  await refuseManualSize(spot);
  const made = await runTmux(spot.tmux, [...at, ...newSessionArgs(session)]);
  const id = /^\$\d+/.exec(made.stdout)?.[0];
  if (id) return id;
  throw new QuayError("tmux-session", `tmux did not make the session "${session}": ${made.stderr}`);
};

const unreachable = (why: string): QuayError =>
  new QuayError("tmux-unreachable", `${why}. Its terminals are kept; try again once tmux answers.`);

const refuseManualSize = async (spot: ServerSpot): Promise<void> => {
  const at = clientArgs(spot.address);
  const version = await runTmux(spot.tmux, [...at, "display-message", "-p", "#{version}"]);
  if (!hasManualSizeCrash(parseVersion(version.stdout))) return;
  const size = await runTmux(spot.tmux, [...at, "show-options", "-gwv", "window-size"]);
  if (size.stdout.trim() === "manual") throw manualSize();
};

export const manualSize = (): QuayError =>
  new QuayError(
    "window-size-manual",
    'Your tmux has the global option "window-size manual", with which a new window crashes tmux 3.3 to 3.6 and every program in it. Run `tmux set-option -g window-size latest` and try again, or use tmux 3.7.',
  );

/**
 * The server's life, after starting Quay's own one when there is none. `fresh`: it was started here.
 * Throws QuayError: `tmux-gone` (a user's server that is not there), `tmux-unreachable`, `tmux-too-old`, `tmux-start`.
 */
export const ensureServer = async (
  spot: ServerSpot,
  instance: string,
): Promise<{ readonly life: ServerLife; readonly epoch: string; readonly fresh: boolean }> => {
  let fresh = false;
  let last = "";
  for (let tries = 0; tries < START_TRIES; tries++) {
    const seen = await look(spot, instance);
    if (seen.kind === "hung") throw unreachable(seen.why);
    if (seen.kind === "alive") {
      checkFloor(seen.life.version);
      return { life: seen.life, epoch: seen.epoch, fresh };
    }
    if (spot.address.kind === "user") {
      throw new QuayError(
        "tmux-gone",
        `There is no tmux server at ${spot.address.socketPath} any more. Start quay again inside a running tmux, or outside tmux.`,
      );
    }
    // A server that is just ending answers "server exited unexpectedly" for some milliseconds.
    const ran = await startOwn(spot);
    fresh = ran.code === 0;
    last = ran.stderr;
    if (ran.code !== 0) await pause(START_PAUSE_MS);
  }
  throw new QuayError("tmux-start", `tmux did not start its server: ${last}`);
};

const startOwn = async (spot: ServerSpot): Promise<Ran> => {
  const folder = await mkdtemp(join(tmpdir(), "quay-tmux-"));
  try {
    await chmod(folder, 0o700);
    const file = join(folder, "tmux.conf");
    await writeFile(file, ownConfig(), { mode: 0o600 });
    const at = ["-u", ...addressArgs(spot.address), "-f", file];
    return await runTmux(spot.tmux, [...at, ...newSessionArgs(word(spot.tmuxSession))]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
