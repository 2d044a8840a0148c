/** `quay config`: the settings, read and changed by a person. Needs no engine. */
import type { Command } from "commander";
import { type Cli, EXIT, type ExitCode, type OpenedSettings } from "../cli.js";
import { refuseInside } from "../inside.js";
import { columnsOf, jsonBlock, table } from "../output.js";
import { inertLine } from "../screen.js";
import { type Act, examples } from "../verb.js";

type Json = { readonly json?: boolean };

export const addConfig = (program: Command, act: Act): void => {
  const config = program
    .command("config")
    .summary("read and change the settings")
    .description(
      "Read and change the settings. The file is checked as a whole before it is written. A running engine reads its port at its start, the rest when it is used.",
    );
  config
    .command("list")
    .summary("every setting, with its value")
    .description("Every setting with its value, and whether the file says so or it is the default.")
    .option("--json", "print JSON")
    .action(async ({ json }: Json) => {
      await act((cli) => withFile(cli, (file) => list(cli, file, json === true)));
    });
  config
    .command("get")
    .summary("the value of one setting")
    .description("Print the value of one setting as JSON: the file's, or the default.")
    .argument("<key>", "with dots, such as mailbox.notify")
    .action(async (key: string) => {
      await act((cli) => withFile(cli, (file) => print(cli, jsonBlock(file.get(key).value))));
    });
  config
    .command("set")
    .summary("change one setting")
    .description("Change one setting. For people: it is refused inside a terminal of Quay.")
    .argument("<key>", "with dots, such as mailbox.notify")
    .argument("<value>", "as JSON, or plain text; a text for a list is its one entry")
    .addHelpText(
      "after",
      examples(
        ["quay config set mailbox.notify true", "tell agents of their mail"],
        ['quay config set adapters.claude.approve \'["Bash(git status)", "Bash(npm test)"]\'', "a list, as JSON"],
      ),
    )
    .action(async (key: string, value: string) => {
      await act((cli) => change(cli, "set", (file) => `${key} is ${JSON.stringify(file.set(key, value))} now.\n`));
    });
  config
    .command("unset")
    .summary("take one setting back to its default")
    .description("Take one setting back to its default. For people, as set.")
    .argument("<key>", "with dots, such as mailbox.notify")
    .action(async (key: string) => {
      await act((cli) =>
        change(cli, "unset", (file) => {
          file.unset(key);
          return `${key} is back at its default, ${JSON.stringify(file.get(key).value)}.\n`;
        }),
      );
    });
  config
    .command("path")
    .summary("where the settings are")
    .description("Print the path of the settings file, whether it is there or not.")
    .action(async () => {
      await act((cli) => withFile(cli, (file) => print(cli, `${file.path}\n`)));
    });
};

const print = (cli: Cli, text: string): ExitCode => {
  cli.out.write(text);
  return EXIT.ok;
};

const withFile = async (cli: Cli, work: (file: OpenedSettings) => ExitCode): Promise<ExitCode> =>
  work(await cli.doors.openSettings(cli.env));

const change = (cli: Cli, verb: string, work: (file: OpenedSettings) => string): Promise<ExitCode> => {
  refuseInside(cli.env, `quay config ${verb}`);
  return withFile(cli, (file) => print(cli, inertLine(work(file).trimEnd()).concat("\n")));
};

const list = (cli: Cli, file: OpenedSettings, json: boolean): ExitCode => {
  const rows = file.known.map(({ key, about }) => ({ key, ...file.get(key), about }));
  if (json) return print(cli, jsonBlock(rows));
  const lines = rows.map(({ key, value, isSet, about }) => [
    key,
    inertLine(JSON.stringify(value)),
    isSet ? "set" : "default",
    about,
  ]);
  return print(cli, table([["KEY", "VALUE", "FROM", "MEANING"], ...lines], columnsOf(cli.out)));
};
