/** `quay new KIND --name NAME`: launches one terminal. */
import { resolve } from "node:path";
import type { Command } from "commander";
import { realFolder } from "../../lib/project.js";
import { type Cli, EXIT, type ExitCode } from "../cli.js";
import { ask, withEngine } from "../connect.js";
import { ensureEngine } from "../ensure-engine.js";
import { refuseInside } from "../inside.js";
import { jsonBlock, wordSeats } from "../output.js";
import { type Act, examples } from "../verb.js";

type NewOptions = {
  readonly name: string;
  readonly cwd: string;
  readonly approve?: readonly string[];
  readonly json?: boolean;
};

export const addNew = (program: Command, act: Act): void => {
  program
    .command("new")
    .summary("launch one terminal")
    .description("Launch one terminal. Starts an engine if none runs.")
    .argument(
      "<kind>",
      "what runs in it: claude, codex, opencode, pig, antigravity, pi, copilot, kiro, gemini, grok, aider, shell, custom, archon or demo",
    )
    .argument("[args...]", "arguments for its program, after --")
    .requiredOption("--name <name>", "its session name: 1 to 64 characters, none of ' \" [ ] ( ) : @ /")
    .option("--cwd <dir>", "folder to start in", ".")
    .option(
      "--approve <rule>",
      "answer its permission requests of this kind with yes, such as 'Bash(git status)'; may be given again",
      (rule: string, before: readonly string[] | undefined) => [...(before ?? []), rule],
    )
    .option("--json", "print the terminal as JSON")
    .addHelpText(
      "after",
      examples(
        ["quay new claude --name reviewer", "launch Claude Code in this folder as reviewer"],
        ["quay new claude --name docs --cwd ../site -- --model opus", "pass arguments to the CLI"],
        ["quay new shell --name test-runner", "launch a shell; it is not a peer and takes no messages"],
      ),
    )
    .action(async (kind: string, args: string[], options: NewOptions) => {
      await act((cli) => launch(cli, kind, args, options));
    });
};

const launch = async (cli: Cli, kind: string, args: readonly string[], options: NewOptions): Promise<ExitCode> => {
  refuseInside(cli.env, "quay new");
  const cwd = await realFolder(resolve(cli.cwd, options.cwd));
  const reached = await ensureEngine(cli);
  const seat = { name: options.name, kind, cwd, args, env: {}, prompt: null, preset: null, approve: options.approve };
  const answer = await withEngine(reached, (client) => ask(client, { kind: "launch", seat }));
  cli.out.write(options.json === true ? jsonBlock(answer.seat) : wordSeats([answer.seat]));
  return answer.seat.result === "failed" ? EXIT.failed : EXIT.ok;
};
