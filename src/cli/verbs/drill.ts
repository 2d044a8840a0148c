/** `quay drill`: sends nasty messages to a scripted agent in a private tmux, and says which arrive byte for byte here. */
import type { Command } from "commander";
import { type Cli, EXIT, type ExitCode } from "../cli.js";
import { type DrillEnd, type DrillResult, runDrill, tmuxConfigs } from "../drill-run.js";
import { refuseInside } from "../inside.js";
import { jsonBlock, table } from "../output.js";
import { type Act, examples } from "../verb.js";

/** The whole drill, its start included; taking it down comes on top. */
const DRILL_WITHIN_MS = 60_000;
const TOLD_EVERY = 6;

export const addDrill = (program: Command, act: Act): void => {
  program
    .command("drill")
    .summary("try nasty messages on a scripted agent here")
    .description(
      "Start a private tmux server with your own tmux.conf, a real engine and a scripted agent on it, send the messages that break things, and print which arrive byte for byte on this machine. No account, no model; at most a minute. It removes what it started, and exits 1 when a message did not survive.",
    )
    .option("--json", "print the results as JSON")
    .addHelpText(
      "after",
      examples(["quay drill", "see what survives here"], ["quay drill --json | jq .survived", "only the count"]),
    )
    .action(async (options: { json?: boolean }) => {
      await act((cli) => drill(cli, options.json === true));
    });
};

const drill = async (cli: Cli, json: boolean): Promise<ExitCode> => {
  refuseInside(cli.env, "quay drill");
  const stopped = new AbortController();
  const unlisten = cli.onSignal(() => stopped.abort());
  const configs = tmuxConfigs(cli.env);
  cli.err.write(
    `quay: drilling in a private tmux server with ${configs.length === 0 ? "tmux's defaults" : configs.join(" and ")}\n`,
  );
  try {
    const end = await runDrill({
      cli,
      halt: AbortSignal.any([stopped.signal, AbortSignal.timeout(DRILL_WITHIN_MS)]),
      progress: (done, of) => {
        if (done % TOLD_EVERY === 0) cli.err.write(`quay: ${done} of ${of} messages\n`);
      },
    });
    if (stopped.signal.aborted) {
      cli.err.write("quay: the drill was left before its end\n");
      return EXIT.interrupted;
    }
    cli.out.write(json ? jsonBlock(jsonOf(end)) : wordDrill(end));
    return end.results.every(({ result }) => result === "survived") ? EXIT.ok : EXIT.failed;
  } finally {
    unlisten();
  }
};

const survivorsOf = (results: readonly DrillResult[]): number =>
  results.filter(({ result }) => result === "survived").length;

const jsonOf = (end: DrillEnd): unknown => ({
  ...end,
  survived: survivorsOf(end.results),
  total: end.results.length,
});

const WORDS: Readonly<Record<DrillResult["result"], string>> = {
  survived: "ok",
  changed: "CHANGED",
  failed: "FAILED",
  late: "LATE",
};

export const wordDrill = ({ tmux, results, ms }: DrillEnd): string => {
  const rows = results.map(({ name, bytes, result, detail }) => [WORDS[result], name, String(bytes), detail]);
  const [survived, seconds] = [survivorsOf(results), (ms / 1_000).toFixed(1)];
  const sum =
    survived === results.length
      ? `All ${survived} survive here (tmux ${tmux}, ${seconds} s).`
      : `${survived} of ${results.length} survive here (tmux ${tmux}, ${seconds} s). Look at quay doctor, and report what does not.`;
  return `${table([["RESULT", "MESSAGE", "BYTES", ""], ...rows], null)}\n${sum}\n`;
};
