/**
 * The mailbox on the screen: which agents and threads were read last, which thread is chosen or open, and the steps between.
 * Looking marks nothing and stamps nobody. Pure; what is read comes in as an event.
 */
import type { DeskAnswers } from "../mailbox/rules/desk.js";
import { clamp, type Step, type Ui } from "./ui.js";

export type MailSeen = {
  readonly agents: DeskAnswers["agents"]["agents"];
  readonly threads: DeskAnswers["threads"]["threads"];
};

export type MailOverlay = {
  readonly kind: "mailbox";
  /** null: not read yet. */
  readonly seen: MailSeen | null;
  /** Why it could not be read. */
  readonly fault: string | null;
  /** Thread id; null: the one with the newest message. */
  readonly chosen: string | null;
  /** The thread that is shown whole. */
  readonly open: DeskAnswers["read"] | null;
  readonly scroll: number;
};

export type MailEvent =
  | { readonly kind: "mailboxRead"; readonly seen: MailSeen }
  | { readonly kind: "threadRead"; readonly thread: DeskAnswers["read"] }
  | { readonly kind: "mailboxFailed"; readonly why: string };

export type MailRequest =
  | { readonly kind: "readMailbox" }
  /** `id`: a thread. */
  | { readonly kind: "readThread"; readonly id: string };

const closed: MailOverlay = { kind: "mailbox", seen: null, fault: null, chosen: null, open: null, scroll: 0 };

export const showMailbox = (ui: Ui): Step => ({
  ui: { ...ui, notice: null, overlay: closed },
  requests: [{ kind: "readMailbox" }],
});

/** Row of the chosen thread; 0 when it is not there any more. */
export const chosenThread = ({ seen, chosen }: MailOverlay): number =>
  Math.max(0, seen?.threads.findIndex(({ threadId }) => threadId === chosen) ?? 0);

/** @param end how far the open thread scrolls. */
export const moveInMailbox = (mail: MailOverlay, by: number, end: number): MailOverlay => {
  if (mail.open !== null) return { ...mail, scroll: clamp(Math.min(mail.scroll, end) + by, end) };
  const threads = mail.seen?.threads ?? [];
  const to = clamp(chosenThread(mail) + by, threads.length - 1);
  return { ...mail, chosen: to === 0 ? null : (threads[to]?.threadId ?? null) };
};

export const showThread = (ui: Ui, mail: MailOverlay): Step => {
  const thread = mail.open === null ? mail.seen?.threads[chosenThread(mail)] : undefined;
  return { ui, requests: thread === undefined ? [] : [{ kind: "readThread", id: thread.threadId }] };
};

/** What can change of a thread: messages come, and are marked. */
const stateOf = ({ threadId, messageCount, messages }: DeskAnswers["read"]): string =>
  [threadId, messageCount, ...messages.map(({ readAt, ackAt }) => `${readAt} ${ackAt}`)].join("\n");

export const takeMail = (ui: Ui, event: MailEvent): Ui => {
  // What was read after the view was left is for nobody.
  if (ui.overlay.kind !== "mailbox") return ui;
  switch (event.kind) {
    case "mailboxRead":
      return { ...ui, overlay: { ...ui.overlay, seen: event.seen, fault: null } };
    case "threadRead": {
      const { open, scroll } = ui.overlay;
      // The same value again is not wrapped again.
      if (open !== null && stateOf(open) === stateOf(event.thread)) return ui;
      const isSame = open?.threadId === event.thread.threadId;
      return { ...ui, overlay: { ...ui.overlay, open: event.thread, scroll: isSame ? scroll : 0 } };
    }
    case "mailboxFailed":
      return { ...ui, overlay: { ...ui.overlay, fault: event.why } };
  }
};

/** From an open thread to the list, and from there to what was before. */
export const leaveMailbox = (ui: Ui, mail: MailOverlay): Ui =>
  mail.open === null ? { ...ui, overlay: { kind: "none" } } : { ...ui, overlay: { ...mail, open: null, scroll: 0 } };
