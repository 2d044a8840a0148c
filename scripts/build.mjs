// Compiles src/ into dist/ and copies the files that a CLI loads as they are (hooks, plugins, extensions).
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const tsc = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));
if (!existsSync(tsc)) {
  if (existsSync(`${root}/dist/cli/main.js`)) process.exit(0);
  console.error("build: TypeScript is not installed here; run npm ci with its development packages.");
  process.exit(1);
}
const compiled = spawnSync(process.execPath, [tsc, "-b", root], { cwd: root, stdio: "inherit" });
if (compiled.status !== 0) process.exit(compiled.status ?? 1);
const assets = `${root}/src/adapters/assets`;
if (existsSync(assets))
  cpSync(assets, `${root}/dist/adapters/assets`, { recursive: true, filter: (from) => !from.endsWith(".ts") });
if (existsSync(`${root}/dist/cli/main.js`)) chmodSync(`${root}/dist/cli/main.js`, 0o755);
