/** `quay ls`: every terminal, also exited ones. Reads the store when no engine runs. */
import type { Command } from "commander";
import { type Cli, EXIT, type ExitCode } from "../cli.js";
import { readSnapshot } from "../connect.js";
import { columnsOf, jsonBlock, wordAgents } from "../output.js";
import { type Act, examples } from "../verb.js";

export const addLs = (program: Command, act: Act): void => {
  program
    .command("ls")
    .summary("list the terminals")
    .description(
      "List the terminals with their level and status, in every project, exited ones included. Reads the stored state when no engine runs, and says so on stderr.",
    )
    .option("--json", "print them as JSON")
    .addHelpText(
      "after",
      examples(
        ["quay ls", "list the terminals"],
        ["quay ls --json | jq -r '.[] | select(.status == \"idle\") | .name'", "names of the idle ones"],
      ),
    )
    .action(async (options: { json?: boolean }) => {
      await act((cli) => ls(cli, options.json === true));
    });
};

const ls = async (cli: Cli, json: boolean): Promise<ExitCode> => {
  const { agents } = await readSnapshot(cli);
  cli.out.write(json ? jsonBlock(agents) : wordAgents(agents, columnsOf(cli.out)));
  return EXIT.ok;
};
