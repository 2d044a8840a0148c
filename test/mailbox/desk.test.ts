/** The desk: what a person sees, and what a terminal does as itself. */
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { openMailbox } from "../../src/mailbox/edge/mailbox.js";
import type { DeskAnswers, DeskAsk, DeskCaller } from "../../src/mailbox/rules/desk.js";
import { tempFolder } from "../support/temp-folder.js";
import { verifies } from "../support/verifies.js";

const person: DeskCaller = { account: null, as: null, terminal: null };
const inside = (name: string): DeskCaller => ({ account: null, as: null, terminal: { id: `term-${name}`, name } });

const openDesk = () => {
  const mailbox = openMailbox(join(tempFolder(), "mailbox.db"), () => Date.UTC(2026, 11, 1));
  onTestFinished(() => mailbox.close());
  const ask = async <A extends DeskAsk>(caller: DeskCaller, what: A): Promise<DeskAnswers[A["kind"]]> => {
    const answer = await mailbox.desk(caller, what);
    if (!answer.ok) throw new Error(`${answer.refusal.kind}: ${JSON.stringify(answer.refusal)}`);
    return answer.value as DeskAnswers[A["kind"]];
  };
  const send = (caller: DeskCaller, to: string, content = "x") =>
    ask(caller, { kind: "send", to, content, subject: null });
  const mail = (caller: DeskCaller, agent: string | null) =>
    ask(caller, { kind: "mail", agent, unreadOnly: false, limit: null });
  return { mailbox, ask, send, mail };
};

verifies(["mailbox:cli:inside", "mailbox:cli:send"], "a terminal writes as itself and sees its own alone", async () => {
  const { ask, send, mail } = openDesk();
  // Its first words register it under its terminal's name.
  await expect(send(inside("Worker One"), "person")).rejects.toThrow("notFound");
  await send(person, "person", "a note of the person's own");
  const sent = await send(inside("Worker One"), "person");
  await send(inside("other"), "worker-one");
  const theirs = await send(inside("other"), "other");

  expect((await mail(inside("Worker One"), null)).messages).toHaveLength(1);
  expect(await mail(inside("Worker One"), "worker-one")).toEqual(await mail(inside("Worker One"), null));
  for (const agent of ["person", "other"]) await expect(mail(inside("Worker One"), agent)).rejects.toThrow("notFound");
  await expect(mail(inside("new"), null)).rejects.toThrow("notFound");
  for (const id of [theirs.threadId, theirs.messageId])
    await expect(ask(inside("Worker One"), { kind: "read", id })).rejects.toThrow("notFound");
  expect((await ask(inside("Worker One"), { kind: "read", id: sent.messageId })).messages).toHaveLength(1);
  const threads = (await ask(inside("Worker One"), { kind: "threads", limit: 50 })).threads;
  expect(threads.map(({ between }) => between)).toEqual([
    ["other", "worker-one"],
    ["worker-one", "person"],
  ]);
  await expect(send({ ...inside("other"), as: "person" }, "person")).rejects.toThrow("leave --as and --account out");
  await expect(send({ ...inside("other"), account: "machine" }, "person")).rejects.toThrow("leave --as");
});

verifies("mailbox:cli:inside", "a terminal whose agent registered under another name is that agent", async () => {
  const { mailbox, send, mail } = openDesk();
  const caller = { account: mailbox.machine, terminal: "term-a1", connection: "c1" };
  await mailbox.call(caller, {
    kind: "register",
    name: "recon",
    description: null,
    label: null,
    sessionLabel: null,
    sessionId: null,
  });
  const terminal: DeskCaller = { account: null, as: null, terminal: { id: "term-a1", name: "claude-1" } };
  await send(terminal, "recon", "to myself");
  expect((await mail(terminal, null)).messages).toMatchObject([{ from: { name: "recon" }, to: { name: "recon" } }]);
});

verifies(
  "mailbox:cli:read",
  "a person sees all threads and mailboxes of an account, the newest thread first",
  async () => {
    const { mailbox, ask, send, mail } = openDesk();
    mailbox.accounts.add("acme");
    await expect(send({ ...person, as: "lead" }, "x")).rejects.toThrow("notFound");
    const first = await send({ ...person, as: "lead" }, "lead");
    const second = await send({ ...person, as: "lead" }, "lead");
    await ask({ ...person, as: "lead" }, { kind: "reply", replyTo: first.messageId, content: "more" });
    const { threads } = await ask(person, { kind: "threads", limit: 50 });
    expect(threads.map(({ threadId, messageCount, unreadCount }) => [threadId, messageCount, unreadCount])).toEqual([
      [first.threadId, 2, 2],
      [second.threadId, 1, 1],
    ]);
    expect((await ask(person, { kind: "threads", limit: 1 })).threads).toHaveLength(1);
    expect((await mail(person, "lead")).total).toBe(3);
    const acme = { ...person, account: "acme" };
    expect((await ask(acme, { kind: "threads", limit: 50 })).threads).toEqual([]);
    for (const id of [first.threadId, first.messageId])
      await expect(ask(acme, { kind: "read", id })).rejects.toThrow("notFound");
    await expect(mail(acme, "lead")).rejects.toThrow("notFound");
  },
);
