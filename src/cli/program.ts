/**
 * The commander program: every verb, its flags, help and examples. Building it touches nothing; what a verb does begins
 * when its action is called with a Cli. The flags page of the docs is printed from it.
 */
import { Command, CommanderError, InvalidArgumentError } from "commander";
import type { Cli, ExitCode } from "./cli.js";
import { EXIT } from "./cli.js";
import { reportError, usageError } from "./errors-to-exit.js";
import { type Act, examples } from "./verb.js";
import { addAttach } from "./verbs/attach.js";
import { addBroadcast } from "./verbs/broadcast.js";
import { addCompletion } from "./verbs/completion.js";
import { addConfig } from "./verbs/config.js";
import { addDemo } from "./verbs/demo.js";
import { addDoctor } from "./verbs/doctor.js";
import { addDown } from "./verbs/down.js";
import { addDrill } from "./verbs/drill.js";
import { addExplain } from "./verbs/explain.js";
import { addLs } from "./verbs/ls.js";
import { addMailbox } from "./verbs/mailbox.js";
import { missionControl } from "./verbs/mission-control.js";
import { addNew } from "./verbs/new.js";
import { addPresets } from "./verbs/presets.js";
import { addSend } from "./verbs/send.js";
import { addServe } from "./verbs/serve.js";
import { addStatus } from "./verbs/status.js";
import { addStop } from "./verbs/stop.js";
import { addForget, addKill, addRelaunch } from "./verbs/terminal-verbs.js";
import { addTrail } from "./verbs/trail.js";
import { addUp } from "./verbs/up.js";

export type GlobalFlags = { readonly home: string | null; readonly socket: string | null };

type Outside = {
  readonly version: string;
  /** Cells that help is wrapped to. */
  readonly columns: number;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  readonly act: (flags: GlobalFlags, work: (cli: Cli) => Promise<ExitCode>) => Promise<void>;
};

export const EXIT_CODES_HELP = `Exit codes:
  0    done
  1    refused or failed; the reason is on stderr
  2    wrong usage of the command line
  3    no engine can be reached
  130  ended by Ctrl-C`;

const DESCRIPTION = `Quay: coding agents in tmux panes that message each other.
Without a verb: start Mission Control, or come back to it.`;

export const buildProgram = (outside: Outside): Command => {
  const program = new Command("quay");
  program
    .description(DESCRIPTION)
    .version(outside.version, "--version", "print the version")
    .option("--home <dir>", "folder of state and settings, as QUAY_HOME; default: the XDG folders", folderName)
    .option(
      "--socket <name>",
      "tmux server to use, as in tmux -L; default: a server of Quay's own, or the one you are in",
      socketName,
    )
    .configureHelp({ showGlobalOptions: true })
    .helpOption("-h, --help", "show this help")
    .helpCommand("help [verb]", "show the help of a verb")
    .addHelpText(
      "after",
      examples(
        ["quay", "start Mission Control, or come back to it"],
        ["quay demo", "watch two scripted agents hand work to each other"],
        ["quay up tdd-swarm", "launch a preset in this folder"],
      ),
    )
    .addHelpText("after", `\n${EXIT_CODES_HELP}`)
    .configureOutput({
      writeOut: outside.write,
      getOutHelpWidth: () => outside.columns,
      getErrHelpWidth: () => outside.columns,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      writeErr: outside.writeError,
      outputError: (text, write) => write(asOurs(text)),
    })
    .showHelpAfterError("(see quay --help, or quay VERB --help)")
    .showSuggestionAfterError(true)
    .allowExcessArguments(true)
    .exitOverride();

  const act: Act = async (work) => {
    const flags = program.opts<{ home?: string; socket?: string }>();
    await outside.act({ home: flags.home ?? null, socket: flags.socket ?? null }, work);
  };

  program.action(async (_options: unknown, command: Command) => {
    const [word] = command.args;
    if (word !== undefined)
      throw usageError(
        unknownVerb(
          word,
          program.commands.map((verb) => verb.name()),
        ),
      );
    await act(missionControl);
  });
  addServe(program, act);
  addUp(program, act);
  addNew(program, act);
  addLs(program, act);
  addStatus(program, act);
  addExplain(program, act);
  addSend(program, act);
  addBroadcast(program, act);
  addTrail(program, act);
  addMailbox(program, act);
  addAttach(program, act);
  addKill(program, act);
  addRelaunch(program, act);
  addForget(program, act);
  addStop(program, act);
  addDown(program, act);
  addPresets(program, act);
  addConfig(program, act);
  addDemo(program, act);
  addDoctor(program, act);
  addDrill(program, act);
  addCompletion(program, act);
  // A verb inherits the root's leave for a stray word, which is there to name an unknown verb.
  for (const verb of verbsBelow(program)) verb.allowExcessArguments(false);
  return program;
};

/** Verbs, and the verbs below them (`quay mailbox ls`). */
export const verbsBelow = (command: Command): readonly Command[] =>
  command.commands.flatMap((verb) => [verb, ...verbsBelow(verb)]);

const folderName = (text: string): string => {
  if (text === "") throw new InvalidArgumentError("It is empty; name a folder.");
  return text;
};

/** tmux makes a file of that name, so it must be one. */
const socketName = (text: string): string => {
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/u.test(text))
    throw new InvalidArgumentError("Use 1 to 64 of the characters A-Z a-z 0-9 _ . - (not a path).");
  return text;
};

/** Commander says `error: …`; every line of ours begins with the program's name. */
const asOurs = (text: string): string => text.replace(/^error: /u, "quay: ");

const unknownVerb = (word: string, verbs: readonly string[]): string => {
  const near = verbs.find((verb) => verb.startsWith(word) || word.startsWith(verb) || isOneSlipApart(word, verb));
  return `There is no verb '${word}'.${near === undefined ? "" : ` Did you mean '${near}'?`} See quay --help.`;
};

/** The same letters but for one that is missing, wrong, or swapped with its neighbour. */
const isOneSlipApart = (a: string, b: string): boolean => {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const restA = a.slice(start, a.length - end);
  const restB = b.slice(start, b.length - end);
  return (restA.length <= 1 && restB.length <= 1) || (restA.length === 2 && restA === [...restB].reverse().join(""));
};

/** Parses and runs; the exit code says how it went. `args` without program and script. */
export const runProgram = async (
  args: readonly string[],
  outside: Omit<Outside, "act"> & { readonly makeCli: (flags: GlobalFlags) => Cli },
): Promise<ExitCode> => {
  let code: ExitCode = EXIT.ok;
  const err = { write: outside.writeError, isTerminal: false, columns: 80, closed: new AbortController().signal };
  const program = buildProgram({
    ...outside,
    act: async (flags, work) => {
      code = await work(outside.makeCli(flags));
    },
  });
  try {
    await program.parseAsync([...args], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return reportError(error, err);
  }
};
