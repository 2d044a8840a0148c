/** quay_get_agent_status: one terminal in one line, exited ones and shells too when asked for by id. */
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { answerCall, type ToolContext } from "../call.js";
import { TOOLS, wordStatus } from "../wording.js";

export const registerGetAgentStatus = (server: McpServer, context: ToolContext): void => {
  const words = TOOLS.getAgentStatus;
  server.registerTool(
    words.name,
    {
      description: words.description,
      inputSchema: { terminal_id: z.string().describe(words.target) },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (input, extra) =>
      answerCall(context, extra, async (signal) => {
        const answer = await context.client.dispatch(
          { kind: "status", caller: context.caller, target: input.terminal_id },
          { signal },
        );
        return answer.ok ? { text: wordStatus(answer.agent), isError: false } : { text: answer.message, isError: true };
      }),
  );
};
