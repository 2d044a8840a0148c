/** The tool calls of OpenCode's main session: begun, ended, and left open by a turn that is over. Pure. */
import type { Observation } from "../bus/protocol.js";
import type { Meaning } from "./adapter.js";
import { type Json, jsonIn, textIn } from "./json.js";
import { TOOL_PREFIX } from "./opencode-config.js";
import { keep, type OpencodeMemory } from "./opencode-memory.js";

export const takeTool = (memory: OpencodeMemory, part: Json): Meaning<OpencodeMemory> => {
  const call = textIn(part, "callID");
  const name = textIn(part, "tool");
  const status = textIn(jsonIn(part, "state"), "status");
  if (call === "" || memory.endedTools.includes(call)) return { memory, observations: [] };
  const continued: Observation = { kind: "turnContinued", cliTurn: memory.turn?.[0] ?? null };
  if (status === "completed" || status === "error") {
    const { [call]: _ended, ...tools } = memory.tools;
    // Only what a rule of Quay's let pass: its own tools, when nobody was asked.
    const autoApproved = status === "completed" && name.startsWith(TOOL_PREFIX) && !memory.asked.includes(call);
    return {
      memory: { ...memory, tools, endedTools: keep(memory.endedTools, [call]) },
      observations: [{ kind: "toolEnded", tool: call, autoApproved }, continued],
    };
  }
  if (call in memory.tools) return { memory, observations: [] };
  return {
    memory: { ...memory, tools: { ...memory.tools, [call]: name } },
    observations: [{ kind: "toolStarted", tool: call, name }, continued],
  };
};

/** What a turn that is over left open was refused or cut off. */
export const endLeftovers = (memory: OpencodeMemory): Meaning<OpencodeMemory> => {
  const left = Object.keys(memory.tools);
  return {
    memory: { ...memory, tools: {}, endedTools: keep(memory.endedTools, left), asking: [] },
    observations: [
      ...left.map((tool): Observation => ({ kind: "toolEnded", tool, autoApproved: false })),
      ...(memory.asking.length > 0 ? [{ kind: "promptClosed", source: "hook" } as const] : []),
    ],
  };
};
