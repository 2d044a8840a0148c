/** quay_list_agents: every peer of every project, from the engine's snapshot. Asks the engine nothing else. */
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { answerCall, type ToolContext } from "../call.js";
import { TOOLS, wordAgentList } from "../wording.js";

export const registerListAgents = (server: McpServer, context: ToolContext): void => {
  server.registerTool(
    TOOLS.listAgents.name,
    {
      description: TOOLS.listAgents.description,
      inputSchema: {},
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (_input, extra) =>
      answerCall(context, extra, async () => ({
        text: wordAgentList(context.client.snapshot().agents),
        isError: false,
      })),
  );
};
