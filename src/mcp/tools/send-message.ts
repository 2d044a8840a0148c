/** quay_send_message: one message to one peer; waits for its reply unless told not to. The engine settles the wait. */
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { answerCall, reportWhenWritten, type ToolContext } from "../call.js";
import { TOOLS, wordOutcome } from "../wording.js";

export const registerSendMessage = (server: McpServer, context: ToolContext): void => {
  const words = TOOLS.sendMessage;
  server.registerTool(
    words.name,
    {
      description: words.description,
      inputSchema: {
        target_terminal_id: z.string().describe(words.target),
        message: z.string().describe(words.message),
        wait_for_reply: z.boolean().default(true).describe(words.wait),
      },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    (input, extra) =>
      answerCall(context, extra, async (signal) => {
        const answer = await context.client.dispatch(
          {
            kind: "send",
            caller: context.caller,
            target: input.target_terminal_id,
            text: input.message,
            wait: input.wait_for_reply,
            raw: false,
          },
          { signal },
        );
        if (!answer.ok) return { text: answer.message, isError: true };
        reportWhenWritten(context, extra, answer.delivery);
        return wordOutcome(answer.outcome);
      }),
  );
};
