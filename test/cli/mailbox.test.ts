/** `quay mailbox` on a real mailbox file, with no engine beside it. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openMailboxFile } from "../../src/engine/compose-mailbox.js";
import { openDatabase } from "../../src/store/database.js";
import { doorsWith, type Outside, run } from "../support/fake-cli.js";
import { tempFolder } from "../support/temp-folder.js";
import { verifies } from "../support/verifies.js";

const HOUR = 3_600_000;

const openPlace = () => {
  const home = tempFolder();
  const place = {
    kind: "read",
    settings: { adapters: {}, port: null, mailbox: { notify: false } },
    port: 47_100,
  } as const;
  const doors = doorsWith(null, {
    openMailbox: async () => openMailboxFile({ QUAY_HOME: home }),
    readPlace: async () => place,
  });
  const quay = async (args: readonly string[], outside: Outside = {}) => run(["mailbox", ...args], doors, outside);
  const json = async (...args: readonly string[]) => JSON.parse((await quay([...args, "--json"])).out);
  return { path: join(home, "mailbox.db"), quay, json };
};

/** Two agents that people wrote as, and a thread between them. */
const openMail = async () => {
  const place = openPlace();
  await place.quay(["send", "lead", "nobody is here yet", "--as", "lead"]);
  await place.quay(["send", "worker", "x", "--as", "worker"]);
  const text = "Enumerate \u001b[2Jhosts\nand probe them";
  const sent = await place.json("send", "worker", text, "--as", "lead", "--subject", "Map\u0007 it");
  return { ...place, sent };
};

describe("reading and writing", () => {
  verifies(
    "mailbox:cli:send",
    "a message needs a registered agent; the writer is person unless another is named",
    async () => {
      const { quay, json } = openPlace();
      expect(await quay(["send", "worker", "hello"])).toMatchObject({
        code: 1,
        err: "quay: Not found: your account has no such agent (to).\n",
      });
      expect((await json("ls")).agents.map(({ name }: { name: string }) => name)).toEqual(["person"]);
      const self = await quay(["send", "person", "-", "--subject", "note"], { input: "from stdin\n" });
      expect(self).toMatchObject({ code: 0, out: expect.stringMatching(/^Stored for person: msg_\w+\n$/) });
      expect((await json("ls", "person")).messages).toMatchObject([{ content: "from stdin", subject: "note" }]);
      expect((await quay(["send", "person", "x", "--subject", "a\nb"])).err).toContain("subject must be one line");
    },
  );

  verifies(["mailbox:cli:read", "mailbox:cli:send"], "ls, read and a reply show what is there, inert", async () => {
    const { quay, json, sent } = await openMail();
    const listed = await quay(["ls"]);
    expect(listed.out).toMatch(/^AGENT +SEEN +UNREAD/);
    expect(listed.out).toMatch(/\nworker +active +2 +1 +person/);
    expect(listed.out).toMatch(/\nlead > worker +1 +1 +0s ago +thr_\w+ +Map␇ it\n/);
    const mail = await quay(["ls", "worker"]);
    expect(mail.out).toMatch(new RegExp(`\\nlead +unread +0s ago +${sent.messageId} +Map␇ it\\n`));
    expect(mail.out).toContain("2 messages, 2 unread.\n");
    const replied = await json("send", sent.messageId, "Twelve.", "--reply", "--as", "worker");
    expect(replied.threadId).toBe(sent.threadId);
    for (const id of [sent.threadId, sent.messageId, replied.messageId]) {
      const { out } = await quay(["read", id]);
      expect(out).toContain(`Map␇ it  (${sent.threadId})\n`);
      expect(out).toContain("  Enumerate ␛[2Jhosts\n  and probe them\n");
      expect(out).toContain("  Twelve.\n");
    }
    expect((await json("ls", "worker", "--unread")).unread).toBe(2);
    expect((await json("ls", "worker", "--limit", "1")).messages).toHaveLength(1);
    const marked = await quay(["read", sent.messageId, "--mark", "ack", "--as", "worker"]);
    expect([marked.code, marked.err]).toEqual([0, `${sent.messageId}: ack\n`]);
    expect(await quay(["read", sent.messageId, "--mark", "read", "--as", "lead"])).toMatchObject({ code: 1 });
    expect((await json("ls", "worker", "--unread")).unread).toBe(1);
    expect(await quay(["ls", "worker", "--unread"])).not.toContain(sent.messageId);
    expect((await quay(["read", sent.messageId, "--mark", "unread"])).code).toBe(2);
    expect((await quay(["ls", "worker", "--limit", "0"])).code).toBe(2);
  });

  test("looking stamps nobody, and what is of another account is not found", async () => {
    const { quay, json, path, sent } = await openMail();
    const database = openDatabase(path, "write");
    database.exec("UPDATE agent SET active_at = 1000");
    await quay(["ls"]);
    await quay(["ls", "worker"]);
    await quay(["read", sent.messageId]);
    expect(database.prepare("SELECT max(active_at) AS at FROM agent").get()).toEqual({ at: 1000 });
    database.close();
    await quay(["account", "add", "acme"]);
    for (const id of [sent.messageId, sent.threadId])
      expect((await quay(["read", id, "--account", "acme"])).err).toContain("Not found");
    expect((await quay(["ls", "worker", "--account", "acme"])).err).toContain("Not found");
    expect((await json("ls", "--account", "acme")).agents).toEqual([]);
    expect((await quay(["ls", "--account", "nope"])).err).toContain("quay mailbox account add nope");
  });
});

verifies("mailbox:cli:key", "a key is printed alone and once; list shows none of it; revoke ends it", async () => {
  const { quay, json } = openPlace();
  await quay(["account", "add", "Acme Corp"]);
  expect((await quay(["account", "add", "acme-corp"])).err).toContain("already");
  expect((await quay(["account", "list"])).out).toBe("machine\nacme-corp\n");
  const made = await quay(["key", "new", "--account", "acme-corp", "--label", "ci"]);
  expect(made.out).toMatch(/^quaymb_[\w-]{43}\n$/);
  const [key] = await json("key", "list");
  expect(made.err).toContain(key.id);
  expect(key).toMatchObject({ account: "acme-corp", label: "ci", usedAt: null, revokedAt: null });
  const listed = await quay(["key", "list"]);
  expect(listed.out).toContain(key.id);
  expect(listed.out + JSON.stringify(key)).not.toContain(made.out.trim());
  expect((await quay(["key", "revoke", key.id])).out).toContain("Revoked");
  expect((await json("key", "list"))[0].revokedAt).toEqual(expect.any(Number));
  expect((await quay(["key", "revoke", "key_none"])).err).toContain("There is no key 'key_none'");
  expect((await quay(["key", "new", "--account", "none"])).code).toBe(1);
});

verifies("mailbox:cli:prune", "says first what would go, and deletes only when told to", async () => {
  const { quay, json, path, sent } = await openMail();
  const database = openDatabase(path, "write");
  database.exec(
    `UPDATE thread SET last_at = last_at - ${48 * HOUR}; UPDATE message SET sent_at = sent_at - ${48 * HOUR}`,
  );
  database.close();
  expect((await quay(["prune", "--older-than", "3d", "--yes"])).out).toBe("No thread is that old.\n");
  const now = () => Date.now();
  const what = "3 threads with 3 messages, 3 of them unread";
  expect(await quay(["prune", "--older-than", "1d"], { now })).toMatchObject({
    code: 2,
    err: `quay: This would delete ${what}. Pass --yes to do it.\n`,
  });
  const asked = await quay(["prune", "--older-than", "1d"], { now, inputIsTerminal: true, answer: "n" });
  expect(asked).toMatchObject({ code: 1, out: "Nothing was deleted.\n", questions: [`Delete ${what}? [y/N] `] });
  expect((await quay(["read", sent.threadId])).code).toBe(0);
  expect((await quay(["prune", "--older-than", "1d", "-y"], { now })).out).toBe(`Deleted ${what}.\n`);
  expect((await json("ls")).threads).toEqual([]);
  expect((await quay(["check"])).out).toBe("All counters are right.\n");
  for (const bad of ["0d", "30", "1y", "-1d", "d"]) expect((await quay(["prune", "--older-than", bad])).code).toBe(2);
  expect((await quay(["prune"])).code).toBe(2);
});

verifies("mailbox:cli:check", "names each wrong counter, and puts it right with --fix", async () => {
  const { quay, path } = await openMail();
  const database = openDatabase(path, "write");
  database.exec("UPDATE agent SET unread = 9 WHERE name = 'worker'");
  database.close();
  expect(await quay(["check"])).toMatchObject({ code: 1, out: "unread, worker: kept 9, counted 2\n" });
  expect(await quay(["check", "--fix"])).toMatchObject({ code: 0, out: expect.stringContaining("right now") });
  expect(await quay(["check"])).toMatchObject({ code: 0, out: "All counters are right.\n" });
});

verifies("mailbox:cli:connect", "each client's lines name the address and the variable, and hold no key", async () => {
  const { quay } = openPlace();
  await quay(["key", "new"]);
  for (const client of ["claude", "codex", "opencode", "cursor"]) {
    const { code, out } = await quay(["connect", client]);
    expect([client, code]).toEqual([client, 0]);
    expect(out).toContain("http://127.0.0.1:47100/mcp");
    expect(out).toContain("export QUAY_MAILBOX_KEY=KEY");
    expect(out).not.toContain("quaymb_");
  }
  expect((await quay(["connect", "emacs"])).code).toBe(2);
  expect((await quay(["connect", "claude", "--account", "none"])).code).toBe(1);
});

verifies("mailbox:cli:inside", "inside a terminal the verbs for people are refused, with what to do", async () => {
  const { quay } = openPlace();
  const env = { QUAY_TERMINAL_ID: "term-a1", QUAY_TOKEN: "own", QUAY_MCP_URL: "http://127.0.0.1:4100/mcp" };
  const verbs = [
    ["account", "add", "x"],
    ["account", "list"],
    ["key", "new"],
    ["key", "list"],
    ["key", "revoke", "k"],
    ["check"],
    ["prune", "--older-than", "1d"],
    ["connect", "claude"],
  ];
  for (const args of verbs) {
    const { code, err } = await quay(args, { env });
    expect([args, code, err]).toEqual([args, 1, expect.stringMatching(/^quay: quay mailbox .* is for people, and/)]);
  }
});
