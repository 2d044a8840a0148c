/** The nine tools of the mailbox: their arguments as the product text has them, handed on as calls. Caps are checked in mailbox/rules. */
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import type { MailboxCall, MailboxCaller } from "../../mailbox/rules/calls.js";
import type { MailboxDoor } from "../../mailbox/rules/door.js";
import { wordMailboxRefusal } from "../../mailbox/rules/refusal.js";
import { answerCall } from "../call.js";
import { MAILBOX_TOOLS } from "../mailbox-wording.js";

export type MailboxContext = {
  readonly door: MailboxDoor;
  readonly caller: MailboxCaller;
  readonly progressEveryMs: number;
};

const WRITES = { readOnlyHint: false, destructiveHint: false, openWorldHint: false } as const;
const READS = { readOnlyHint: true, openWorldHint: false } as const;

const text = (meaning: string) => z.string().describe(meaning);
const maybe = (meaning: string) => z.string().optional().describe(meaning);
const limit = (meaning: string) => z.number().optional().describe(meaning);
const flag = (meaning: string) => z.boolean().default(false).describe(meaning);

/** Registers one tool; what it answers is JSON, a refusal is a tool error. */
const add = <Shape extends z.ZodRawShape>(
  server: McpServer,
  context: MailboxContext,
  words: { readonly name: string; readonly description: string },
  shape: Shape,
  annotations: typeof WRITES | typeof READS | (typeof WRITES & { readonly idempotentHint: true }),
  callOf: (input: z.infer<z.ZodObject<Shape>>) => MailboxCall,
): void => {
  // The SDK's callback type does not resolve for a shape that is still open; the schema it is given is the one checked here.
  const schema = z.object(shape);
  server.registerTool(
    words.name,
    { description: words.description, inputSchema: schema as z.ZodObject<z.ZodRawShape>, annotations },
    (input, extra) =>
      answerCall(context, extra, async () => {
        const answer = await context.door.call(context.caller, callOf(input as z.infer<typeof schema>));
        return answer.ok
          ? { text: JSON.stringify(answer.value, null, 2), isError: false }
          : { text: wordMailboxRefusal(answer.refusal), isError: true };
      }),
  );
};

const addIdentity = (server: McpServer, context: MailboxContext): void => {
  const { register, agents, agent } = MAILBOX_TOOLS;
  add(
    server,
    context,
    register,
    {
      name: text(register.agentName),
      description: maybe(register.agentDescription),
      kind: maybe(register.kind),
      sessionLabel: maybe(register.sessionLabel),
      sessionId: maybe(register.sessionId),
    },
    WRITES,
    ({ name, description, kind, sessionLabel, sessionId }) => ({
      kind: "register",
      name,
      description: description ?? null,
      label: kind ?? null,
      sessionLabel: sessionLabel ?? null,
      sessionId: sessionId ?? null,
    }),
  );
  add(
    server,
    context,
    agents,
    { query: maybe(agents.query), onlyActive: flag(agents.onlyActive) },
    READS,
    ({ query, onlyActive }) => ({ kind: "agents", query: query ?? null, onlyActive }),
  );
  add(
    server,
    context,
    agent,
    { agentId: maybe(agent.agentId), name: maybe(agent.agentName) },
    READS,
    ({ agentId, name }) => ({ kind: "agent", agentId: agentId ?? null, name: name ?? null }),
  );
};

const addReading = (server: McpServer, context: MailboxContext): void => {
  const { mailbox, thread, message } = MAILBOX_TOOLS;
  add(
    server,
    context,
    mailbox,
    { agentId: text(mailbox.agentId), unreadOnly: flag(mailbox.unreadOnly), limit: limit(mailbox.limit) },
    READS,
    (input) => ({ kind: "mailbox", ...input, limit: input.limit ?? null }),
  );
  add(
    server,
    context,
    thread,
    {
      agentId: text(thread.agentId),
      threadId: maybe(thread.threadId),
      messageId: maybe(thread.messageId),
      since: maybe(thread.since),
      limit: limit(thread.limit),
    },
    READS,
    (input) => ({
      kind: "thread",
      agentId: input.agentId,
      threadId: input.threadId ?? null,
      messageId: input.messageId ?? null,
      since: input.since ?? null,
      limit: input.limit ?? null,
    }),
  );
  add(
    server,
    context,
    message,
    { agentId: text(message.agentId), messageId: text(message.messageId) },
    READS,
    (input) => ({ kind: "message", ...input }),
  );
};

const addWriting = (server: McpServer, context: MailboxContext): void => {
  const { send, reply, mark } = MAILBOX_TOOLS;
  add(
    server,
    context,
    send,
    {
      agentId: text(send.agentId),
      to: text(send.to),
      content: text(send.content),
      subject: maybe(send.subject),
      scanId: maybe(send.scanId),
      metadata: z.record(z.string(), z.unknown()).optional().describe(send.metadata),
    },
    WRITES,
    (input) => ({
      kind: "send",
      agentId: input.agentId,
      to: input.to,
      content: input.content,
      subject: input.subject ?? null,
      scanId: input.scanId ?? null,
      metadata: input.metadata ?? null,
    }),
  );
  add(
    server,
    context,
    reply,
    { agentId: text(reply.agentId), replyTo: text(reply.replyTo), content: text(reply.content) },
    WRITES,
    (input) => ({ kind: "reply", ...input }),
  );
  add(
    server,
    context,
    mark,
    {
      agentId: text(mark.agentId),
      messageIds: z.array(z.string()).describe(mark.messageIds),
      status: z.enum(["read", "ack"]).describe(mark.status),
    },
    { ...WRITES, idempotentHint: true },
    (input) => ({ kind: "mark", ...input }),
  );
};

/** In the order of the text's tool reference. */
export const registerMailbox = (server: McpServer, context: MailboxContext): void => {
  addIdentity(server, context);
  addReading(server, context);
  addWriting(server, context);
};
