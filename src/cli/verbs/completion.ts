/** `quay completion SHELL` prints what a shell loads; the hidden `quay complete` answers it, word by word. */
import { Argument, type Command } from "commander";
import { type Cli, EXIT, type ExitCode } from "../cli.js";
import { type Candidate, complete, type NamesOf } from "../complete.js";
import { readNames } from "../completion-names.js";
import { completionScript, SHELLS, type Shell } from "../completion-scripts.js";
import { inertLine } from "../screen.js";
import { type Act, examples } from "../verb.js";

export const addCompletion = (program: Command, act: Act): void => {
  program
    .command("completion")
    .summary("print completion for a shell")
    .description("Print what a shell loads to complete verbs, flags, and the names of agents, presets and settings.")
    .addArgument(new Argument("<shell>", "which one").choices(SHELLS))
    .addHelpText(
      "after",
      examples(
        ['eval "$(quay completion bash)"', "in ~/.bashrc"],
        ['eval "$(quay completion zsh)"', "in ~/.zshrc, after compinit"],
        ["quay completion fish > ~/.config/fish/completions/quay.fish", "once"],
      ),
    )
    .action(async (shell: Shell) => {
      await act(async (cli) => {
        cli.out.write(completionScript(shell));
        return EXIT.ok;
      });
    });
  program
    .command("complete", { hidden: true })
    .argument("[words...]")
    .action(async (words: readonly string[]) => {
      await act((cli) => answer(cli, program, words));
    });
};

const answer = async (cli: Cli, program: Command, words: readonly string[]): Promise<ExitCode> => {
  const wanted = complete(program, words.slice(0, -1), words.at(-1) ?? "");
  switch (wanted.kind) {
    case "words":
      cli.out.write(wanted.words.map(lineOf).join(""));
      break;
    case "names":
      cli.out.write((await namesOf(cli, wanted.of, words)).map(lineOf).join(""));
      break;
    case "folders":
      cli.out.write(":folders\n");
      break;
    case "nothing":
  }
  return EXIT.ok;
};

const lineOf = ({ text, about }: Candidate): string => `${text}\t${inertLine(about)}\n`;

/** The state folder that the line itself names, as in `quay --home DIR attach …`. */
const withHome = (cli: Cli, words: readonly string[]): Cli => {
  const home = words[words.indexOf("--home") + 1];
  return words.includes("--home") && home !== undefined && home !== ""
    ? { ...cli, env: { ...cli.env, QUAY_HOME: home } }
    : cli;
};

const namesOf = async (cli: Cli, of: readonly NamesOf[], words: readonly string[]): Promise<readonly Candidate[]> => {
  const from = withHome(cli, words);
  const found = await Promise.all(of.map((what) => readNames(from, what)));
  const seen = new Map(found.flat().map((candidate) => [candidate.text, candidate]));
  // A name with a sign that would end the line is no name of ours.
  return [...seen.values()].filter(({ text }) => text !== "" && inertLine(text) === text);
};
