import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Real CLIs in real tmux: started only by run.mjs, inside a network of their own. */
// biome-ignore lint/style/noDefaultExport: vitest reads it there
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/e2e/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
