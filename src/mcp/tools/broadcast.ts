/** quay_broadcast: a notice to every other running peer of the caller's project. Nobody waits for an answer to it. */
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { answerCall, type ToolContext } from "../call.js";
import { TOOLS, wordOutcome } from "../wording.js";

export const registerBroadcast = (server: McpServer, context: ToolContext): void => {
  const words = TOOLS.broadcast;
  server.registerTool(
    words.name,
    {
      description: words.description,
      inputSchema: { text: z.string().describe(words.text) },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    (input, extra) =>
      answerCall(context, extra, async (signal) => {
        const answer = await context.client.dispatch(
          { kind: "broadcast", caller: context.caller, text: input.text },
          { signal },
        );
        return answer.ok ? wordOutcome(answer.outcome) : { text: answer.message, isError: true };
      }),
  );
};
