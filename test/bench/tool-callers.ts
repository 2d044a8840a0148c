/**
 * The senders of benchmark (e), in a process of their own as agents are: one MCP client each. Started with a channel; takes one
 * plan and answers with calls per second, first of a tool that stores nothing, then of messages.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { rateOf } from "./clock.js";

export type CallPlan = {
  readonly url: string;
  readonly tokens: readonly string[];
  readonly targets: readonly string[];
  /** Messages of each sender, and calls of the other tool. */
  readonly perSender: number;
  readonly lists: number;
  /** Calls under way at once, of all senders. */
  readonly atOnce: number;
};

export type CallRates = { readonly lists: number; readonly sends: number };

const connect = async (url: string, token: string): Promise<Client> => {
  const client = new Client({ name: "quay-bench", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  // The SDK's transport type is not written for exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  return client;
};

const call = async (client: Client, name: string, args: Record<string, unknown>): Promise<void> => {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError === true) throw new Error(JSON.stringify(result.content));
};

const run = async (plan: CallPlan): Promise<CallRates> => {
  const clients = await Promise.all(plan.tokens.map((token) => connect(plan.url, token)));
  const clientOf = (index: number): Client => clients[index % clients.length]!;
  const lists = await rateOf(plan.lists * clients.length, plan.atOnce, (index) =>
    call(clientOf(index), "quay_list_agents", {}),
  );
  const sends = await rateOf(plan.perSender * clients.length, plan.atOnce, (index) =>
    call(clientOf(index), "quay_send_message", {
      target_terminal_id: plan.targets[index % plan.targets.length],
      message: `Tool message ${index}: ${"please look at the parser and say what you find there. ".repeat(3)}`,
      wait_for_reply: false,
    }),
  );
  await Promise.all(clients.map((client) => client.close()));
  return { lists, sends };
};

process.once("message", (plan) => {
  run(plan as CallPlan).then(
    (rates) => process.send?.(rates, () => process.exit(0)),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
