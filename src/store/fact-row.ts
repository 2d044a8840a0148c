/**
 * A fact or a checkpoint as a row: JSON beside the version of its form. What JSON would lose in silence is refused.
 * Knows no database.
 */
import type { Fact } from "../bus/protocol.js";
import { messageOf, QuayError } from "../lib/errors.js";
import { storeTooNew } from "./migrations.js";

/** Raised when a fact's or the checkpoint's form changes so that an older Quay could not read it. */
export const FACT_VERSION = 1;

const lossOf = (value: unknown): string | null => {
  if (value instanceof Map) return "a Map";
  if (value instanceof Set) return "a Set";
  if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
  if (typeof value === "number" && !Number.isFinite(value)) return `the number ${value}`;
  return null;
};

/** A walk of its own: a replacer makes JSON.stringify several times slower. */
const refuseLoss = (value: unknown): void => {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const loss = lossOf(inner);
    if (loss !== null)
      throw new QuayError("not-json", `${loss} in "${key}" cannot be stored as JSON.`, { facts: { key } });
    refuseLoss(inner);
  }
};

/** Throws QuayError `not-json` that names the field; a value that is undefined is left out, as JSON does. */
export const writeJson = (value: unknown): string => {
  const loss = lossOf(value);
  if (loss !== null) throw new QuayError("not-json", `${loss} cannot be stored as JSON.`);
  refuseLoss(value);
  const text = JSON.stringify(value);
  if (text === undefined) throw new QuayError("not-json", "undefined cannot be stored as JSON.");
  return text;
};

const readJson = (what: string, version: number, body: string): unknown => {
  if (version > FACT_VERSION) throw storeTooNew(what, version, FACT_VERSION);
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new QuayError("store-damaged", `${what} in the store is damaged: ${messageOf(error)}.`, { cause: error });
  }
};

export const readFact = (version: number, body: string): Fact => readJson("A fact", version, body) as Fact;
export const readCheckpoint = (version: number, body: string): unknown => readJson("The checkpoint", version, body);
