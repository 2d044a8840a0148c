/** OpenAI's chat completions, as OpenCode and Pi speak them. Source: facts/opencode.md section 2, facts/other-clis.md. */
import type { Answer, Asked, Body, Dialect } from "./dialect.js";
import { textOf, writeEvent } from "./dialect.js";

type Message = { readonly role: string; readonly content?: unknown };

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

const toolsOf = (body: Body): readonly string[] =>
  ((body.tools ?? []) as readonly { readonly function?: { readonly name: string } }[]).flatMap((tool) =>
    tool.function === undefined ? [] : [tool.function.name],
  );

/** Tool results of one round trip are several messages in a row; the assistant's calls stand between two trips. */
const readTurn = (messages: readonly Message[]): Pick<Asked, "prompt" | "results"> => {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const results: string[][] = [];
  for (const { role, content } of messages.slice(at + 1)) {
    if (role === "assistant") results.push([]);
    if (role === "tool") results.at(-1)?.push(textOf(content));
  }
  return {
    prompt: textOf(messages[at]?.content).trim(),
    results: results.filter((trip) => trip.length > 0).map((trip) => trip.join("\n")),
  };
};

const callsOf = (id: string, { calls }: Answer) =>
  calls.map(({ name, input }, index) => ({
    index,
    id: `call_${id}_${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));

const reasonOf = (answer: Answer): string => (answer.calls.length > 0 ? "tool_calls" : "stop");

export const openaiChat: Dialect = {
  name: "openai chat completions",
  path: /\/chat\/completions$/,
  fixed: [{ path: /\/v1\/models$/, content: { object: "list", data: [{ id: "scripted", object: "model" }] } }],
  read: (body) => {
    const messages = (body.messages ?? []) as readonly Message[];
    const system = messages.filter(({ role }) => role === "system" || role === "developer");
    return {
      ...readTurn(messages),
      tools: toolsOf(body),
      system: system.map(({ content }) => textOf(content)).join("\n"),
    };
  },
  aside: (body) => (toolsOf(body).length > 0 ? null : "A title"),
  streams: (body) => body.stream === true,
  open(response, id, body) {
    writeEvent(response, chunk(id, body, { role: "assistant", content: "" }, null));
  },
  finish(response, id, body, answer) {
    if (answer.text !== "") writeEvent(response, chunk(id, body, { content: answer.text }, null));
    if (answer.calls.length > 0) writeEvent(response, chunk(id, body, { tool_calls: callsOf(id, answer) }, null));
    writeEvent(response, { ...chunk(id, body, {}, reasonOf(answer)), usage: USAGE });
    if (!response.destroyed) response.write("data: [DONE]\n\n");
  },
  whole: (id, body, answer) => ({
    id: `chatcmpl-${id}`,
    object: "chat.completion",
    created: 1,
    model: body.model,
    choices: [
      {
        index: 0,
        finish_reason: reasonOf(answer),
        message: {
          role: "assistant",
          content: answer.text,
          ...(answer.calls.length > 0 ? { tool_calls: callsOf(id, answer) } : {}),
        },
      },
    ],
    usage: USAGE,
  }),
  failure: (_status, text) => ({ error: { message: text, type: "invalid_request_error" } }),
};

const chunk = (id: string, body: Body, delta: Body, finish: string | null) => ({
  id: `chatcmpl-${id}`,
  object: "chat.completion.chunk",
  created: 1,
  model: body.model,
  choices: [{ index: 0, delta, finish_reason: finish }],
});
