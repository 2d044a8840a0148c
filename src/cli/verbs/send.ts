/** `quay send TARGET MESSAGE`: a message as You, in an agent's name, or (inside a terminal) as that terminal. */
import type { Command } from "commander";
import type { Outcome } from "../../bus/protocol.js";
import { type Cli, EXIT, type ExitCode } from "../cli.js";
import { ask, callerFor, type Reached, requireEngine, withEngine } from "../connect.js";
import { ensureEngine } from "../ensure-engine.js";
import { refused, usageError } from "../errors-to-exit.js";
import { insideOf, requirePeer } from "../inside.js";
import { jsonBlock, wordOutcome } from "../output.js";
import { inertText } from "../screen.js";
import { type Act, examples } from "../verb.js";

type SendOptions = {
  readonly wait?: boolean;
  readonly raw?: boolean;
  readonly as?: string;
  readonly project?: string;
  readonly json?: boolean;
};

export const addSend = (program: Command, act: Act): void => {
  program
    .command("send")
    .summary("send a message to an agent")
    .description(
      "Send a message to an agent, as You. Inside a terminal of Quay it is sent as that terminal. A busy agent gets it when its turn ends. Starts an engine if none runs.",
    )
    .argument("<target>", "its id, or its exact session name")
    .argument("<message>", "the text; - reads it from stdin")
    .option("--wait", "wait up to 58 s for the reply and print it; exit 1 when none comes")
    .option("--raw", "type it as it is, also when it starts with one of / ! # @")
    .option("--as <agent>", "send it in the name of this agent")
    .option("--project <dir>", "project to look for the target in first; default: this folder's")
    .option("--json", "print the outcome as JSON")
    .addHelpText(
      "after",
      examples(
        ["quay send reviewer 'Review the diff of this branch.'", "send it, without waiting"],
        ["quay send reviewer 'Which file is next?' --wait", "print the reply"],
        ["git diff | quay send reviewer -", "send what stdin holds"],
        ["quay send claude-1 /compact --raw", "type a command of the CLI"],
      ),
    )
    .action(async (target: string, message: string, options: SendOptions) => {
      await act((cli) => send(cli, target, message, options));
    });
};

const send = async (cli: Cli, target: string, message: string, options: SendOptions): Promise<ExitCode> => {
  const text = await messageText(cli, message);
  const wait = options.wait === true;
  const reached = await reachToSpeak(cli);
  const answer = await withEngine(reached, async (client) => {
    const caller = await callerFor(cli, reached, { as: options.as ?? null, project: options.project ?? null });
    return await ask(client, { kind: "send", caller, target, text, wait, raw: options.raw === true });
  });
  if (options.json === true) cli.out.write(jsonBlock({ delivery: answer.delivery, outcome: answer.outcome }));
  return printOutcome(cli, answer.outcome, wait, options.json === true);
};

/** An engine to speak through. One is started for a person; a terminal of Quay takes the one that it belongs to. */
export const reachToSpeak = async (cli: Cli): Promise<Reached> => {
  const inside = insideOf(cli.env);
  if (inside === null) return await ensureEngine(cli);
  requirePeer(inside);
  return await requireEngine(cli);
};

export const messageText = async (cli: Cli, given: string): Promise<string> => {
  if (given !== "-") return given;
  if (cli.inputIsTerminal)
    throw usageError("MESSAGE is -, and stdin is a terminal. Pipe the text in, or pass it as MESSAGE.");
  const text = (await cli.readInput()).replace(/\r?\n$/u, "");
  if (text.trim() === "") throw refused("stdin was empty, so there is nothing to send.");
  return text;
};

/** The peer's own text goes to stdout, alone; sentences about a failure go to stderr. */
export const printOutcome = (cli: Cli, outcome: Outcome, waited: boolean, json: boolean): ExitCode => {
  const worded = wordOutcome(outcome, waited);
  if (!worded.ok) {
    cli.err.write(`quay: ${worded.line}\n`);
    return EXIT.failed;
  }
  if (json) return EXIT.ok;
  if (worded.body === null) cli.out.write(`${worded.line}\n`);
  else {
    cli.err.write(`${worded.line}\n`);
    cli.out.write(`${cli.out.isTerminal ? inertText(worded.body) : worded.body}\n`);
  }
  return EXIT.ok;
};
