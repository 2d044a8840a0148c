/**
 * The nine calls as they come in, before anything of them is checked, and who makes them. An argument that was left out is
 * null. Their forms are those of the tool list (mcp/tools/mailbox.ts).
 */
import type { MarkStatus } from "./thread.js";

export type Register = {
  readonly kind: "register";
  readonly name: string;
  readonly description: string | null;
  /** The label `kind` of the text: "claude-code", "worker". */
  readonly label: string | null;
  readonly sessionLabel: string | null;
  readonly sessionId: string | null;
};
export type ListAgents = { readonly kind: "agents"; readonly query: string | null; readonly onlyActive: boolean };
export type GetAgent = { readonly kind: "agent"; readonly agentId: string | null; readonly name: string | null };
export type Send = {
  readonly kind: "send";
  readonly agentId: string;
  readonly to: string;
  readonly content: string;
  readonly subject: string | null;
  readonly scanId: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
};
export type Reply = {
  readonly kind: "reply";
  readonly agentId: string;
  readonly replyTo: string;
  readonly content: string;
};
export type ReadMailbox = {
  readonly kind: "mailbox";
  readonly agentId: string;
  readonly unreadOnly: boolean;
  readonly limit: number | null;
};
export type ReadThread = {
  readonly kind: "thread";
  readonly agentId: string;
  readonly threadId: string | null;
  readonly messageId: string | null;
  readonly since: string | null;
  readonly limit: number | null;
};
export type ReadMessage = { readonly kind: "message"; readonly agentId: string; readonly messageId: string };
export type Mark = {
  readonly kind: "mark";
  readonly agentId: string;
  readonly messageIds: readonly string[];
  readonly status: MarkStatus;
};

export type MailboxCall =
  | Register
  | ListAgents
  | GetAgent
  | Send
  | Reply
  | ReadMailbox
  | ReadThread
  | ReadMessage
  | Mark;

/** Who calls: the account is all that decides what can be seen. */
export type MailboxCaller = {
  readonly account: string;
  /** The terminal of Quay whose token this is; null: a client with an account key, or a person. */
  readonly terminal: string | null;
  /** The MCP session, so that a call without agentId finds who registered on it (DECISIONS B25). */
  readonly connection: string | null;
};
