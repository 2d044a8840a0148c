// Writes the generated parts of docs/ from the build (--write), or fails when a page differs from it (--check).
// Another generated part is one more entry in `parts`; part null: the whole page is generated.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readMatrix, renderMatrix } from "./docs/matrix.mjs";
import { checkPart, writePart } from "./docs/page.mjs";
import { builtServer, listTools, renderTools } from "./docs/tools.mjs";

const parts = [
  { page: "docs/mcp-tools.md", part: "tools", render: async () => renderTools(await listTools(await builtServer())) },
  {
    page: "docs/cli-flags.md",
    part: "run kinds",
    render: async () => (await import("../dist/adapters/kinds-page.js")).kindsPage(),
  },
  { page: "docs/cli-flags.md", part: "matrix", render: async () => renderMatrix(readMatrix()) },
  {
    page: "README.md",
    part: "run kinds",
    render: async () => (await import("../dist/adapters/kinds-page.js")).levelsPage(),
  },
  {
    page: "docs/cli-flags.md",
    part: "command line",
    render: async () => (await import("../dist/cli/docs-page.js")).cliPage(),
  },
  {
    page: "docs/settings.md",
    part: "settings",
    render: async () => {
      const { levelChoices, runKinds } = await import("../dist/adapters/registry.js");
      return (await import("../dist/store/settings-page.js")).settingsPage(runKinds, levelChoices);
    },
  },
  { page: "docs/keys.md", part: null, render: async () => (await import("../dist/tui/keymap.js")).keysPage() },
];

const root = new URL("../", import.meta.url);
const mode = process.argv[2];
if (mode !== "--write" && mode !== "--check") {
  console.error("docs: say --write or --check.");
  process.exit(2);
}

let failed = 0;
for (const { page, part, render } of parts) {
  const file = fileURLToPath(new URL(page, root));
  try {
    const content = await render();
    const text = readFileSync(file, "utf8");
    if (mode === "--write") {
      const written = writePart(text, part, content);
      if (written !== text) writeFileSync(file, written);
      continue;
    }
    const problems = checkPart(text, part, content);
    if (problems.length === 0) continue;
    failed += 1;
    console.error(`docs: ${page} differs from the program (- the page, + the program); npm run docs writes it anew:`);
    for (const problem of problems) console.error(`  ${problem}`);
  } catch (error) {
    failed += 1;
    const advice = error.code === "ERR_MODULE_NOT_FOUND" ? " Run npm run build first." : "";
    console.error(`docs: ${page}: ${error.message}${advice}`);
  }
}
process.exit(failed === 0 ? 0 : 1);
