/** The borders of the sources: who imports whom, what the pure folders do without, and how files export. */
import { describe, expect, test } from "vitest";
import { exceptions, faultOf, soleImporters, table, zoneOf } from "./support/import-table.js";
import { exportFaultsIn, importsIn, impuritiesIn } from "./support/imports.js";
import { readSources } from "./support/source-files.js";
import { verifies } from "./support/verifies.js";

const sources = readSources("src", /\.tsx?$/);
const imports = sources.flatMap((file) => importsIn(file.path, file.text));

const none = (title: string, faults: readonly string[]): void => {
  if (faults.length > 0) expect.fail(`${title}\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
};

describe("the sources", () => {
  verifies("borders:imports", "import only what the table allows", () => {
    expect(imports.length).toBeGreaterThan(50);
    none(
      "imports that the table does not allow:",
      imports.flatMap((found) => {
        const fault = faultOf(found);
        return fault === null ? [] : [`${found.file}:${found.line} imports ${found.target}: ${fault}`];
      }),
    );
  });

  test("the pure folders know no clock, no chance, no timer and no platform", () => {
    none(
      "in a pure folder:",
      sources
        .filter((file) => ["bus", "adapters"].includes(zoneOf(file.path) ?? ""))
        .flatMap((file) => impuritiesIn(file.path, file.text).map((use) => `${file.path}:${use}`)),
    );
  });

  test("are short, and export by name", () => {
    none(
      "against the house style:",
      sources.flatMap((file) =>
        exportFaultsIn(file.path, file.text)
          // A CLI calls the default export of what it loads.
          .filter((fault) => zoneOf(file.path) !== "adapters/assets" || fault !== "has a default export")
          .map((fault) => `${file.path} ${fault}`),
      ),
    );
  });

  test("every exception and sole importer of the table is used", () => {
    const isUsed = (from: string, to: string): boolean =>
      imports.some((found) => found.file.replace(/\.tsx?$/, "") === from && found.target === to);
    none(
      "not needed any more:",
      [
        ...exceptions.map(({ from, to }) => ({ from, to })),
        ...Object.entries(soleImporters).map(([to, from]) => ({ from, to })),
      ].flatMap(({ from, to }) => (isUsed(from, to) ? [] : [`${from} does not import ${to}`])),
    );
  });
});

describe("the reading of imports", () => {
  const targets = (text: string) => importsIn("src/tmux/x.ts", text).map((found) => [found.target, found.typesOnly]);

  test.each([
    ['import { a } from "./a.js";', ["src/tmux/a", false]],
    ['import type { A } from "../engine/ports.js";', ["src/engine/ports", true]],
    ['import { type A, type B } from "../bus/ids.js";', ["src/bus/ids", true]],
    ['import { type A, b } from "../bus/ids.js";', ["src/bus/ids", false]],
    ['import * as all from "../bus/ids.js";', ["src/bus/ids", false]],
    ['import type * as All from "../bus/ids.js";', ["src/bus/ids", true]],
    ['import "../store/store.js";', ["src/store/store", false]],
    ['import {} from "../store/store.js";', ["src/store/store", false]],
    ['import only, { type A } from "libsql";', ["libsql", false]],
    ['export { a } from "../bus/ids.js";', ["src/bus/ids", false]],
    ['export type { A } from "../bus/ids.js";', ["src/bus/ids", true]],
    ['export * from "../bus/ids.js";', ["src/bus/ids", false]],
    ['const late = async () => import("../mcp/bridge.js");', ["src/mcp/bridge", false]],
    ['type A = import("../mcp/bridge.js").A;', ["src/mcp/bridge", true]],
    ['import fs = require("node:fs");', ["node:fs", false]],
    ['import { z } from "@modelcontextprotocol/sdk/types.js";', ["@modelcontextprotocol/sdk", false]],
    ["const late = (name: string) => import(name);", [null, false]],
  ])("%s", (text, expected) => {
    expect(targets(text)).toEqual([expected]);
  });

  test("comments and strings import nothing", () => {
    expect(targets('// import "../mcp/a.js";\n/* import "../mcp/b.js" */\nconst t = `import "../mcp/c.js"`;')).toEqual(
      [],
    );
  });
});

describe("the table", () => {
  const fault = (file: string, text: string) => importsIn(file, text).map(faultOf)[0];

  test.each([
    ["src/bus/a.ts", 'import type { X } from "../lib/errors.js"', "bus may import itself"],
    ["src/bus/a.ts", 'import { z } from "zod"', "bus may import these packages: none"],
    ["src/bus/a.ts", 'import { join } from "node:path"', "bus may import these packages: none"],
    [
      "src/adapters/a.ts",
      'import { decide } from "../bus/decide.js"',
      "adapters may import only types of src/bus/decide",
    ],
    ["src/adapters/a.ts", 'import { readFileSync } from "node:fs"', "adapters may import these packages: none"],
    [
      "src/engine/a.ts",
      'import { openStore } from "../store/store.js"',
      "engine may import itself, bus, adapters, mailbox/rules, lib",
    ],
    [
      "src/engine/a.ts",
      'import { compose } from "./compose.js"',
      "engine may import itself, bus, adapters, mailbox/rules, lib",
    ],
    ["src/engine/a.ts", 'import { z } from "zod"', "engine may import these packages: node:*"],
    ["src/tmux/a.ts", 'import type { X } from "../store/store.js"', "tmux may import itself"],
    [
      "src/tmux/a.ts",
      'import { claude } from "../adapters/claude.js"',
      "tmux may import only types of src/adapters/claude",
    ],
    ["src/tmux/a.ts", 'import type { X } from "../engine/engine.js"', "tmux may import itself"],
    ["src/store/a.ts", 'import Libsql from "libsql"', "only src/store/database may import libsql"],
    ["src/mcp/a.ts", 'import { decide } from "../bus/decide.js"', "mcp may import itself"],
    ["src/mcp/a.ts", 'import type { Journal } from "../engine/ports.js"', "mcp may import itself"],
    ["src/tui/a.tsx", 'import { compose } from "../engine/compose.js"', "tui may import itself"],
    ["src/lib/clock.ts", 'import { x } from "../engine/ports.js"', "lib may import itself"],
    ["src/helpers/a.ts", 'import { x } from "./b.js"', "helpers has no rule in the table"],
    ["src/a.ts", 'import { x } from "./b.js"', "this folder has no rule"],
    ["src/cli/a.ts", "import(name)", "an import has to name its file"],
  ])("refuses in %s: %s", (file, text, words) => {
    expect(fault(file, text)).toContain(words);
  });

  test.each([
    ["src/bus/a.ts", 'import { b } from "./b.js"'],
    ["src/tmux/a.ts", 'import { terminalId } from "../bus/ids.js"'],
    ["src/tmux/a.ts", 'import type { TerminalHost } from "../engine/ports.js"'],
    ["src/engine/a.ts", 'import { claude } from "../adapters/claude.js"'],
    ["src/engine/compose.ts", 'import { openStore } from "../store/store.js"'],
    ["src/engine/compose-host.ts", 'import { createHost } from "../tmux/host.js"'],
    ["src/cli/a.ts", 'import { compose } from "../engine/compose.js"'],
    ["src/mcp/tools/a.ts", 'import { wordRefusal } from "../../bus/refusal.js"'],
    ["src/store/database.ts", 'import Libsql from "libsql"'],
    ["src/lib/clock.ts", 'import type { Clock } from "../engine/ports.js"'],
  ])("allows in %s: %s", (file, text) => {
    expect(fault(file, text)).toBeNull();
  });

  test("gives a reason for each exception, and a rule for each folder", () => {
    expect(exceptions.filter((exception) => exception.reason.trim() === "")).toEqual([]);
    const zones = new Set(sources.map((file) => zoneOf(file.path) ?? file.path));
    expect([...zones].filter((zone) => table[zone] === undefined)).toEqual([]);
  });
});

describe("the checks of style and purity", () => {
  test.each([
    ["export default 1;", "has a default export"],
    ["export default function a() {}", "has a default export"],
    ["const a = 1; export { a as default };", "has a default export"],
    ['export * from "./a.js"; const b = 1;', "exports everything of another file (export *)"],
    ['export { a } from "./a.js";\nexport { b } from "./b.js";', "is a barrel: it only re-exports"],
    ["const a = 1;\n".repeat(301), "has 301 lines; the limit is 300"],
  ])("%#", (text, fault) => {
    expect(exportFaultsIn("src/lib/a.ts", text)).toEqual([fault]);
  });

  test("good files have no fault", () => {
    expect(exportFaultsIn("src/lib/a.ts", 'import { b } from "./b.js";\nexport const a = b;\n'.repeat(150))).toEqual(
      [],
    );
    expect(exportFaultsIn("src/lib/a.ts", 'export { b } from "./b.js";\nexport const a = 1;')).toEqual([]);
  });

  test("finds clocks, chance, timers and the platform", () => {
    const text = "const a = Date.now();\nconst b = Math.random();\nsetTimeout(f, 1);\nconst c = process.env;\n";
    expect(impuritiesIn("src/bus/a.ts", text)).toEqual(["1: Date", "2: Math.random", "3: setTimeout", "4: process"]);
  });

  test("lets names and comments be that are only spelled so", () => {
    const text =
      "// Date\nconst a = { process: 1, console: 2 };\nconst b = a.process + Math.max(1, 2);\ntype T = { Date: 1 };\n";
    expect(impuritiesIn("src/bus/a.ts", text)).toEqual([]);
  });
});
