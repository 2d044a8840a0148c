/** Ties a test to the promises it holds. An id that the manifest does not know fails when the file loads. */
import { test } from "vitest";
import { type RequirementId, requirements } from "../requirements.js";

const known = new Set<string>(requirements.map((requirement) => requirement.id));

/**
 * `verifies("deliver:one-per-turn", "types the second after the first has ended", () => …)`, or a list of ids.
 * @param options timeout in ms, and how often the test is tried again; vitest's own when left out.
 */
export const verifies = (
  ids: RequirementId | readonly RequirementId[],
  title: string,
  body: () => void | Promise<void>,
  options: number | { readonly timeout?: number; readonly retry?: number } = {},
): void => {
  const cited = typeof ids === "string" ? [ids] : ids;
  const unknown = cited.filter((id) => !known.has(id));
  if (unknown.length > 0) throw new Error(`not in test/requirements.ts: ${unknown.join(", ")}`);
  test(`${title} [${cited.join(", ")}]`, typeof options === "number" ? { timeout: options } : options, body);
};
