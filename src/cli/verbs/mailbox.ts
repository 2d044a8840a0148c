/**
 * `quay mailbox ls`, `read`, `send` and `mark`: the mailbox for people, and for the terminal in whose shell they run. They ask the
 * engine when one runs, so that it sees what is sent; else the file.
 */
import { type Command, InvalidArgumentError } from "commander";
import type { MarkStatus } from "../../mailbox/rules/thread.js";
import { type Cli, EXIT, type ExitCode } from "../cli.js";
import { refused } from "../errors-to-exit.js";
import { atDesk } from "../mailbox-desk.js";
import { wordMail, wordMailboxAgents, wordMarks, wordThread } from "../mailbox-output.js";
import { columnsOf, jsonBlock } from "../output.js";
import { type Act, examples } from "../verb.js";
import { addAccounts, addCheck, addConnect, addPrune } from "./mailbox-account.js";
import { messageText } from "./send.js";

type Whose = { readonly as?: string; readonly account?: string; readonly json?: boolean };
type LsOptions = Whose & { readonly unread?: boolean; readonly limit?: number };
type SendOptions = Whose & { readonly subject?: string; readonly reply?: boolean };
type ReadOptions = Whose & { readonly mark?: MarkStatus };

/** Threads that `ls` shows below the agents. */
const RECENT = 10;

const ACCOUNT = ["--account <name>", "another account than this machine's own"] as const;
const AS = ["--as <name>", "the agent that writes; default: person"] as const;

export const addMailbox = (program: Command, act: Act): void => {
  const mailbox = program
    .command("mailbox")
    .summary("stored messages between agents")
    .description(
      "Stored messages between agents, in threads. Agents use them by tools; here a person reads and writes them, and lets clients outside Quay in. Needs no engine.",
    );
  addLs(mailbox, act);
  addRead(mailbox, act);
  addSend(mailbox, act);
  addConnect(mailbox, act);
  addAccounts(mailbox, act);
  addCheck(mailbox, act);
  addPrune(mailbox, act);
};

const addLs = (mailbox: Command, act: Act): void => {
  mailbox
    .command("ls")
    .summary("list agents and threads, or one agent's messages")
    .description(
      "List the agents with what they have unread, and the newest threads; with AGENT its messages, newest first. Looking marks nothing.",
    )
    .argument("[agent]", "its name or id")
    .option("--unread", "only messages that are not marked read")
    .option("--limit <count>", "how many messages, at most 100; default: 20", whole)
    .option(...ACCOUNT)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      examples(
        ["quay mailbox ls", "who is there, and who has mail"],
        ["quay mailbox ls worker --unread", "what worker has not read"],
      ),
    )
    .action(async (agent: string | undefined, options: LsOptions) => {
      await act((cli) => ls(cli, agent ?? null, options));
    });
};

const addRead = (mailbox: Command, act: Act): void => {
  mailbox
    .command("read")
    .summary("show a thread in full")
    .description(
      "Show a thread, by its id or a message's. With --mark the message that was named moves on, if it is to you.",
    )
    .argument("<id>", "a thread's or a message's id")
    .option("--mark <state>", "mark the message read or ack", markStatus)
    .option(...AS)
    .option(...ACCOUNT)
    .option("--json", "print JSON")
    .addHelpText("after", examples(["quay mailbox read msg_0a1b2c", "show the thread of this message"]))
    .action(async (id: string, options: ReadOptions) => {
      await act((cli) => read(cli, id, options));
    });
};

const addSend = (mailbox: Command, act: Act): void => {
  mailbox
    .command("send")
    .summary("store a message for an agent, or answer one")
    .description(
      "Store a message for an agent, which finds it when it reads its mailbox. With --reply, TO is a message, and the answer goes into its thread.",
    )
    .argument("<to>", "the agent's name or id; with --reply a message's id")
    .argument("<message>", "the text; - reads it from stdin")
    .option("--subject <line>", "one line, at most 200 characters")
    .option("--reply", "answer the message TO")
    .option(...AS)
    .option(...ACCOUNT)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      examples(
        ["quay mailbox send worker 'Map the hosts.' --subject 'Map acme'", "begin a thread"],
        ["quay mailbox send msg_0a1b2c 'Twelve.' --reply", "answer in the thread"],
      ),
    )
    .action(async (to: string, message: string, options: SendOptions) => {
      await act((cli) => send(cli, to, message, options));
    });
};

const whole = (text: string): number => {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError("It must be a whole number of at least 1.");
  return count;
};

const markStatus = (text: string): MarkStatus => {
  if (text === "read" || text === "ack") return text;
  throw new InvalidArgumentError("It must be read or ack.");
};

const ls = (cli: Cli, agent: string | null, options: LsOptions): Promise<ExitCode> =>
  atDesk(cli, options, async (asked) => {
    const columns = columnsOf(cli.out);
    if (agent === null) {
      const agents = await asked({ kind: "agents" });
      const { threads } = await asked({ kind: "threads", limit: RECENT });
      cli.out.write(
        options.json === true
          ? jsonBlock({ ...agents, threads })
          : wordMailboxAgents(agents, threads, cli.now(), columns),
      );
      return EXIT.ok;
    }
    const mail = await asked({
      kind: "mail",
      agent,
      unreadOnly: options.unread === true,
      limit: options.limit ?? null,
    });
    cli.out.write(options.json === true ? jsonBlock(mail) : wordMail(mail, cli.now(), columns));
    return EXIT.ok;
  });

const read = (cli: Cli, id: string, options: ReadOptions): Promise<ExitCode> =>
  atDesk(cli, options, async (asked) => {
    const marked = options.mark === undefined ? null : await asked({ kind: "mark", ids: [id], status: options.mark });
    const thread = await asked({ kind: "read", id });
    cli.out.write(options.json === true ? jsonBlock(thread) : wordThread(thread));
    if (marked === null) return EXIT.ok;
    cli.err.write(wordMarks(marked.messages));
    return marked.messages.some((result) => "error" in result) ? EXIT.failed : EXIT.ok;
  });

const send = async (cli: Cli, to: string, given: string, options: SendOptions): Promise<ExitCode> => {
  const content = await messageText(cli, given);
  const isReply = options.reply === true;
  if (isReply && options.subject !== undefined) throw refused("A reply has its thread's subject: leave --subject out.");
  return await atDesk(cli, options, async (asked) => {
    const sent = isReply
      ? await asked({ kind: "reply", replyTo: to, content })
      : await asked({ kind: "send", to, content, subject: options.subject ?? null });
    cli.out.write(options.json === true ? jsonBlock(sent) : `Stored for ${sent.to.name}: ${sent.messageId}\n`);
    return EXIT.ok;
  });
};
