/** What the pages say of the run kinds, held against the registry and the versions that the tests drive. */
import { expect, test } from "vitest";
import { kindsPage, levelsPage } from "../../../src/adapters/kinds-page.js";
import { runKinds } from "../../../src/adapters/registry.js";
import { testedVersions } from "../../../src/adapters/tested-versions.js";
import { TESTED_PI } from "../../../src/bus/terminal.js";
import { buildProgram } from "../../../src/cli/program.js";

type Clis = { readonly CLIS: Readonly<Record<string, { readonly version: string }>> };
const { CLIS } = (await import(new URL("../../e2e/clis.mjs", import.meta.url).href)) as Clis;

test("each run kind has its row on both pages, with its level", () => {
  for (const page of [kindsPage(), levelsPage()]) {
    const rows = page.split("\n").slice(2);
    expect(rows.map((row) => /^\| `([a-z]+)` \|/.exec(row)?.[1])).toEqual(runKinds);
    for (const row of rows) expect(row).toMatch(/ \| (full peer|responder|listener|not a peer) \| /);
  }
});

test("the tested versions are those that the end-to-end tests pin", () => {
  const pinned = Object.fromEntries(Object.entries(CLIS).map(([kind, { version }]) => [kind, version]));
  expect(testedVersions).toEqual(pinned);
  expect(runKinds).toEqual(expect.arrayContaining(Object.keys(testedVersions)));
  expect(testedVersions.pi).toBe(TESTED_PI);
});

test("the version of each run kind, or why there is none, ends its row", () => {
  for (const page of [kindsPage(), levelsPage()]) {
    const said = page
      .split("\n")
      .slice(2)
      .map((row) => [/`([a-z]+)`/.exec(row)?.[1], / \| ([^|]+) \|$/.exec(row)?.[1]]);
    expect(said).toEqual(
      runKinds.map((kind) => [
        kind,
        testedVersions[kind] ?? expect.stringMatching(/^(none: not on npm|every test run)$/),
      ]),
    );
  }
});

test("the help of quay new names each run kind", () => {
  const program = buildProgram({
    version: "",
    columns: 400,
    write: () => {},
    writeError: () => {},
    act: async () => {},
  });
  const help = program.commands.find((verb) => verb.name() === "new")?.helpInformation() ?? "";
  for (const kind of runKinds) expect(help).toMatch(new RegExp(`what runs in it: .*\\b${kind}\\b`));
});
