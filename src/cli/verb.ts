/** What each verb's file is written with: the way its work is run, and the form of its examples. */
import type { Cli, ExitCode } from "./cli.js";

/** Runs a verb's work on the Cli of this call; its exit code becomes the program's. */
export type Act = (work: (cli: Cli) => Promise<ExitCode>) => Promise<void>;

/** The examples of a verb, as its help and the docs page show them. */
export const examples = (...lines: readonly (readonly [command: string, what: string])[]): string =>
  `\nExamples:\n${lines.map(([command, what]) => `  $ ${command}\n      ${what}`).join("\n")}`;
