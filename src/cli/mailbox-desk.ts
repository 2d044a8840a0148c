/** The mailbox as a verb reaches it: its file, or the desk that answers, which is the engine's when one runs. */
import type { DeskAnswers, DeskAsk, DeskCaller } from "../mailbox/rules/desk.js";
import { wordMailboxRefusal } from "../mailbox/rules/refusal.js";
import type { Cli, OpenedMailbox } from "./cli.js";
import { ask, callerFor, reach, requireEngine, withEngine } from "./connect.js";
import { refused } from "./errors-to-exit.js";
import { insideOf } from "./inside.js";

/** Runs the work on the mailbox's file and closes it, whatever comes. */
export const withMailbox = async <T>(cli: Cli, work: (file: OpenedMailbox) => Promise<T> | T): Promise<T> => {
  const file = await cli.doors.openMailbox(cli.env);
  try {
    return await work(file);
  } finally {
    file.close();
  }
};

type Whose = { readonly as?: string; readonly account?: string };
type Asked = <A extends DeskAsk>(what: A) => Promise<DeskAnswers[A["kind"]]>;

/** Runs the work on the engine's desk, or on the file's when no engine runs. Inside a terminal only the engine knows who asks. */
export const atDesk = async <T>(cli: Cli, whose: Whose, work: (asked: Asked) => Promise<T>): Promise<T> => {
  const [account, as] = [whose.account ?? null, whose.as ?? null];
  const reached = insideOf(cli.env) === null ? await reach(cli) : await requireEngine(cli);
  if (reached !== null) {
    const caller = await callerFor(cli, reached, { as: null, project: null });
    return await withEngine(reached, (client) =>
      work(async <A extends DeskAsk>(what: A) => {
        const { answer } = await ask(client, { kind: "mailbox", caller, account, as, ask: what });
        return answer as DeskAnswers[A["kind"]];
      }),
    );
  }
  return await withMailbox(cli, async (file) => {
    const person: DeskCaller = { account, as, terminal: null };
    return await work(async <A extends DeskAsk>(what: A) => {
      const answer = await file.desk(person, what);
      if (!answer.ok) throw refused(wordMailboxRefusal(answer.refusal));
      return answer.value as DeskAnswers[A["kind"]];
    });
  });
};
