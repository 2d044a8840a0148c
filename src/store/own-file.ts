/**
 * Reads a JSON file that belongs to Quay (settings, presets) and checks it. What is wrong is said with the file, the
 * place in it and the key: an unknown key is an error, since a mistyped one would otherwise be ignored in silence.
 */
import { readFileSync, statSync } from "node:fs";
import type { z } from "zod";
import { messageOf, QuayError } from "../lib/errors.js";

/** Larger files are not ours; bytes. */
const LARGEST = 1024 * 1024;

const placeOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? String(part) : `${text}.${String(part)}`;
  }, "");

const wordIssue = (issue: z.core.$ZodIssue): string => {
  const place = placeOf(issue.path);
  if (issue.code === "unrecognized_keys") {
    const keys = issue.keys.map((key) => JSON.stringify(key)).join(", ");
    return `unknown ${issue.keys.length === 1 ? "key" : "keys"} ${keys}${place === "" ? "" : ` in ${place}`}`;
  }
  return place === "" ? issue.message : `${place}: ${issue.message}`;
};

/** The sentence for all that a schema found wrong. */
export const wordIssues = (error: z.ZodError): string => error.issues.map(wordIssue).join("; ");

/** Throws QuayError `file-invalid`: not there, no regular file, too large, no JSON. */
export const readOwnJson = (path: string): unknown => {
  const invalid = (why: string, cause?: unknown): QuayError =>
    new QuayError("file-invalid", `${path}: ${why}`, { facts: { path }, cause });
  try {
    const seen = statSync(path);
    // Opening a pipe would block for ever.
    if (!seen.isFile()) throw invalid("not a regular file");
    if (seen.size > LARGEST) throw invalid(`${seen.size} bytes; the limit is ${LARGEST}`);
    return JSON.parse(readFileSync(path, "utf8")) as unknown;
  } catch (error) {
    if (error instanceof QuayError) throw error;
    throw invalid(error instanceof SyntaxError ? `not valid JSON: ${error.message}` : messageOf(error), error);
  }
};

/** Throws QuayError `file-invalid` that names each fault. */
export const checkOwn = <T extends z.ZodType>(path: string, schema: T, read: unknown): z.output<T> => {
  const checked = schema.safeParse(read);
  if (checked.success) return checked.data;
  throw new QuayError("file-invalid", `${path}: ${wordIssues(checked.error)}`, {
    facts: { path },
    cause: checked.error,
  });
};
