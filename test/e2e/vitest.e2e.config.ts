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
    // Programs of others: a start that hangs or a key that is lost by one of them does not stop what is landing. The
    // report says "retry x1" beside it. At a desk every failure counts.
    retry: process.env.CI ? 1 : 0,
  },
});
