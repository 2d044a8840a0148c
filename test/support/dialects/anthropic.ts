/** The Anthropic Messages API, as Claude Code speaks it. Source: facts/claude-code.md. */
import type { Answer, Asked, Body, Dialect } from "./dialect.js";
import { textOf, writeEvent } from "./dialect.js";

type Block = { readonly type: string; readonly text?: string; readonly content?: unknown };
type Message = { readonly role: string; readonly content: string | readonly Block[] };

const USAGE = { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };

const withoutReminders = (text: string): string =>
  text.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, "").trim();

const blocksOf = (message: Message): readonly Block[] =>
  typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;

/** The last text that a person could have written, and the tool results after it. */
const readTurn = (messages: readonly Message[]): Pick<Asked, "prompt" | "results"> => {
  const results: string[] = [];
  for (const message of messages.toReversed()) {
    if (message.role !== "user") continue;
    const blocks = blocksOf(message);
    const texts = blocks.filter((block) => block.type === "text").map((block) => withoutReminders(block.text ?? ""));
    const prompt = texts.filter((text) => text !== "").at(-1);
    if (prompt !== undefined) return { prompt, results };
    const found = blocks.filter((block) => block.type === "tool_result").map((block) => textOf(block.content));
    if (found.length > 0) results.unshift(found.join("\n"));
  }
  return { prompt: "", results };
};

/** The answer's blocks, each with what a stream sends of it at once and later. */
const contentOf = (id: string, { text, calls }: Answer) => [
  ...(text !== "" || calls.length === 0
    ? [{ block: { type: "text", text }, start: { type: "text", text: "" }, delta: { type: "text_delta", text } }]
    : []),
  ...calls.map(({ name, input }, k) => {
    const block = { type: "tool_use", id: `toolu_${id}_${k}`, name, input };
    const delta = { type: "input_json_delta", partial_json: JSON.stringify(input) };
    return { block, start: { ...block, input: {} }, delta };
  }),
];

const message = (id: string, body: Body, content: readonly unknown[], stop: string | null) => ({
  id: `msg_${id}`,
  type: "message",
  role: "assistant",
  model: body.model,
  content,
  stop_reason: stop,
  stop_sequence: null,
  usage: USAGE,
});

const stopOf = (answer: Answer): string => (answer.calls.length > 0 ? "tool_use" : "end_turn");

export const anthropic: Dialect = {
  name: "anthropic",
  path: /\/v1\/messages$/,
  fixed: [{ path: /\/count_tokens$/, content: { input_tokens: 10 } }],
  read: (body) => ({
    ...readTurn((body.messages ?? []) as readonly Message[]),
    tools: ((body.tools ?? []) as readonly { readonly name: string }[]).map((tool) => tool.name),
    system: textOf(body.system),
  }),
  // Requests that offer no tools are the CLI's own: no script is meant for them.
  aside: (body) => {
    if (((body.tools ?? []) as readonly unknown[]).length > 0) return null;
    return body.output_config === undefined ? "side answer" : '{"title":"A title"}';
  },
  streams: (body) => body.stream === true,
  open(response, id, body) {
    writeEvent(response, { type: "message_start", message: message(id, body, [], null) }, "message_start");
  },
  finish(response, id, _body, answer) {
    const send = (type: string, content: Body): void => writeEvent(response, { type, ...content }, type);
    contentOf(id, answer).forEach(({ start, delta }, index) => {
      send("content_block_start", { index, content_block: start });
      send("content_block_delta", { index, delta });
      send("content_block_stop", { index });
    });
    const delta = { stop_reason: stopOf(answer), stop_sequence: null };
    send("message_delta", { delta, usage: { output_tokens: 12 } });
    send("message_stop", {});
  },
  whole: (id, body, answer) =>
    message(
      id,
      body,
      contentOf(id, answer).map(({ block }) => block),
      stopOf(answer),
    ),
  failure: (_status, text) => ({ type: "error", error: { type: "api_error", message: text } }),
};
