/**
 * The MCP server `quay-a2a` as one session sees it: a terminal has the tools of the bus and of the mailbox, a client with an
 * account key those of the mailbox alone. It holds no state of its own: queues and waits live in the engine, threads in the
 * mailbox's store, so that a lost session loses nothing.
 */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { ToolContext } from "./call.js";
import { MAILBOX_INSTRUCTIONS } from "./mailbox-wording.js";
import { registerBroadcast } from "./tools/broadcast.js";
import { registerGetAgentStatus } from "./tools/get-agent-status.js";
import { registerListAgents } from "./tools/list-agents.js";
import { type MailboxContext, registerMailbox } from "./tools/mailbox.js";
import { registerSendMessage } from "./tools/send-message.js";
import { INSTRUCTIONS } from "./wording.js";

export const SERVER_NAME = "quay-a2a";

/** @param bus null: the caller is no terminal. */
export const createToolServer = (bus: ToolContext | null, mailbox: MailboxContext, version: string): McpServer => {
  const instructions = bus === null ? MAILBOX_INSTRUCTIONS : `${INSTRUCTIONS}\n\n${MAILBOX_INSTRUCTIONS}`;
  const server = new McpServer({ name: SERVER_NAME, version }, { instructions });
  if (bus !== null) registerBus(server, bus);
  registerMailbox(server, mailbox);
  return server;
};

const registerBus = (server: McpServer, context: ToolContext): void => {
  registerListAgents(server, context);
  registerSendMessage(server, context);
  registerBroadcast(server, context);
  registerGetAgentStatus(server, context);
};
