/**
 * The tables of the mailbox, in a file of their own beside the journal. The counters (agent.unread, agent.sessions, tally,
 * thread.messages) are kept in the same transaction as what they count; upkeep.ts counts them anew.
 */
export const MAILBOX_STEPS: readonly string[] = [
  `CREATE TABLE account (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL);
   CREATE TABLE account_key (id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES account(id), label TEXT, hash TEXT NOT NULL UNIQUE,
     created_at INTEGER NOT NULL, used_at INTEGER, revoked_at INTEGER);
   CREATE TABLE agent (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL REFERENCES account(id),
     name TEXT NOT NULL, description TEXT, kind TEXT, terminal TEXT, registered_at INTEGER NOT NULL, active_at INTEGER NOT NULL,
     unread INTEGER NOT NULL DEFAULT 0, sessions INTEGER NOT NULL DEFAULT 0, UNIQUE (account, name));
   CREATE TABLE session (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, agent INTEGER NOT NULL REFERENCES agent(seq), label TEXT,
     started_at INTEGER NOT NULL, active_at INTEGER NOT NULL);
   CREATE INDEX session_of_agent ON session (agent, active_at);
   CREATE TABLE binding (holder TEXT PRIMARY KEY, agent INTEGER NOT NULL, session INTEGER NOT NULL, bound_at INTEGER NOT NULL);
   CREATE TABLE thread (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL REFERENCES account(id), subject TEXT,
     started_at INTEGER NOT NULL, last_at INTEGER NOT NULL, messages INTEGER NOT NULL DEFAULT 0);
   CREATE INDEX thread_by_age ON thread (account, last_at);
   CREATE TABLE message (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, thread INTEGER NOT NULL REFERENCES thread(seq), reply_to TEXT,
     sender INTEGER NOT NULL REFERENCES agent(seq), recipient INTEGER NOT NULL REFERENCES agent(seq), content TEXT NOT NULL,
     metadata TEXT, scan_id TEXT, sent_at INTEGER NOT NULL, read_at INTEGER, ack_at INTEGER);
   CREATE INDEX message_inbox ON message (recipient, seq);
   CREATE INDEX message_unread ON message (recipient, seq) WHERE read_at IS NULL;
   CREATE INDEX message_in_thread ON message (thread, sent_at);
   CREATE TABLE tally (recipient INTEGER NOT NULL, sender INTEGER NOT NULL, total INTEGER NOT NULL, unread INTEGER NOT NULL,
     PRIMARY KEY (recipient, sender)) WITHOUT ROWID;`,
];
