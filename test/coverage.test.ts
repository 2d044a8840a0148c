/** Every promise of the manifest is cited by a test, and every citation is a promise. Reads the sources, runs nothing. */
import { describe, expect, test } from "vitest";
import { requirements } from "./requirements.js";
import { citationsIn } from "./support/cited-ids.js";
import { readSources } from "./support/source-files.js";

/** A suite of a folder contract/ is run by the tests of each implementation, so its citations count. */
const citations = readSources("test", /\.test\.tsx?$|^test\/(e2e\/)?contract\/[^/]+\.ts$/)
  .filter((file) => file.path !== "test/coverage.test.ts")
  .flatMap((file) => citationsIn(file.path, file.text));
const known = new Set<string>(requirements.map((requirement) => requirement.id));

const fail = (title: string, lines: readonly string[]): void => {
  if (lines.length > 0) expect.fail(`${title}\n${lines.map((line) => `  ${line}`).join("\n")}`);
};

describe("the requirement manifest", () => {
  test("has no id twice and no empty sentence", () => {
    const ids = requirements.map((requirement) => requirement.id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect(requirements.filter((requirement) => requirement.behaviour.trim() === "")).toEqual([]);
  });

  test("every requirement is cited by a test", () => {
    const cited = new Set(citations.map((citation) => citation.id));
    const missing = requirements.filter((requirement) => !cited.has(requirement.id));
    fail(
      `${missing.length} of ${requirements.length} requirements have no test:`,
      missing.map(({ id, source, behaviour }) => `${id}: ${behaviour} (${source})`),
    );
  });

  test("every cited id is in the manifest", () => {
    const unknown = citations.filter(({ id }) => id === null || !known.has(id));
    fail(
      "citations that test/requirements.ts does not know:",
      unknown.map(({ file, line, id }) => `${file}:${line}: ${id ?? "an id that is not written out"}`),
    );
  });
});

describe("the scan for citations", () => {
  const idsIn = (source: string) => citationsIn("made-up.test.ts", source).map((citation) => citation.id);

  test("reads one id, lists and calls that run over several lines", () => {
    expect(idsIn(`verifies("a:b", "t", f);\nverifies(\n  ["c:d",\n   'e:f'],\n "t", f);`)).toEqual([
      "a:b",
      "c:d",
      "e:f",
    ]);
  });

  test("leaves out what stands in a comment or a string", () => {
    expect(idsIn(`// verifies("a:b")\n/* verifies("c:d") */ const glob = "src/**/*.ts verifies('e:f')";`)).toEqual([]);
  });

  test("reports ids that are not written out", () => {
    expect(idsIn(`verifies(id, "t", f)`)).toEqual([null]);
  });
});
