/**
 * What OpenCode asks a person for: approvals and questions, of subagents too, since the terminal shows them all. Pure.
 */
import type { Observation } from "../bus/protocol.js";
import type { Meaning } from "./adapter.js";
import { type Json, jsonIn, listOf, textIn } from "./json.js";
import { oneLine } from "./one-line.js";
import { type Asking, keep, type OpencodeMemory } from "./opencode-memory.js";

const SHOWN = ["command", "filepath", "url", "query", "pattern", "description"];

/** One line such as `approve bash: touch x` or `answer: Which one?`. Null: neither an approval nor a question. */
export const askingOf = (request: Json): Asking | null => {
  const id = textIn(request, "id");
  if (id === "") return null;
  const call = textIn(jsonIn(request, "tool"), "callID");
  if (Array.isArray(request.questions)) {
    const question = textIn(listOf(request.questions)[0] ?? {}, "question");
    return { id, about: "question", text: oneLine(`answer: ${question}`), call };
  }
  const patterns = Array.isArray(request.patterns) ? request.patterns.filter((one) => typeof one === "string") : [];
  const metadata = jsonIn(request, "metadata");
  const shown = SHOWN.map((key) => textIn(metadata, key)).find((text) => text !== "") ?? patterns.join(" ");
  const name = textIn(request, "permission") || "a tool";
  return {
    id,
    about: "permission",
    text: oneLine(shown === "" ? `approve ${name}` : `approve ${name}: ${shown}`),
    call,
  };
};

/** The prompt that stands now: the oldest that nobody answered. */
export const raised = ({ about, text }: Asking): Observation => ({
  kind: "promptRaised",
  prompt: { about, text, source: "hook" },
});

export const asked = (memory: OpencodeMemory, request: Json): Meaning<OpencodeMemory> => {
  const asking = askingOf(request);
  if (asking === null || memory.asking.some((known) => known.id === asking.id)) return { memory, observations: [] };
  return {
    memory: {
      ...memory,
      asking: keep(memory.asking, [asking]),
      asked: asking.call === "" ? memory.asked : keep(memory.asked, [asking.call]),
    },
    observations: memory.asking.length === 0 ? [raised(asking)] : [],
  };
};

export const replied = (memory: OpencodeMemory, reply: Json): Meaning<OpencodeMemory> => {
  const asking = memory.asking.filter((known) => known.id !== textIn(reply, "requestID"));
  if (asking.length === memory.asking.length) return { memory, observations: [] };
  const next = asking[0];
  return {
    memory: { ...memory, asking },
    observations: next === undefined ? [{ kind: "promptClosed", source: "hook" }] : [raised(next)],
  };
};
