/**
 * One way to speak to a model: what a request of this API asks, and how an answer is written in it. One file per API;
 * the script, the waiting and the recording are the model server's. A dialect must not decide what is answered.
 */
import type { ServerResponse } from "node:http";

export type Body = Readonly<Record<string, unknown>>;

/** What a request asks, whatever the API. */
export type Asked = {
  /** Latest text of the user; "" when there is none. */
  readonly prompt: string;
  /** Texts of the tool results since that prompt, one per round trip. */
  readonly results: readonly string[];
  /** Names of the tools on offer, as the model would call them: `namespace/name` where the API has name spaces. */
  readonly tools: readonly string[];
  readonly system: string;
};

export type Answer = {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: Body }[];
};

export type Dialect = {
  readonly name: string;
  /** Path of the requests for an answer, which are POSTs. */
  readonly path: RegExp;
  /** What the API answers to other requests, such as a list of its models. */
  readonly fixed: readonly { readonly path: RegExp; readonly content: unknown }[];
  read(body: Body): Asked;
  /** The answer to a request that the CLI makes for itself (titles, summaries); null: a script is meant for it. */
  aside(body: Body): string | null;
  streams(body: Body, path: string): boolean;
  /** What a stream begins with, before the model has said anything. `id` is unique. */
  open(response: ServerResponse, id: string, body: Body): void;
  /** The whole answer and the end of the stream. */
  finish(response: ServerResponse, id: string, body: Body, answer: Answer): void;
  /** The same for a request without a stream: its JSON. */
  whole(id: string, body: Body, answer: Answer): unknown;
  failure(status: number, message: string): unknown;
};

/** One event of a stream; with its name where the API has one. Nothing when the client has left. */
export const writeEvent = (response: ServerResponse, content: unknown, name: string | null = null): void => {
  if (response.destroyed) return;
  response.write(`${name === null ? "" : `event: ${name}\n`}data: ${JSON.stringify(content)}\n\n`);
};

type Part = string | { readonly text?: string; readonly content?: unknown };

/** The texts of a content that is a string, or a list of parts with texts. */
export const textOf = (content: unknown): string => {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (content as readonly Part[])
    .map((part) => (typeof part === "string" ? part : (part.text ?? textOf(part.content))))
    .filter((text) => text !== "")
    .join("\n");
};
