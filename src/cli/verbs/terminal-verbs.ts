/** `quay kill`, `quay relaunch` and `quay forget`: one terminal, by its id or exact name. They need the engine. */
import type { Command } from "commander";
import { type Cli, EXIT, type ExitCode } from "../cli.js";
import { ask, requireEngine, withEngine } from "../connect.js";
import { refuseInside } from "../inside.js";
import { jsonBlock, wordSeats } from "../output.js";
import { inertLine } from "../screen.js";
import { type Act, examples } from "../verb.js";

const TARGET = "its id, or its exact session name";
type JsonFlag = { readonly json?: boolean };

export const addKill = (program: Command, act: Act): void => {
  program
    .command("kill")
    .summary("end a terminal's program")
    .description("End the program of a terminal. It stays listed as exited; messages queued for it fail.")
    .argument("<target>", TARGET)
    .option("--json", "print the ids that ended as JSON")
    .addHelpText("after", examples(["quay kill reviewer", "end reviewer"]))
    .action(async (target: string, options: JsonFlag) => {
      await act((cli) => kill(cli, target, options.json === true));
    });
};

export const addRelaunch = (program: Command, act: Act): void => {
  program
    .command("relaunch")
    .summary("start a terminal again")
    .description(
      "End a terminal if it runs, and start it again with its arguments and folder, resuming the CLI's session, with the event bridge. It gets a new id.",
    )
    .argument("<target>", TARGET)
    .option("--json", "print the new terminal as JSON")
    .addHelpText("after", examples(["quay relaunch reviewer", "start reviewer again, with Quay's bridge"]))
    .action(async (target: string, options: JsonFlag) => {
      await act((cli) => relaunch(cli, target, options.json === true));
    });
};

export const addForget = (program: Command, act: Act): void => {
  program
    .command("forget")
    .summary("drop an exited terminal from the list")
    .description("Drop an exited terminal from the list. Without this it is dropped after seven days.")
    .argument("<target>", TARGET)
    .option("--json", "print the ids that were dropped as JSON")
    .addHelpText("after", examples(["quay forget term-a1b2c3", "drop it from the list"]))
    .action(async (target: string, options: JsonFlag) => {
      await act((cli) => forget(cli, target, options.json === true));
    });
};

const kill = async (cli: Cli, target: string, json: boolean): Promise<ExitCode> => {
  refuseInside(cli.env, "quay kill");
  const { ended } = await withEngine(await requireEngine(cli), (client) => ask(client, { kind: "kill", target }));
  cli.out.write(json ? jsonBlock(ended) : `Ended ${ended.map(inertLine).join(", ")}.\n`);
  return EXIT.ok;
};

const relaunch = async (cli: Cli, target: string, json: boolean): Promise<ExitCode> => {
  refuseInside(cli.env, "quay relaunch");
  const { seat } = await withEngine(await requireEngine(cli), (client) => ask(client, { kind: "relaunch", target }));
  cli.out.write(json ? jsonBlock(seat) : wordSeats([seat]));
  return seat.result === "failed" ? EXIT.failed : EXIT.ok;
};

const forget = async (cli: Cli, target: string, json: boolean): Promise<ExitCode> => {
  refuseInside(cli.env, "quay forget");
  const { forgotten } = await withEngine(await requireEngine(cli), (client) => ask(client, { kind: "forget", target }));
  cli.out.write(json ? jsonBlock(forgotten) : `Dropped ${forgotten.map(inertLine).join(", ")} from the list.\n`);
  return EXIT.ok;
};
