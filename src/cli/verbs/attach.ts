/** `quay attach TARGET`: shows a terminal's pane to a person, with tmux itself. */
import type { Command } from "commander";
import { type Cli, EXIT, type ExitCode } from "../cli.js";
import { ask, requireEngine, withEngine } from "../connect.js";
import { refused } from "../errors-to-exit.js";
import { refuseInside } from "../inside.js";
import { jsonBlock } from "../output.js";
import { tmuxSocketOf, without } from "../screen.js";
import { type Act, examples } from "../verb.js";

export const addAttach = (program: Command, act: Act): void => {
  program
    .command("attach")
    .summary("show a terminal's pane")
    .description("Show a terminal's pane on this terminal, with tmux. Leave it with your tmux prefix and d.")
    .argument("<target>", "its id, or its exact session name")
    .option("--json", "print the command instead of running it")
    .addHelpText("after", examples(["quay attach reviewer", "see the pane of reviewer, and type into it"]))
    .action(async (target: string, options: { json?: boolean }) => {
      await act((cli) => attach(cli, target, options.json === true));
    });
};

const attach = async (cli: Cli, target: string, json: boolean): Promise<ExitCode> => {
  refuseInside(cli.env, "quay attach");
  if (!json && (!cli.out.isTerminal || !cli.inputIsTerminal))
    throw refused("quay attach needs a terminal. quay attach --json prints the command that it would run.");
  const insideTmux = tmuxSocketOf(cli.env);
  const { argv, unsetEnv } = await withEngine(await requireEngine(cli), (client) =>
    ask(client, { kind: "attach", target, insideTmux }),
  );
  if (json) {
    cli.out.write(jsonBlock({ argv, unsetEnv }));
    return EXIT.ok;
  }
  return (await cli.doors.run(argv, without(cli.env, unsetEnv))) === 0 ? EXIT.ok : EXIT.failed;
};
