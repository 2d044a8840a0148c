// What each CLI showed in a run: the cases of the contracts that passed, by their titles "<kind>: <capability> [ids]".
// Compared with test/e2e/contract/matrix.json, from which docs/cli-flags.md is made.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FILE = fileURLToPath(new URL("contract/matrix.json", import.meta.url));

/** @returns {{ kind: string, capability: string, passed: boolean }[]} the cases that were run */
const casesOf = (report) =>
  report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.flatMap(({ title, status }) => {
      const found = /^([a-z]+): (.+?) \[(?:contract|listener):/.exec(title);
      if (found === null || (status !== "passed" && status !== "failed")) return [];
      return [{ kind: found[1], capability: found[2], passed: status === "passed" }];
    }),
  );

/**
 * How the run differs from what is written, as lines; empty when it does not. A run of a part says nothing of the rest;
 * `whole`: a capability that is written and was not shown is missing.
 */
export const compareMatrix = (report, { whole }) => {
  const cases = casesOf(report);
  const written = JSON.parse(readFileSync(FILE, "utf8"));
  const isWritten = ({ kind, capability }) => (written[kind] ?? []).includes(capability);
  const lines = cases.flatMap((one) => {
    if (one.passed === isWritten(one)) return [];
    return [`${one.kind}: ${one.capability}: ${one.passed ? "shown, and not written" : "written, and not shown"}`];
  });
  if (!whole) return lines;
  const wasRun = (kind, capability) => cases.some((one) => one.kind === kind && one.capability === capability);
  const gone = Object.entries(written).flatMap(([kind, all]) =>
    all.filter((one) => !wasRun(kind, one)).map((one) => `${kind}: ${one}: written, and not tried`),
  );
  return [...lines, ...gone];
};

/** Writes what was shown; what was not tried stays as it is, but in a whole run. */
export const writeMatrix = (report, { whole }) => {
  const cases = casesOf(report);
  const written = whole ? {} : JSON.parse(readFileSync(FILE, "utf8"));
  for (const { kind, capability, passed } of cases) {
    const rest = (written[kind] ?? []).filter((one) => one !== capability || passed);
    written[kind] = passed && !rest.includes(capability) ? [...rest, capability] : rest;
  }
  writeFileSync(FILE, `${JSON.stringify(written, null, 2)}\n`);
};
