/** OpenAI's responses, as Codex speaks them. Source: facts/codex.md section 2. */
import type { Answer, Asked, Body, Dialect } from "./dialect.js";
import { textOf, writeEvent } from "./dialect.js";

type Item = {
  readonly type?: string;
  readonly role?: string;
  readonly content?: unknown;
  readonly output?: unknown;
};
type Tool = { readonly type: string; readonly name?: string; readonly tools?: readonly Tool[] };

const USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 15,
};

/** What the CLI puts among the user's items by itself. */
const BY_ITSELF = /^\s*(<[a-z_]+>|# AGENTS)/;

const readTurn = (items: readonly Item[]): Pick<Asked, "prompt" | "results"> => {
  const at = items.findLastIndex(({ role, content }) => role === "user" && !BY_ITSELF.test(textOf(content)));
  const results: string[] = [];
  let isOpen = false;
  for (const { type = "", output } of items.slice(at + 1)) {
    if (!type.endsWith("_output")) isOpen = false;
    else if (isOpen) results.push(`${results.pop() ?? ""}\n${textOf(output)}`);
    else {
      results.push(textOf(output));
      isOpen = true;
    }
  }
  return { prompt: textOf(items[at]?.content).trim(), results };
};

const namesOf = (tools: readonly Tool[]): readonly string[] =>
  tools.flatMap(({ type, name = type, tools: inside }) =>
    inside === undefined ? [name] : namesOf(inside).map((one) => `${name}/${one}`),
  );

const itemsOf = (id: string, { text, calls }: Answer): readonly Body[] => [
  ...(text !== "" || calls.length === 0
    ? [
        {
          type: "message",
          id: `msg_${id}`,
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text, annotations: [] }],
        },
      ]
    : []),
  ...calls.map(({ name, input }, k) => {
    const [space, own] = name.includes("/") ? name.split("/", 2) : [null, name];
    return {
      type: "function_call",
      id: `fc_${id}_${k}`,
      call_id: `call_${id}_${k}`,
      ...(space === null ? {} : { namespace: space }),
      name: own,
      arguments: JSON.stringify(input),
    };
  }),
];

export const openaiResponses: Dialect = {
  name: "openai responses",
  path: /\/responses$/,
  fixed: [],
  read: (body) => {
    const input = body.input ?? [];
    const items = typeof input === "string" ? [{ role: "user", content: input }] : (input as readonly Item[]);
    return {
      ...readTurn(items),
      tools: namesOf((body.tools ?? []) as readonly Tool[]),
      system: textOf(body.instructions),
    };
  },
  // Its title thread asks for JSON of its own form.
  aside: (body) => {
    const { format } = (body.text ?? {}) as { readonly format?: { readonly type?: string } };
    return format?.type === "json_schema" ? '{"title":"A title"}' : null;
  },
  streams: (body) => body.stream !== false,
  open(response, id) {
    writeEvent(response, { type: "response.created", response: { id: `resp_${id}` } }, "response.created");
  },
  finish(response, id, _body, answer) {
    const send = (type: string, content: Body): void => writeEvent(response, { type, ...content }, type);
    itemsOf(id, answer).forEach((item, index) => {
      if (item.type === "message") {
        const begun = { ...item, status: "in_progress", content: [] };
        send("response.output_item.added", { output_index: index, item: begun });
        const place = { item_id: item.id, output_index: index, content_index: 0 };
        send("response.output_text.delta", { ...place, delta: answer.text });
      }
      send("response.output_item.done", { output_index: index, item });
    });
    send("response.completed", { response: { id: `resp_${id}`, usage: USAGE } });
  },
  whole: (id, body, answer) => ({
    id: `resp_${id}`,
    object: "response",
    status: "completed",
    model: body.model,
    output: itemsOf(id, answer),
    usage: USAGE,
  }),
  failure: (_status, text) => ({ error: { message: text, type: "invalid_request_error" } }),
};
