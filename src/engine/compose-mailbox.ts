/** The mailbox's file as the command line opens it beside an engine, or without one. It starts nothing. */
import { systemClock } from "../lib/clock.js";
import { statePaths } from "../lib/paths.js";
import { type Mailbox, openMailbox } from "../mailbox/edge/mailbox.js";

export type MailboxFile = Mailbox;

/** To be closed. Throws QuayError `store-unreadable`, `store-too-new`, `folder-unusable`. */
export const openMailboxFile = (env: NodeJS.ProcessEnv): MailboxFile => {
  const clock = systemClock();
  return openMailbox(statePaths(env).mailbox, () => clock.now());
};
