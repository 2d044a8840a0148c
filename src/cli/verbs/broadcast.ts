/** `quay broadcast TEXT`: a notice to every other running peer of a project. */
import type { Command } from "commander";
import type { Cli, ExitCode } from "../cli.js";
import { ask, callerFor, withEngine } from "../connect.js";
import { jsonBlock } from "../output.js";
import { type Act, examples } from "../verb.js";
import { messageText, printOutcome, reachToSpeak } from "./send.js";

type BroadcastOptions = { readonly project?: string; readonly as?: string; readonly json?: boolean };

export const addBroadcast = (program: Command, act: Act): void => {
  program
    .command("broadcast")
    .summary("send a notice to every peer of a project")
    .description(
      "Send a notice to every running peer of a project. A busy one gets it when its turn ends. Nobody waits for an answer. Starts an engine if none runs.",
    )
    .argument("<text>", "the notice; - reads it from stdin")
    .option("--project <dir>", "the project; default: this folder's")
    .option("--as <agent>", "send it in the name of this agent")
    .option("--json", "print the outcome as JSON")
    .addHelpText(
      "after",
      examples(
        ["quay broadcast 'The API is frozen until noon.'", "tell every peer of this project"],
        ["quay broadcast --project ../site 'Rebase on main.'", "tell those of another project"],
      ),
    )
    .action(async (text: string, options: BroadcastOptions) => {
      await act((cli) => broadcast(cli, text, options));
    });
};

const broadcast = async (cli: Cli, given: string, options: BroadcastOptions): Promise<ExitCode> => {
  const text = await messageText(cli, given);
  const reached = await reachToSpeak(cli);
  const { outcome } = await withEngine(reached, async (client) => {
    const caller = await callerFor(cli, reached, { as: options.as ?? null, project: options.project ?? null });
    return await ask(client, { kind: "broadcast", caller, text });
  });
  if (options.json === true) cli.out.write(jsonBlock({ outcome }));
  return printOutcome(cli, outcome, false, options.json === true);
};
