/** Google's generateContent, as Gemini CLI speaks it. Source: facts/other-clis.md section 2. */
import type { Answer, Asked, Body, Dialect } from "./dialect.js";
import { writeEvent } from "./dialect.js";

type Part = { readonly text?: string; readonly functionResponse?: { readonly response?: unknown } };
type Content = { readonly role?: string; readonly parts?: readonly Part[] };
type Tool = { readonly functionDeclarations?: readonly { readonly name: string }[] };

const USAGE = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };

/** What its own requests for JSON want to hear, whichever of them it is: who speaks next, which model. */
const JUDGEMENT = { reasoning: "scripted", next_speaker: "user", model_choice: "flash", confidence: 0 };

/** The last part is the prompt; what stands before it, the CLI adds by itself. */
const readTurn = (contents: readonly Content[]): Pick<Asked, "prompt" | "results"> => {
  const results: string[] = [];
  for (const { role, parts = [] } of contents.toReversed()) {
    if (role !== "user") continue;
    const found = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
    if (found.length === 0) return { prompt: (parts.findLast(({ text }) => text)?.text ?? "").trim(), results };
    results.unshift(found.map(({ response }) => JSON.stringify(response)).join("\n"));
  }
  return { prompt: "", results };
};

const toolsOf = (body: Body): readonly string[] =>
  ((body.tools ?? []) as readonly Tool[]).flatMap(({ functionDeclarations = [] }) =>
    functionDeclarations.map(({ name }) => name),
  );

const answerOf = ({ text, calls }: Answer) => ({
  candidates: [
    {
      content: {
        role: "model",
        parts: [
          ...(text !== "" || calls.length === 0 ? [{ text }] : []),
          ...calls.map(({ name, input }) => ({ functionCall: { name, args: input }, thoughtSignature: "c2ln" })),
        ],
      },
      finishReason: "STOP",
      index: 0,
    },
  ],
  usageMetadata: USAGE,
});

export const gemini: Dialect = {
  name: "gemini",
  path: /\/models\/[^/:]+:(stream)?[gG]enerateContent$/,
  fixed: [{ path: /:countTokens$/, content: { totalTokens: 10 } }],
  read: (body) => {
    const { parts = [] } = (body.systemInstruction ?? {}) as Content;
    return {
      ...readTurn((body.contents ?? []) as readonly Content[]),
      tools: toolsOf(body),
      system: parts.map(({ text = "" }) => text).join("\n"),
    };
  },
  aside: (body) => {
    const { responseMimeType } = (body.generationConfig ?? {}) as { readonly responseMimeType?: string };
    if (responseMimeType === "application/json") return JSON.stringify(JUDGEMENT);
    return toolsOf(body).length > 0 ? null : "A title";
  },
  streams: (_body, path) => path.endsWith(":streamGenerateContent"),
  // Its stream has no word of its own for a beginning.
  open: () => undefined,
  finish(response, _id, _body, answer) {
    writeEvent(response, answerOf(answer));
  },
  whole: (_id, _body, answer) => answerOf(answer),
  failure: (status, text) => ({ error: { code: status, message: text, status: "INVALID_ARGUMENT" } }),
};
