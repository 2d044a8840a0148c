/**
 * Mail came into the mailbox of an agent that runs in a terminal: one short notice is typed between turns, never what the
 * mail says. One that waits already is enough. Asked for only where the setting `mailbox.notify` is on.
 */
import { enqueue, hopsOf } from "./accept.js";
import { MAX_HOPS } from "./limits.js";
import type { Input } from "./protocol.js";
import { type Step, terminalOf } from "./step.js";
import { MAIL_HEADER } from "./text.js";

export const acceptMail = (
  step: Step,
  { delivery, terminal, from, sender }: Extract<Input, { kind: "mailCame" }>,
): void => {
  const target = terminalOf(step, terminal);
  if (step.draft.stopped !== null || target === undefined || target.exit !== null) return;
  if (target.traits.level === "not a peer" || sender === terminal) return;
  const waits = target.queue.some((id) => step.draft.deliveries.get(id)?.from.kind === "mailbox");
  if (waits) return;
  const speaker = sender === null ? null : (terminalOf(step, sender) ?? null);
  // Two agents that answer each other's mail at once are a circle of hand-offs as any other (DECISIONS A6).
  const hops = speaker === null ? 0 : hopsOf(speaker, { kind: "terminal", id: speaker.id });
  if (hops >= MAX_HOPS) return;
  const text = `New mail from ${from}. Read it with get_mailbox.`;
  const draft = {
    id: delivery,
    form: "notice" as const,
    broadcast: null,
    from: { kind: "mailbox" as const },
    text,
    typed: MAIL_HEADER + text,
    hops,
    wantsReply: false,
  };
  enqueue(step, target, draft, false, []);
};
