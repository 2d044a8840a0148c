/**
 * The mailbox of one state folder, opened on its file. Several processes may have it open: the engine for its callers, and a
 * command line for its person. A message is on disk before its sender is told of it.
 */
import { dirname } from "node:path";
import { privateFolder } from "../../lib/private-files.js";
import { openDatabase } from "../../store/database.js";
import { migrateBy } from "../../store/migrations.js";
import type { MailboxCall, MailboxCaller } from "../rules/calls.js";
import type { MailboxDoor } from "../rules/door.js";
import type { Checked } from "../rules/refusal.js";
import type { MailboxAnswers } from "../rules/views.js";
import { type Accounts, openAccounts } from "./accounts.js";
import { openAgents } from "./agents.js";
import { createAnswerer, isWrite, type Mail } from "./answer.js";
import { type Desk, openDesk } from "./desk.js";
import { openMessages } from "./messages.js";
import { MAILBOX_STEPS } from "./schema.js";
import { openUpkeep, type Upkeep } from "./upkeep.js";
import { createWriter } from "./writer.js";

/** A connection that did nothing for this long is not remembered, in ms. */
const FORGET_BINDINGS_MS = 30 * 24 * 60 * 60_000;

export type Mailbox = MailboxDoor & {
  readonly accounts: Accounts;
  readonly upkeep: Upkeep;
  readonly desk: Desk;
  /** Called after a message became durable; returns the way to stop it. */
  onMail(listener: (mail: Mail) => void): () => void;
  /** Commits what waits, and lets go of the file. */
  close(): void;
};

/**
 * Makes folder and file when they are not there, private from the first byte.
 * Throws QuayError `store-unreadable`, `store-too-new`, `folder-unusable`.
 */
export const openMailbox = (path: string, now: () => number): Mailbox => {
  privateFolder(dirname(path));
  const database = openDatabase(path, "write");
  try {
    migrateBy(database, MAILBOX_STEPS, "The mailbox");
    const accounts = openAccounts(database, now);
    const machine = accounts.machine().id;
    database.prepare("DELETE FROM binding WHERE bound_at < ?").run(now() - FORGET_BINDINGS_MS);
    const writer = createWriter(database);
    const listeners = new Set<(mail: Mail) => void>();
    const [agents, messages] = [openAgents(database), openMessages(database)];
    const answer = createAnswerer({ agents, messages, now });

    const call = async (caller: MailboxCaller, asked: MailboxCall): Promise<Checked<unknown>> => {
      if (!isWrite(asked)) return answer(caller, asked, writer.stamp).answer;
      const { answer: given, mail } = await writer.write(() => answer(caller, asked, (body) => body()));
      if (mail !== null) for (const listener of [...listeners]) listener(mail);
      return given;
    };

    const door: Pick<MailboxDoor, "machine" | "call"> = {
      machine,
      call: async <C extends MailboxCall>(caller: MailboxCaller, asked: C) =>
        (await call(caller, asked)) as Checked<MailboxAnswers[C["kind"]]>,
    };

    return {
      ...door,
      accounts,
      desk: openDesk({ accounts, agents, messages, door, now }),
      upkeep: openUpkeep(database),
      holderOf: (key) => accounts.holderOf(key, writer.stamp),
      onMail: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      close: () => {
        writer.flush();
        database.close();
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
};
