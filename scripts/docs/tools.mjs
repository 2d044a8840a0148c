// The tool reference of docs/mcp-tools.md, from the list that the tool server itself gives its clients.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";

const cell = (text) => String(text).replaceAll("|", "\\|").replaceAll("\n", " ");

const parameterCells = ([name, schema], required) => [
  `\`${name}\``,
  `${cell(schema.type ?? "any")}${schema.items?.type === undefined ? "" : ` of ${schema.items.type}`}`,
  required.includes(name) ? "yes" : "no",
  schema.default === undefined ? "" : `\`${JSON.stringify(schema.default)}\``,
  cell(schema.description ?? ""),
];

/** Columns are lined up, as the formatter of this project wants a table. */
const table = (rows) => {
  const widths = rows[0].map((_, column) => Math.max(3, ...rows.map((row) => row[column].length)));
  const drawn = (row, filler) => `| ${row.map((text, column) => text.padEnd(widths[column], filler)).join(" | ")} |`;
  const [head, ...body] = rows;
  const rule = drawn(
    head.map(() => ""),
    "-",
  );
  return [drawn(head, " "), rule, ...body.map((row) => drawn(row, " "))];
};

const toolSection = ({ name, description, inputSchema }) => {
  const parameters = Object.entries(inputSchema.properties ?? {});
  const rows = [
    ["parameter", "type", "required", "default", "meaning"],
    ...parameters.map((parameter) => parameterCells(parameter, inputSchema.required ?? [])),
  ];
  const shown = parameters.length === 0 ? ["Parameters: none."] : table(rows);
  return [`### ${name}`, "", description, "", ...shown].join("\n");
};

/** Markdown of a tool list as `tools/list` gives it. */
export const renderTools = (tools) => tools.map(toolSection).join("\n\n");

/** The list of a tool server, asked for by a client as any other. */
export const listTools = async (server) => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "docs", version: "0" });
  await server.connect(far);
  await client.connect(near);
  const { tools } = await client.listTools();
  await client.close();
  return tools;
};

/** The tool server of the build. */
export const builtServer = async () => {
  const { createToolServer } = await import("../../dist/mcp/server.js");
  // Listing its tools asks nothing of an engine or a mailbox.
  const context = {
    client: null,
    caller: { kind: "terminal", id: "docs" },
    answered: () => undefined,
    progressEveryMs: 5_000,
  };
  const mailbox = { door: null, caller: null, progressEveryMs: 5_000 };
  return createToolServer(context, mailbox, "0");
};
