/**
 * `quay demo`: the TDD relay with scripted agents, in a project folder, state folder and tmux server of its own. It
 * needs no account and no model, and takes down all that it started, however it ends.
 */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import type { TrailView } from "../../bus/views.js";
import type { EngineClient } from "../../engine/client.js";
import { QuayError } from "../../lib/errors.js";
import { type Cli, EXIT, type ExitCode, type StartedEngine } from "../cli.js";
import { ask } from "../connect.js";
import { refused } from "../errors-to-exit.js";
import { refuseInside } from "../inside.js";
import { wordSeats } from "../output.js";
import { ARCHITECT, OPENING_PROMPT, type RelayState, relayState } from "../relay.js";
import { cutTo, inertLine, inertText, screenOptions, wordTrailChange, wordTrailEntry } from "../screen.js";
import { trailChanges } from "../trail-changes.js";
import { type Act, examples } from "../verb.js";

const RELAY_WITHIN_MS = 60_000;
/** Mission Control stays this long on the finished relay, so that its end can be read. */
const LINGER_MS = 2_000;
const SHOWN_TEXT_CELLS = 72;
const STATE_FOLDER = ".quay-demo";

export const addDemo = (program: Command, act: Act): void => {
  program
    .command("demo")
    .summary("watch scripted agents hand work to each other")
    .description(
      "Run the TDD relay with scripted demo agents in real tmux: failing tests, a hand-off, GREEN, RELAY DONE. No account, no model. On a terminal it shows Mission Control; without one it prints the trail, and exits 0 only on RELAY DONE within 60 s. It removes what it started.",
    )
    .option("--dir <dir>", "project folder, which stays afterwards; must be empty or new. Default: a scratch folder")
    .option("--no-screen", "print the trail, also on a terminal")
    .addHelpText(
      "after",
      examples(
        ["quay demo", "watch it"],
        ["quay demo --dir /tmp/relay", "keep what the agents wrote"],
        ["quay demo | cat", "print the trail"],
      ),
    )
    .action(async (options: { dir?: string; screen: boolean }) => {
      await act((cli) => demo(cli, options.dir ?? null, options.screen));
    });
};

type Ground = { readonly folder: string; readonly home: string; readonly isOurs: boolean };

const demo = async (cli: Cli, dir: string | null, mayShow: boolean): Promise<ExitCode> => {
  refuseInside(cli.env, "quay demo");
  const halt = new AbortController();
  const unlisten = cli.onSignal(() => halt.abort());
  const ground = await prepare(cli, dir);
  const socket = cli.socket ?? `quay-demo-${process.pid}`;
  let engine: StartedEngine | null = null;
  try {
    cli.err.write(`quay: the demo's project is ${ground.folder}, its tmux server ${socket}\n`);
    engine = await cli.doors.startEngine({
      env: { ...cli.env, QUAY_HOME: ground.home, TMUX: undefined },
      socket,
      insideTmux: null,
    });
    const screen = mayShow && cli.out.isTerminal && cli.inputIsTerminal;
    const end = await play(cli, engine, ground, screen, halt.signal);
    return report(cli, end, halt.signal.aborted);
  } finally {
    await takeDown(cli, engine, socket, ground);
    unlisten();
  }
};

const prepare = async (cli: Cli, dir: string | null): Promise<Ground> => {
  const isOurs = dir === null;
  const folder = dir === null ? await mkdtemp(join(tmpdir(), "quay-demo-")) : resolve(cli.cwd, dir);
  if (!isOurs) {
    if (existsSync(folder) && (await readdir(folder)).length > 0)
      throw refused(`${folder} is not empty, and the demo writes files into its folder. Name an empty or new one.`);
    await mkdir(folder, { recursive: true });
  }
  const home = join(folder, STATE_FOLDER);
  await mkdir(home, { mode: 0o700 });
  return { folder, home, isOurs };
};

type DemoEnd = RelayState | { readonly kind: "left" };

const play = async (
  cli: Cli,
  engine: StartedEngine,
  ground: Ground,
  screen: boolean,
  halt: AbortSignal,
): Promise<DemoEnd> => {
  const { client } = engine;
  const { seats } = await ask(client, { kind: "up", preset: "demo", cwd: ground.folder });
  if (!screen) cli.err.write(wordSeats(seats));
  const missing = seats.find((seat) => seat.result === "failed");
  if (missing !== undefined) return { kind: "failed", why: `${missing.name} did not start: ${missing.why ?? ""}` };

  const over = new AbortController();
  const relay = followRelay(cli, client, screen, AbortSignal.any([halt, over.signal]));
  const project = await cli.doors.projectOf(ground.folder);
  const prompt = { kind: "send", caller: { kind: "person", as: null, project }, target: ARCHITECT } as const;
  const opened = ask(client, { ...prompt, text: OPENING_PROMPT, wait: false, raw: false }).then(({ outcome }) => {
    if (outcome.kind === "dispatched" || outcome.kind === "queued") return;
    throw new QuayError("demo", `The opening prompt was not taken by ${ARCHITECT}: ${outcome.kind}.`);
  });
  const closed = engine.closed.then((why): DemoEnd => ({ kind: "failed", why: `the engine ended: ${why}` }));
  try {
    const ended = Promise.race([relay, closed, opened.then(() => relay)]);
    if (!screen) return await ended;
    return await onScreen(cli, client, ended, halt);
  } finally {
    over.abort();
  }
};

/** Shows Mission Control until the relay has ended or the person leaves. */
const onScreen = async (
  cli: Cli,
  client: EngineClient,
  ended: Promise<DemoEnd>,
  halt: AbortSignal,
): Promise<DemoEnd> => {
  const leave = new AbortController();
  let result: DemoEnd = { kind: "left" };
  let fault: unknown = null;
  const watched = ended.then(
    (end) => {
      result = end;
      setTimeout(() => leave.abort(), LINGER_MS);
    },
    (error: unknown) => {
      fault = error;
      leave.abort();
    },
  );
  await cli.doors.missionControl(client, screenOptions(cli, AbortSignal.any([halt, leave.signal])));
  void watched;
  const { trail, agents } = client.snapshot();
  const state = relayState(trail, agents);
  if (result.kind === "left" && state.kind !== "running") result = state;
  if (fault !== null) throw fault;
  for (const entry of trail.toReversed()) cli.out.write(wordTrailEntry(entry, cli.now(), cli.out.columns));
  return result;
};

/** Resolves when the trail shows the relay's end, after 60 s, or when it is told to halt. */
const followRelay = (cli: Cli, client: EngineClient, screen: boolean, halt: AbortSignal): Promise<DemoEnd> =>
  new Promise((resolvePlay) => {
    const changes = trailChanges(Number.POSITIVE_INFINITY);
    const finish = (end: DemoEnd): void => {
      clearTimeout(alarm);
      unsubscribe();
      resolvePlay(end);
    };
    const look = (): void => {
      const { trail, agents } = client.snapshot();
      if (!screen) for (const entry of changes(trail)) cli.out.write(wordTrailChange(briefly(entry), cli.now()));
      const state = relayState(trail, agents);
      if (state.kind !== "running") finish(state);
    };
    const unsubscribe = client.subscribe((change) => {
      if (change.kind === "snapshot") look();
    });
    const alarm = setTimeout(
      () => finish({ kind: "failed", why: `no RELAY DONE within ${RELAY_WITHIN_MS / 1000} s` }),
      RELAY_WITHIN_MS,
    );
    halt.addEventListener("abort", () => finish({ kind: "left" }), { once: true });
    look();
  });

/** The opening prompt is long, and each of its changes would print it again. */
const briefly = (entry: TrailView): TrailView => ({ ...entry, text: cutTo(inertLine(entry.text), SHOWN_TEXT_CELLS) });

const report = (cli: Cli, end: DemoEnd, halted: boolean): ExitCode => {
  switch (end.kind) {
    case "done":
      cli.out.write(`\n${ARCHITECT}: ${inertText(end.answer)}\n`);
      return EXIT.ok;
    case "failed":
      cli.err.write(`quay: the relay failed: ${inertText(end.why)}\n`);
      return EXIT.failed;
    default:
      cli.err.write("quay: the demo was left before the relay ended\n");
      return halted ? EXIT.interrupted : EXIT.failed;
  }
};

const takeDown = async (cli: Cli, engine: StartedEngine | null, socket: string, ground: Ground): Promise<void> => {
  if (engine !== null) {
    await engine.client.dispatch({ kind: "down", target: null, project: null }).catch(() => {});
    await engine
      .stop()
      .catch((error: unknown) => cli.err.write(`quay: the engine did not end cleanly: ${String(error)}\n`));
  }
  if (cli.socket === null) await cli.doors.removeTmuxServer(socket, cli.env);
  await rm(ground.isOurs ? ground.folder : ground.home, {
    recursive: true,
    force: true,
    maxRetries: 5,
    retryDelay: 100,
  });
};
