/**
 * Accounts and their keys. A key is told once, when it is made, and stored as its hash. This machine's own account is there from
 * the start: Quay's terminals use it by their own tokens, and it can have keys as any other.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { QuayError } from "../../lib/errors.js";
import { randomIds } from "../../lib/ids.js";
import type { Database, Row } from "../../store/database.js";
import type { KeyHolder } from "../rules/door.js";
import { nameOf } from "../rules/name.js";
import { wordMailboxRefusal } from "../rules/refusal.js";
import { numberOrNull, textOrNull } from "./agents.js";
import { madeId } from "./made-ids.js";

export const MACHINE_ACCOUNT = "machine";
/** What a key begins with, so that a person, and a scan for leaked secrets, can tell what it is. */
export const KEY_PREFIX = "quaymb_";
/** `used_at` is written at most once in this time, in ms. */
const USED_EVERY_MS = 60_000;

export type Account = { readonly id: string; readonly name: string; readonly createdAt: number };
export type AccountKey = {
  readonly id: string;
  readonly account: string;
  readonly label: string | null;
  readonly createdAt: number;
  readonly usedAt: number | null;
  readonly revokedAt: number | null;
};

const hashOf = (key: string): string => createHash("sha256").update(key).digest("hex");

const readAccount = (row: Row): Account => ({
  id: String(row.id),
  name: String(row.name),
  createdAt: Number(row.created_at),
});

const readKey = (row: Row): AccountKey => ({
  id: String(row.id),
  account: String(row.account_name),
  label: textOrNull(row.label),
  createdAt: Number(row.created_at),
  usedAt: numberOrNull(row.used_at),
  revokedAt: numberOrNull(row.revoked_at),
});

export type Accounts = ReturnType<typeof openAccounts>;

export const openAccounts = (database: Database, now: () => number) => {
  const byName = database.prepare("SELECT * FROM account WHERE name = ?");
  const all = database.prepare("SELECT * FROM account ORDER BY created_at, name");
  const insert = database.prepare("INSERT INTO account (id, name, created_at) VALUES (?, ?, ?) RETURNING *");
  const insertKey = database.prepare(
    "INSERT INTO account_key (id, account, label, hash, created_at) VALUES (?, ?, ?, ?, ?)",
  );
  const keys = database.prepare(
    "SELECT k.*, a.name AS account_name FROM account_key k JOIN account a ON a.id = k.account ORDER BY k.created_at, k.id",
  );
  const byHash = database.prepare(
    "SELECT id, account, hash, used_at FROM account_key WHERE hash = ? AND revoked_at IS NULL",
  );
  const use = database.prepare("UPDATE account_key SET used_at = ? WHERE id = ?");
  const revoke = database.prepare("UPDATE account_key SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?");

  const named = (name: string): Account => {
    const row = byName.get(name);
    if (row !== null) return readAccount(row);
    throw new QuayError(
      "unknown-account",
      `There is no mailbox account '${name}'. Add it with: quay mailbox account add ${name}`,
    );
  };

  return {
    /** Throws QuayError `unknown-account`. */
    named,
    list: (): readonly Account[] => all.all().map(readAccount),
    /** Throws QuayError `account-exists` or `bad-name`. */
    add: (given: string): Account => {
      const name = nameOf(given);
      if (!name.ok) throw new QuayError("bad-name", wordMailboxRefusal(name.refusal));
      return database.transaction(() => {
        if (byName.get(name.value) !== null)
          throw new QuayError("account-exists", `There is a mailbox account '${name.value}' already.`);
        return readAccount(insert.get(madeId("acc", now()), name.value, now())!);
      });
    },
    /** The machine's own account, made at the first opening. */
    machine: (): Account =>
      database.transaction(() => {
        const row = byName.get(MACHINE_ACCOUNT);
        return readAccount(row ?? insert.get(madeId("acc", now()), MACHINE_ACCOUNT, now())!);
      }),

    /** The only time that the key itself is told. Throws QuayError `unknown-account`. */
    newKey: (account: string, label: string | null): { readonly id: string; readonly key: string } => {
      const owner = named(account);
      const key = KEY_PREFIX + randomIds().secret();
      const id = madeId("key", now());
      insertKey.run(id, owner.id, label, hashOf(key), now());
      return { id, key };
    },
    keys: (): readonly AccountKey[] => keys.all().map(readKey),
    /** It works no more, from the next request on. Throws QuayError `unknown-key`. */
    revokeKey: (id: string): AccountKey => {
      revoke.run(now(), id);
      const found = keys
        .all()
        .map(readKey)
        .find((key) => key.id === id);
      if (found === undefined)
        throw new QuayError("unknown-key", `There is no key '${id}'. \`quay mailbox key list\` lists them.`);
      return found;
    },
    /** `stamp` writes when it was last used; null: nobody's key, or a revoked one. */
    holderOf: (key: string, stamp: (body: () => void) => void): KeyHolder | null => {
      if (!key.startsWith(KEY_PREFIX)) return null;
      const hash = hashOf(key);
      const row = byHash.get(hash);
      if (row === null || !timingSafeEqual(Buffer.from(String(row.hash)), Buffer.from(hash))) return null;
      const id = String(row.id);
      if (now() - Number(row.used_at ?? 0) >= USED_EVERY_MS) stamp(() => use.run(now(), id));
      return { account: String(row.account), key: id };
    },
  };
};
