/** Reads what the mailbox view shows, as the person at the keyboard: the account of this machine, without a stamp or a mark. */

import type { EngineClient } from "../engine/client.js";
import { messageOf } from "../lib/errors.js";
import type { DeskAnswers, DeskAsk } from "../mailbox/rules/desk.js";
import type { MailEvent, MailRequest } from "./ui-mailbox.js";

/** Threads in the list; older ones by `quay mailbox read`. */
const THREADS = 100;

const PERSON = { kind: "person", as: null, project: null } as const;

/** Never throws: what went wrong is an event, too. */
export const readMail = async (client: EngineClient, request: MailRequest): Promise<MailEvent> => {
  const ask = async <A extends DeskAsk>(what: A): Promise<DeskAnswers[A["kind"]]> => {
    const answer = await client.dispatch({ kind: "mailbox", caller: PERSON, account: null, as: null, ask: what });
    if (!answer.ok) throw new Error(answer.message);
    return answer.answer as DeskAnswers[A["kind"]];
  };
  try {
    if (request.kind === "readThread") {
      return { kind: "threadRead", thread: await ask({ kind: "read", id: request.id }) };
    }
    const { agents } = await ask({ kind: "agents" });
    const { threads } = await ask({ kind: "threads", limit: THREADS });
    return { kind: "mailboxRead", seen: { agents, threads } };
  } catch (error) {
    return { kind: "mailboxFailed", why: messageOf(error) };
  }
};
