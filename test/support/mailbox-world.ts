/** A bridge with a real mailbox behind it, its clock wound by the test, and real MCP clients that come in by keys or as terminals. */
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { onTestFinished } from "vitest";
import { type Mailbox, openMailbox } from "../../src/mailbox/edge/mailbox.js";
import type { MailboxAnswers } from "../../src/mailbox/rules/views.js";
import { agent } from "./fake-engine.js";
import { startBridge, textIn } from "./loopback.js";
import { tempFolder } from "./temp-folder.js";

export type Args = Readonly<Record<string, unknown>>;

/** The tools by their names, and what each answers. */
export type ToolAnswers = {
  readonly agent_register: MailboxAnswers["register"];
  readonly agent_list: MailboxAnswers["agents"];
  readonly agent_get: MailboxAnswers["agent"];
  readonly get_mailbox: MailboxAnswers["mailbox"];
  readonly get_messages: MailboxAnswers["thread"];
  readonly get_message: MailboxAnswers["message"];
  readonly send_message: MailboxAnswers["send"];
  readonly reply_message: MailboxAnswers["reply"];
  readonly mark_message: MailboxAnswers["mark"];
};
export type ToolName = keyof ToolAnswers;

export type MailClient = {
  readonly client: Client;
  /** The answer; throws for a tool error. */
  call<T extends ToolName>(tool: T, args?: Args): Promise<ToolAnswers[T]>;
  /** The text of a tool error; throws when there is none. */
  refusal(tool: ToolName, args?: Args): Promise<string>;
};

export type MailboxWorld = {
  readonly mailbox: Mailbox;
  readonly path: string;
  readonly url: string;
  /** Winds the clock on, in ms. */
  wind(ms: number): void;
  now(): number;
  /** A key of this account, which is added when it is not there. */
  keyOf(account: string): { readonly id: string; readonly key: string };
  connect(token: string): Promise<MailClient>;
};

export const START = Date.UTC(2026, 11, 1, 8, 0, 0);

export const mailClient = (client: Client): MailClient => {
  const ask = (name: string, args: Args = {}) => client.callTool({ name, arguments: { ...args } });
  return {
    client,
    call: async (tool, args) => {
      const result = await ask(tool, args);
      if (result.isError === true) throw new Error(`${tool}: ${textIn(result)}`);
      return JSON.parse(textIn(result));
    },
    refusal: async (tool, args) => {
      const result = await ask(tool, args);
      if (result.isError !== true) throw new Error(`${tool} was not refused: ${textIn(result)}`);
      return textIn(result);
    },
  };
};

export const connectWith = async (url: string, token: string): Promise<MailClient> => {
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  const client = new Client({ name: "test", version: "1" });
  // The SDK is not written for exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  onTestFinished(() => client.close());
  return mailClient(client);
};

export const openMailboxWorld = async (): Promise<MailboxWorld> => {
  let at = START;
  const path = join(tempFolder(), "mailbox.db");
  const mailbox = openMailbox(path, () => at);
  onTestFinished(() => mailbox.close());
  const { url } = await startBridge([agent("term-1"), agent("term-2")], { mailbox });
  return {
    mailbox,
    path,
    url,
    wind: (ms) => {
      at += ms;
    },
    now: () => at,
    keyOf: (account) => {
      const isThere = mailbox.accounts.list().some(({ name }) => name === account);
      if (!isThere) mailbox.accounts.add(account);
      return mailbox.accounts.newKey(account, null);
    },
    connect: (token) => connectWith(url, token),
  };
};

/** Two registered agents of one account. */
export const openPair = async () => {
  const world = await openMailboxWorld();
  const { key } = world.keyOf("acme");
  const [lead, worker] = [await world.connect(key), await world.connect(key)];
  const leadId = (await lead.call("agent_register", { name: "lead" })).agentId;
  const workerId = (await worker.call("agent_register", { name: "worker" })).agentId;
  return { ...world, key, lead, worker, leadId, workerId };
};
