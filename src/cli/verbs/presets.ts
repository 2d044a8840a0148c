/** `quay presets`: what `quay up` can launch, and files that could not be read. */
import type { Command } from "commander";
import type { PresetView } from "../../bus/views.js";
import { type Cli, EXIT, type ExitCode } from "../cli.js";
import { columnsOf, jsonBlock, table } from "../output.js";
import { inertLine, inertText } from "../screen.js";
import { type Act, examples } from "../verb.js";

export const addPresets = (program: Command, act: Act): void => {
  program
    .command("presets")
    .summary("list the presets")
    .description(
      "List the presets: built in, yours, and those in .quay/presets/ of this project. Needs no engine. A file that cannot be read is shown with its error.",
    )
    .option("--json", "print them as JSON")
    .addHelpText("after", examples(["quay presets", "list what quay up can launch"]))
    .action(async (options: { json?: boolean }) => {
      await act((cli) => list(cli, options.json === true));
    });
};

const list = async (cli: Cli, json: boolean): Promise<ExitCode> => {
  const presets = await cli.doors.readPresets(cli.env, cli.cwd);
  cli.out.write(json ? jsonBlock(presets) : wordPresets(presets, columnsOf(cli.out)));
  return EXIT.ok;
};

export const wordPresets = (presets: readonly PresetView[], columns: number | null): string => {
  const readable = presets.filter((preset) => preset.error === null);
  const broken = presets.filter((preset) => preset.error !== null);
  const rows = readable.map((preset) => [
    inertLine(preset.name),
    preset.origin,
    preset.seats.map((seat) => `${inertLine(seat.name)} (${seat.kind})`).join(", "),
    inertLine(preset.description),
  ]);
  // An error names its file.
  const errors = broken.map(({ path, error }) => `Not readable: ${inertText(error ?? path)}\n`);
  return [
    rows.length === 0 ? "No presets.\n" : table([["NAME", "FROM", "SEATS", "DESCRIPTION"], ...rows], columns),
    ...errors,
  ].join("");
};
