import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { terminalId } from "../../src/bus/ids.js";
import { createToolServer } from "../../src/mcp/server.js";
import { createFakeEngine } from "../support/fake-engine.js";
import { noMailbox } from "../support/loopback.js";
import { verifies } from "../support/verifies.js";

type Tool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: {
    readonly properties?: Readonly<Record<string, object>>;
    readonly required?: readonly string[];
  };
};
type PageScript = {
  readonly writePart: (text: string, part: string | null, content: string) => string;
  readonly checkPart: (text: string, part: string | null, content: string) => readonly string[];
};
type ToolsScript = {
  readonly renderTools: (tools: readonly Tool[]) => string;
  readonly listTools: (server: unknown) => Promise<readonly Tool[]>;
};

// The scripts are plain JavaScript: their types are stated here.
const load = (path: string): Promise<unknown> => import(new URL(path, import.meta.url).href);
const { checkPart, writePart } = (await load("../../scripts/docs/page.mjs")) as PageScript;
const { renderTools, listTools } = (await load("../../scripts/docs/tools.mjs")) as ToolsScript;

const page = readFileSync(new URL("../../docs/mcp-tools.md", import.meta.url), "utf8");
const { client, directory } = createFakeEngine();
const caller = { account: noMailbox.machine, terminal: "docs", connection: null };
const server = createToolServer(
  {
    client,
    caller: { kind: "terminal", id: terminalId("docs") },
    answered: directory.answered,
    progressEveryMs: 5_000,
  },
  { door: noMailbox, caller, progressEveryMs: 5_000 },
  "0",
);
const tools = await listTools(server);
const problemsWith = (changed: readonly Tool[]) => checkPart(page, "tools", renderTools(changed));

verifies("tools:reference-checked", "the page says what the server's list says", () => {
  expect(problemsWith(tools)).toEqual([]);
  for (const { name, inputSchema } of tools) {
    expect(page).toContain(`### ${name}\n`);
    for (const parameter of Object.keys(inputSchema.properties ?? {}))
      expect(page).toMatch(new RegExp(`^\\| \`${parameter}\` +\\|`, "m"));
  }
});

verifies("tools:reference-checked", "a renamed parameter fails with the two lines", () => {
  const renamed = tools.map((tool) => {
    const { properties = {}, required = [] } = tool.inputSchema;
    const change = (name: string) => (name === "message" ? "text" : name);
    return {
      ...tool,
      inputSchema: {
        properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [change(name), schema])),
        required: required.map(change),
      },
    };
  });
  expect(problemsWith(renamed)).toEqual([
    "- | `message` | string | yes | | The task, instruction or question. |",
    "+ | `text` | string | yes | | The task, instruction or question. |",
  ]);
});

verifies(
  "tools:reference-checked",
  "an added, removed or renamed tool fails, and so does a parameter's default",
  () => {
    const [first, ...rest] = tools as readonly [Tool, ...Tool[]];
    expect(problemsWith(rest)).toContain("- ### quay_list_agents");
    expect(problemsWith([...tools, { ...first, name: "quay_new" }])).toContain("+ ### quay_new");
    expect(problemsWith([{ ...first, name: "quay_ls" }, ...rest])).toEqual(["- ### quay_list_agents", "+ ### quay_ls"]);
    const other = JSON.parse(JSON.stringify(tools).replace('"default":true', '"default":false')) as readonly Tool[];
    expect(problemsWith(other)).toHaveLength(2);
  },
);

test("writing puts the part between its marks and leaves the prose", () => {
  const stale = writePart(page, "tools", "nothing");
  expect(checkPart(stale, "tools", renderTools(tools)).length).toBeGreaterThan(20);
  expect(writePart(stale, "tools", renderTools(tools))).toBe(page);
});

test("a page without the marks is an error that names them", () => {
  expect(checkPart("# Tools\n", "tools", "x")).toEqual([
    "the markers are missing: <!-- generated: tools (npm run docs) --> and <!-- end: tools -->",
  ]);
  expect(() => writePart("# Tools\n", "tools", "x")).toThrow("the markers are missing");
});

test("a page may be generated as a whole, and a table's widths are no difference", () => {
  expect(writePart("old", null, "| a | b |\n")).toBe("| a | b |\n");
  expect(checkPart("| a   | b |\n", null, "| a | b |")).toEqual([]);
  expect(checkPart("| a | b |\n", null, "| a | c |")).toEqual(["- | a | b |", "+ | a | c |"]);
});
