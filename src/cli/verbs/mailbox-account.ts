/** `quay mailbox account`, `key`, `connect`, `check` and `prune`: for people alone, on the mailbox's own file. */
import { type Command, InvalidArgumentError } from "commander";
import type { OpenedMailbox } from "../cli.js";
import { type Cli, EXIT, type ExitCode } from "../cli.js";
import { confirmed } from "../confirm.js";
import { refused } from "../errors-to-exit.js";
import { refuseInside } from "../inside.js";
import { CLIENTS, type MailboxClient, wordConnect } from "../mailbox-connect.js";
import { withMailbox } from "../mailbox-desk.js";
import { columnsOf, jsonBlock, table } from "../output.js";
import { inertLine } from "../screen.js";
import { type Act, examples } from "../verb.js";

type Json = { readonly json?: boolean };

/** For people, and with the file open. */
const onFile = async (
  cli: Cli,
  verb: string,
  work: (file: OpenedMailbox) => Promise<ExitCode> | ExitCode,
): Promise<ExitCode> => {
  refuseInside(cli.env, `quay mailbox ${verb}`);
  return await withMailbox(cli, work);
};

export const addAccounts = (mailbox: Command, act: Act): void => {
  const account = mailbox
    .command("account")
    .summary("accounts: separate mailboxes")
    .description(
      "An account is one namespace: its agents see each other and nobody else. Quay's terminals share the account 'machine'.",
    );
  account
    .command("add")
    .summary("add an account")
    .description("Add an account. Its clients come in by its keys.")
    .argument("<name>", "lower case letters, digits and hyphens")
    .action(async (name: string) => {
      await act((cli) =>
        onFile(cli, "account add", ({ accounts }) => {
          const added = accounts.add(name);
          cli.out.write(`Added ${added.name}. Let a client in with: quay mailbox key new --account ${added.name}\n`);
          return EXIT.ok;
        }),
      );
    });
  account
    .command("list")
    .summary("list the accounts")
    .description("List the accounts.")
    .option("--json", "print JSON")
    .action(async ({ json }: Json) => {
      await act((cli) =>
        onFile(cli, "account list", ({ accounts }) => {
          const all = accounts.list();
          cli.out.write(json === true ? jsonBlock(all) : all.map(({ name }) => `${name}\n`).join(""));
          return EXIT.ok;
        }),
      );
    });
  addKeys(mailbox, act);
};

const addKeys = (mailbox: Command, act: Act): void => {
  const key = mailbox
    .command("key")
    .summary("keys that let clients in")
    .description("A key lets a client outside Quay into an account. It is shown once, and stored as a hash.");
  key
    .command("new")
    .summary("make a key, and show it once")
    .description("Make a key. It is printed on stdout, alone, this once.")
    .option("--account <name>", "the account; default: this machine's own", "machine")
    .option("--label <text>", "what it is for, to tell it from others")
    .addHelpText(
      "after",
      examples(["export QUAY_MAILBOX_KEY=$(quay mailbox key new --label ci)", "for a client started here"]),
    )
    .action(async ({ account, label }: { account: string; label?: string }) => {
      await act((cli) =>
        onFile(cli, "key new", ({ accounts }) => {
          const made = accounts.newKey(account, label ?? null);
          cli.err.write(`quay: key ${made.id} of account ${account}; it is not shown again\n`);
          cli.out.write(`${made.key}\n`);
          return EXIT.ok;
        }),
      );
    });
  key
    .command("list")
    .summary("list the keys")
    .description("List the keys of all accounts, without the keys themselves.")
    .option("--json", "print JSON")
    .action(async ({ json }: Json) => {
      await act((cli) => onFile(cli, "key list", ({ accounts }) => listKeys(cli, accounts, json === true)));
    });
  key
    .command("revoke")
    .summary("let a key in no more")
    .description("Revoke a key: from its next request on it is refused.")
    .argument("<id>", "the key's id, as quay mailbox key list shows it")
    .action(async (id: string) => {
      await act((cli) =>
        onFile(cli, "key revoke", ({ accounts }) => {
          const revoked = accounts.revokeKey(id);
          cli.out.write(`Revoked ${revoked.id} of account ${revoked.account}.\n`);
          return EXIT.ok;
        }),
      );
    });
};

const day = (at: number | null): string =>
  at === null ? "never" : new Date(at).toISOString().slice(0, 16).replace("T", " ");

const listKeys = (cli: Cli, accounts: OpenedMailbox["accounts"], json: boolean): ExitCode => {
  const keys = accounts.keys();
  const rows = keys.map((key) => [
    key.id,
    key.account,
    inertLine(key.label ?? ""),
    day(key.createdAt),
    day(key.usedAt),
    key.revokedAt === null ? "" : day(key.revokedAt),
  ]);
  if (json) cli.out.write(jsonBlock(keys));
  else if (keys.length === 0) cli.out.write("No keys. Make one with: quay mailbox key new\n");
  else cli.out.write(table([["ID", "ACCOUNT", "LABEL", "MADE", "USED", "REVOKED"], ...rows], columnsOf(cli.out)));
  return EXIT.ok;
};

const clientName = (text: string): MailboxClient => {
  const found = CLIENTS.find((client) => client === text);
  if (found === undefined) throw new InvalidArgumentError(`It must be one of ${CLIENTS.join(", ")}.`);
  return found;
};

export const addConnect = (mailbox: Command, act: Act): void => {
  mailbox
    .command("connect")
    .summary("how to connect a client outside Quay")
    .description(
      "Print the lines that connect a client which Quay did not start. Agents in Quay's terminals have the tools already.",
    )
    .argument("<client>", CLIENTS.join(", "), clientName)
    .option("--account <name>", "another account than this machine's own")
    .addHelpText("after", examples(["quay mailbox connect claude", "the lines for Claude Code"]))
    .action(async (client: MailboxClient, { account }: { account?: string }) => {
      await act((cli) => connect(cli, client, account ?? null));
    });
};

const connect = async (cli: Cli, client: MailboxClient, account: string | null): Promise<ExitCode> => {
  refuseInside(cli.env, "quay mailbox connect");
  const place = await cli.doors.readPlace(cli.env);
  if (place.kind === "faulty") throw refused(place.why);
  if (place.port === null)
    throw refused("Quay's port is chosen at the first start. Start it once (quay serve), then ask again.");
  if (account !== null) await withMailbox(cli, ({ accounts }) => accounts.named(account));
  cli.out.write(wordConnect(client, `http://127.0.0.1:${place.port}/mcp`, account));
  return EXIT.ok;
};

export const addCheck = (mailbox: Command, act: Act): void => {
  mailbox
    .command("check")
    .summary("count the kept counters anew")
    .description(
      "Count unread and total messages anew and compare them with the kept counters. Exit 1 when they differ.",
    )
    .option("--fix", "put wrong counters right")
    .action(async ({ fix }: { fix?: boolean }) => {
      await act((cli) =>
        onFile(cli, "check", ({ upkeep }) => {
          const wrong = upkeep.check();
          for (const { counter, of, kept, counted } of wrong)
            cli.out.write(`${counter}, ${of}: kept ${kept}, counted ${counted}\n`);
          if (wrong.length === 0) cli.out.write("All counters are right.\n");
          if (wrong.length === 0 || fix !== true) return wrong.length === 0 ? EXIT.ok : EXIT.failed;
          upkeep.rebuild();
          cli.out.write("They are right now.\n");
          return EXIT.ok;
        }),
      );
    });
};

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** "30d" in ms. */
const age = (text: string): number => {
  const [, count, unit = ""] = /^(\d{1,6})([hdw])$/u.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? 0);
  if (!(ms > 0)) throw new InvalidArgumentError("It must be a number of hours, days or weeks, like 12h, 30d or 8w.");
  return ms;
};

type PruneOptions = { readonly olderThan: number; readonly account?: string; readonly yes?: boolean };

export const addPrune = (mailbox: Command, act: Act): void => {
  mailbox
    .command("prune")
    .summary("delete old threads")
    .description(
      "Delete threads whose last message is older than this, whole, unread ones too. It says first what it would delete, and asks. Nothing is ever deleted without this verb.",
    )
    .requiredOption("--older-than <age>", "like 12h, 30d or 8w", age)
    .option("--account <name>", "only this account; default: all")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples(["quay mailbox prune --older-than 90d", "say what is older, and ask"]))
    .action(async (options: PruneOptions) => {
      await act((cli) => onFile(cli, "prune", (file) => prune(cli, file, options)));
    });
};

const prune = async (cli: Cli, { accounts, upkeep }: OpenedMailbox, options: PruneOptions): Promise<ExitCode> => {
  const account = options.account === undefined ? null : accounts.named(options.account).id;
  const before = cli.now() - options.olderThan;
  const plan = upkeep.plan(account, before);
  if (plan.threads === 0) {
    cli.out.write("No thread is that old.\n");
    return EXIT.ok;
  }
  const what = `${plan.threads} ${plan.threads === 1 ? "thread" : "threads"} with ${plan.messages} ${plan.messages === 1 ? "message" : "messages"}, ${plan.unread} of them unread`;
  const unasked = `This would delete ${what}. Pass --yes to do it.`;
  if (options.yes !== true && !(await confirmed(cli, `Delete ${what}?`, unasked))) {
    cli.out.write("Nothing was deleted.\n");
    return EXIT.failed;
  }
  while (upkeep.pruneSome(account, before)) await new Promise((resolve) => setImmediate(resolve));
  cli.out.write(`Deleted ${what}.\n`);
  return EXIT.ok;
};
