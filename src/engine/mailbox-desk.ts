/** The command `mailbox` of the engine's client: who asks becomes the desk's caller, and a refusal a plain failure. */
import { wordRefusal } from "../bus/refusal.js";
import type { DeskAnswer, DeskAsk, DeskCaller } from "../mailbox/rules/desk.js";
import { type Checked, wordMailboxRefusal } from "../mailbox/rules/refusal.js";
import type { Answer, Command } from "./client.js";
import type { Engine } from "./engine.js";

/** The desk on the mailbox's store (mailbox/edge/desk.ts). */
export type MailboxDesk = (caller: DeskCaller, ask: DeskAsk) => Promise<Checked<DeskAnswer>>;

export const askDesk = async (
  desk: MailboxDesk,
  engine: Engine,
  { caller, account, as, ask }: Extract<Command, { kind: "mailbox" }>,
): Promise<Answer<"mailbox">> => {
  const terminal = caller.kind === "terminal" ? (engine.state().terminals.get(caller.id) ?? null) : null;
  if (caller.kind === "terminal" && terminal === null) {
    return { ok: false, code: "callerExited", message: wordRefusal({ kind: "callerExited" }) };
  }
  const answered = await desk({ account, as, terminal }, ask);
  return answered.ok
    ? { ok: true, answer: answered.value }
    : { ok: false, code: answered.refusal.kind, message: wordMailboxRefusal(answered.refusal) };
};
