/** `quay up PRESET`: launches the seats of a preset that do not run yet. */
import { resolve } from "node:path";
import type { Command } from "commander";
import { realFolder } from "../../lib/project.js";
import { type Cli, EXIT, type ExitCode } from "../cli.js";
import { ask, withEngine } from "../connect.js";
import { ensureEngine } from "../ensure-engine.js";
import { refuseInside } from "../inside.js";
import { jsonBlock, wordSeats } from "../output.js";
import { type Act, examples } from "../verb.js";

export const addUp = (program: Command, act: Act): void => {
  program
    .command("up")
    .summary("launch the agents of a preset")
    .description(
      "Launch the agents of a preset in this folder. Seats that already run are kept, missing ones are started. Starts an engine if none runs.",
    )
    .argument("<preset>", "name of a preset; quay presets lists them")
    .option("--cwd <dir>", "folder to launch in", ".")
    .option("--json", "print the seats as JSON")
    .addHelpText(
      "after",
      examples(
        ["quay up tdd-swarm", "launch the TDD Swarm in this folder"],
        ["quay up tdd-swarm --cwd ~/work/parser", "launch it in another project"],
      ),
    )
    .action(async (preset: string, options: { cwd: string; json?: boolean }) => {
      await act((cli) => up(cli, preset, options.cwd, options.json === true));
    });
};

const up = async (cli: Cli, preset: string, folder: string, json: boolean): Promise<ExitCode> => {
  refuseInside(cli.env, "quay up");
  const cwd = await realFolder(resolve(cli.cwd, folder));
  const reached = await ensureEngine(cli);
  const { seats } = await withEngine(reached, (client) => ask(client, { kind: "up", preset, cwd }));
  cli.out.write(json ? jsonBlock(seats) : wordSeats(seats));
  return seats.some((seat) => seat.result === "failed") ? EXIT.failed : EXIT.ok;
};
