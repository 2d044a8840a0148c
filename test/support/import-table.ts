/**
 * Who may import whom, as data: the table of docs/architecture.md, and its exceptions one by one. A zone is a folder of
 * src/; the composition (engine/compose.ts, engine/compose-*.ts) is a zone of its own.
 */
import type { Import } from "./imports.js";

type Rule = {
  /** Zones, or files without their ending, that may be imported as they are. */
  readonly may: readonly string[];
  /** Of these, types only. */
  readonly types: readonly string[];
  /** Packages; `node:*` stands for all of the platform's. */
  readonly libraries: readonly string[];
};

const LANGUAGE = ["ids", "protocol", "refusal", "views", "terminal", "delivery", "turn"].map(
  (name) => `src/bus/${name}`,
);
const CLIENT = ["src/engine/client", "src/engine/api-contract", "src/engine/remote-client"];
const PORTS = { may: ["lib", "src/bus/ids"], types: ["src/engine/ports", "bus", "adapters"] };

export const table: Readonly<Record<string, Rule>> = {
  bus: { may: [], types: [], libraries: [] },
  adapters: { may: ["lib"], types: ["bus"], libraries: [] },
  /** Programs that a CLI loads into itself: each is one file that imports the platform alone, and nothing imports it. */
  "adapters/assets": { may: [], types: [], libraries: ["node:*"] },
  engine: { may: ["bus", "adapters", "mailbox/rules", "lib"], types: [], libraries: ["node:*"] },
  tmux: { ...PORTS, libraries: ["node:*", "execa"] },
  feeds: { ...PORTS, libraries: ["node:*", "chokidar", "zod"] },
  store: { ...PORTS, libraries: ["node:*", "chokidar", "conf", "libsql", "zod"] },
  /** Pure, as the bus: names, caps, visibility, state; the edge keeps them in SQLite. */
  "mailbox/rules": { may: ["src/bus/ids"], types: [], libraries: [] },
  "mailbox/edge": {
    may: ["lib", "src/bus/ids", "mailbox/rules", "src/store/database", "src/store/migrations"],
    types: [],
    libraries: ["node:*"],
  },
  mcp: {
    may: [...CLIENT, ...LANGUAGE, "mailbox/rules", "lib"],
    types: [],
    libraries: ["node:*", "@modelcontextprotocol/sdk", "zod"],
  },
  tui: { may: [...CLIENT, ...LANGUAGE, "mailbox/rules", "lib"], types: [], libraries: ["node:*", "ink", "react"] },
  cli: {
    may: ["compose", "doctor", ...CLIENT, ...LANGUAGE, "mailbox/rules", "lib"],
    types: [],
    libraries: ["node:*", "commander", "execa", "zod"],
  },
  /** Looks at the machine without an engine: what is known of tmux's versions and of each CLI is kept where it is used. */
  doctor: {
    may: [
      "lib",
      "src/tmux/version",
      "src/tmux/run",
      "src/adapters/registry",
      "src/adapters/tested-versions",
      "src/feeds/bridge-switch",
    ],
    types: ["bus", "adapters"],
    libraries: ["node:*"],
  },
  /** A program of its own that plays a coding CLI: it meets Quay only over MCP, hooks and the terminal. */
  demo: { may: ["lib"], types: [], libraries: ["node:*", "@modelcontextprotocol/sdk", "commander", "execa"] },
  /** As the demo: a program of its own, that plays a coding CLI which misbehaves. */
  drill: { may: ["lib"], types: [], libraries: ["node:*"] },
  lib: { may: [], types: [], libraries: ["node:*", "pino"] },
  compose: {
    may: ["bus", "adapters", "engine", "tmux", "feeds", "store", "mailbox/edge", "mailbox/rules", "mcp", "tui", "lib"],
    types: [],
    libraries: ["node:*"],
  },
};

export type Exception = {
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  readonly typesOnly?: true;
};

export const exceptions: readonly Exception[] = [
  { from: "src/engine/api-contract", to: "zod", reason: "the contract of /api is checked at both of its ends" },
  { from: "src/lib/clock", to: "src/engine/ports", typesOnly: true, reason: "implements the port Clock" },
  { from: "src/lib/ids", to: "src/engine/ports", typesOnly: true, reason: "implements the port Ids" },
  { from: "src/lib/ids", to: "src/bus/ids", reason: "an id is checked where it is made" },
  { from: "src/store/presets", to: "src/engine/client", typesOnly: true, reason: "the port's seats are the client's" },
  { from: "src/store/preset-file", to: "src/bus/text", reason: "one rule of names, pure" },
  { from: "src/store/approval-rules", to: "src/bus/approval-rule", reason: "one rule language, pure" },
  { from: "src/store/preset-folder", to: "src/bus/text", reason: "one rule of names, pure" },
  {
    from: "src/feeds/osc",
    to: "src/adapters/program-status",
    reason: "the protocol's pure machine, fed with live bytes",
  },
  { from: "src/cli/screen", to: "src/tui/render", reason: "the one door from the command line to the screen" },
  { from: "src/cli/screen", to: "src/tui/view-model", reason: "a pipe's trail is worded as the screen's" },
  {
    from: "src/cli/way-back",
    to: "src/tmux/mission-control-key",
    reason: "the screen that a key opened is known, and left, by what the key noted",
  },
  { from: "src/cli/screen", to: "src/tui/text", reason: "one rule for inert text and cell counts, pure" },
  {
    from: "src/cli/drill-run",
    to: "src/drill/record",
    typesOnly: true,
    reason: "reads what the drill's agent wrote down",
  },
  { from: "src/demo/cells", to: "src/adapters/screen", reason: "cells are counted once, pure" },
  { from: "src/drill/frame", to: "src/demo/cells", reason: "text is wrapped and made inert in one way, pure" },
  { from: "src/demo/draft", to: "src/adapters/demo-line", reason: "draws the marks that the adapter reads" },
  { from: "src/demo/frame", to: "src/adapters/demo-line", reason: "draws the marks that the adapter reads" },
];

/** Packages that one file alone may import. */
export const soleImporters: Readonly<Record<string, string>> = { libsql: "src/store/database" };

const bare = (path: string): string => path.replace(/\.(ts|tsx)$/, "");

/** null outside the folders of src/. */
export const zoneOf = (path: string): string | null => {
  if (/^src\/engine\/compose(-[^/]+)?$/.test(bare(path))) return "compose";
  return /^src\/(mailbox\/[^/]+|adapters\/assets|[^/]+)\/./.exec(path)?.[1] ?? null;
};

const isException = (from: string, found: Import): boolean =>
  exceptions.some(
    (exception) =>
      exception.from === from && exception.to === found.target && (exception.typesOnly !== true || found.typesOnly),
  );

const libraryFault = (from: string, zone: string, rule: Rule, found: Import): string | null => {
  const library = found.target ?? "";
  const sole = soleImporters[library];
  if (sole !== undefined && sole !== from) return `only ${sole} may import ${library}`;
  const allowed =
    rule.libraries.includes(library) || (library.startsWith("node:") && rule.libraries.includes("node:*"));
  return allowed ? null : `${zone} may import these packages: ${rule.libraries.join(", ") || "none"}`;
};

/** The rule that an import breaks; null when it breaks none. */
export const faultOf = (found: Import): string | null => {
  const from = bare(found.file);
  const zone = zoneOf(found.file);
  const rule = zone === null ? undefined : table[zone];
  if (zone === null || rule === undefined) return `${zone ?? "this folder"} has no rule in the table`;
  if (found.target === null) return "an import has to name its file";
  if (isException(from, found)) return null;
  if (!found.isOurs) return libraryFault(from, zone, rule, found);
  const target = found.target;
  const targetZone = zoneOf(target);
  const isIn = (list: readonly string[]): boolean =>
    list.includes(target) || (targetZone !== null && list.includes(targetZone));
  if (targetZone === zone || isIn(rule.may)) return null;
  if (isIn(rule.types)) return found.typesOnly ? null : `${zone} may import only types of ${target}`;
  const may = [...rule.may, ...rule.types.map((entry) => `types of ${entry}`)];
  return `${zone} may import ${["itself", ...may].join(", ")}`;
};
