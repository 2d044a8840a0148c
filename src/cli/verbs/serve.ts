/** `quay serve`: the engine without a screen, until it is stopped. */
import type { Command } from "commander";
import { messageOf, QuayError } from "../../lib/errors.js";
import { type Cli, EXIT, type ExitCode, type StartedEngine } from "../cli.js";
import { exitCodeOf, reportError } from "../errors-to-exit.js";
import { refuseInside } from "../inside.js";
import { jsonLine } from "../output.js";
import { type Act, examples } from "../verb.js";

export const addServe = (program: Command, act: Act): void => {
  program
    .command("serve")
    .summary("run the engine without a screen")
    .description(
      "Run the engine without a screen, until quay stop, Ctrl-C or SIGTERM. A lost terminal does not end it. Agents go on when it ends.",
    )
    .option("--json", "print one line of JSON when the engine is ready, or when it cannot start")
    .addHelpText(
      "after",
      examples(
        ["quay serve", "run the engine in this shell"],
        ["quay serve --json", 'print {"ready":true,"pid":…,"port":…,"socket":…,"home":…} when it is ready'],
        ["quay --socket work serve", "keep the agents on the tmux server named work"],
      ),
    )
    .action(async (options: { json?: boolean }) => {
      await act((cli) => serve(cli, options.json === true));
    });
};

export const serve = async (cli: Cli, json: boolean): Promise<ExitCode> => {
  refuseInside(cli.env, "quay serve");
  let engine: StartedEngine;
  try {
    engine = await cli.doors.startEngine({ env: cli.env, socket: cli.socket, insideTmux: cli.env.TMUX ?? null });
  } catch (error) {
    if (!json) throw error;
    const code = error instanceof QuayError ? error.code : "bug";
    cli.out.write(jsonLine({ ready: false, code, message: messageOf(error) }));
    if (!(error instanceof QuayError)) return reportError(error, cli.err);
    return exitCodeOf(error);
  }
  const { endpoint } = engine;
  cli.out.write(
    json
      ? jsonLine({ ready: true, ...endpoint })
      : `Quay's engine is ready: process ${endpoint.pid}, ${endpoint.url}, tmux server ${endpoint.socket}, state in ${endpoint.home}\nMission Control: quay. End the engine: quay stop, or Ctrl-C; agents go on.\n`,
  );
  return await untilClosed(cli, engine, json);
};

/** Waits for the engine's end. SIGINT and SIGTERM end it; SIGHUP does not: the engine outlives its shell. */
export const untilClosed = async (cli: Cli, engine: StartedEngine, json: boolean): Promise<ExitCode> => {
  const unlisten = cli.onSignal((signal) => {
    if (signal !== "SIGHUP") void engine.stop();
  });
  const why = await engine.closed;
  unlisten();
  cli.out.write(json ? jsonLine({ ready: false, closed: why }) : `The engine has ended: ${why}\n`);
  return EXIT.ok;
};
