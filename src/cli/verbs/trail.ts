/** `quay trail`: the messages of the bus. `--follow` goes on after a restart of the engine. */

import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { TrailView } from "../../bus/views.js";
import type { EngineClient } from "../../engine/client.js";
import { type Cli, EXIT, type ExitCode } from "../cli.js";
import { ask, reach, readStored, withEngine } from "../connect.js";
import { columnsOf, jsonBlock, jsonLine } from "../output.js";
import { screenOptions, wordTrailChange, wordTrailEntry } from "../screen.js";
import { steadyClient } from "../steady-client.js";
import { trailChanges } from "../trail-changes.js";
import { EXPORT_FORMATS, type ExportFormat, exportTrail } from "../trail-export.js";
import { type Act, examples } from "../verb.js";

const DEFAULT_LIMIT = 20;
const DEFAULT_EXPORT = 1_000;
const MOST = 10_000;

type TrailOptions = { readonly follow?: boolean; readonly limit: number; readonly json?: boolean };

export const addTrail = (program: Command, act: Act): void => {
  const trail = program
    .command("trail")
    .summary("show the messages, newest first")
    .description(
      "Show the messages of the bus with their status and answers, newest first. Reads the stored state when no engine runs, and says so on stderr. With --follow: on a terminal a live view, on a pipe one line per change, oldest first.",
    )
    .option("--follow", "go on showing changes, also after a restart of the engine")
    .option("--limit <count>", `how many entries, 1 to ${MOST}`, wholeNumber, DEFAULT_LIMIT)
    .option("--json", "print JSON: an array, or with --follow one entry per line")
    .addHelpText(
      "after",
      examples(
        ["quay trail", "the last 20 messages"],
        ["quay trail --follow", "a live view, for a pane beside your agents"],
        ["quay trail --follow --json | jq .status", "each change as it happens"],
      ),
    )
    .action(async (options: TrailOptions) => {
      await act((cli) => (options.follow === true ? follow(cli, options) : list(cli, options)));
    });
  addExport(trail, act);
};

type ExportOptions = { readonly format: ExportFormat; readonly last: number; readonly project?: string };

const addExport = (trail: Command, act: Act): void => {
  trail
    .command("export")
    .summary("print a run as a file")
    .description(
      "Print the messages, oldest first, as JSON lines, as a Markdown page, or as a Mermaid sequence diagram. Reads the stored state when no engine runs, and says so on stderr.",
    )
    .addOption(new Option("--format <form>", "the form").choices(EXPORT_FORMATS).default("jsonl"))
    .option("--last <count>", `how many entries, 1 to ${MOST}`, wholeNumber, DEFAULT_EXPORT)
    .option("--project <dir>", "only messages of this project")
    .addHelpText(
      "after",
      examples(
        ["quay trail export --format mermaid --last 30 > run.mmd", "the last 30 messages as a diagram"],
        ["quay trail export --format markdown --project . > run.md", "what was said in this project"],
      ),
    )
    .action(async (options: ExportOptions) => {
      await act((cli) => writeExport(cli, options));
    });
};

const writeExport = async (cli: Cli, options: ExportOptions): Promise<ExitCode> => {
  const project = options.project === undefined ? null : await cli.doors.projectOf(resolve(cli.cwd, options.project));
  const all = await readTrail(cli, project === null ? options.last : MOST);
  const mine = project === null ? all : all.filter((entry) => entry.project === project);
  cli.out.write(exportTrail(mine.slice(0, options.last).toReversed(), options.format));
  return EXIT.ok;
};

const wholeNumber = (text: string): number => {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > MOST)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST}.`);
  return count;
};

const list = async (cli: Cli, options: TrailOptions): Promise<ExitCode> => {
  const entries = await readTrail(cli, options.limit);
  const columns = columnsOf(cli.out);
  if (options.json === true) cli.out.write(jsonBlock(entries));
  else if (entries.length === 0) cli.out.write("No messages yet. Send one with: quay send TARGET MESSAGE\n");
  else cli.out.write(entries.map((entry) => wordTrailEntry(entry, cli.now(), columns)).join(""));
  return EXIT.ok;
};

const readTrail = async (cli: Cli, limit: number): Promise<readonly TrailView[]> => {
  const reached = await reach(cli);
  if (reached === null) return (await readStored(cli)).trail.slice(0, limit);
  const { entries } = await withEngine(reached, (client) => ask(client, { kind: "trail", limit, before: null }));
  return entries;
};

const follow = async (cli: Cli, options: TrailOptions): Promise<ExitCode> => {
  const reached = await reach(cli);
  const stored = reached === null ? await readStored(cli) : null;
  const isLive = cli.out.isTerminal && options.json !== true;
  const leave = new AbortController();
  const unlisten = cli.onSignal(() => leave.abort());
  cli.out.closed.addEventListener("abort", () => leave.abort(), { once: true });
  const client = steadyClient(reached?.client ?? null, stored, {
    connect: async () => (await reach(cli))?.client ?? null,
    onLost: (why) => {
      if (!isLive) cli.err.write(`quay: the engine is gone (${why}); waiting for the next one\n`);
    },
    onBack: () => {
      if (!isLive) cli.err.write("quay: the engine is back\n");
    },
    pause: async (ms) => {
      await delay(ms, undefined, { signal: leave.signal }).catch(() => {});
    },
  });
  try {
    if (isLive) {
      await cli.doors.liveTrail(client, screenOptions(cli, leave.signal));
    } else await printChanges(client, cli, options, leave.signal);
  } finally {
    unlisten();
    await client.close();
  }
  return EXIT.ok;
};

/** One line per change until it is told to leave. */
const printChanges = async (
  client: EngineClient,
  cli: Cli,
  options: TrailOptions,
  leave: AbortSignal,
): Promise<void> => {
  const changes = trailChanges(options.limit);
  const print = (): void => {
    for (const entry of changes(client.snapshot().trail))
      cli.out.write(options.json === true ? jsonLine(entry) : wordTrailChange(entry, cli.now()));
  };
  print();
  const unsubscribe = client.subscribe((change) => {
    if (change.kind === "snapshot") print();
  });
  await new Promise<void>((resolve) => {
    if (leave.aborted) resolve();
    else leave.addEventListener("abort", () => resolve(), { once: true });
  });
  unsubscribe();
};
