import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Real tmux, the real engine, agents that misbehave. Counts for every day; CHAOS=full takes all of them. */
// biome-ignore lint/style/noDefaultExport: vitest reads it there
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/chaos/**/*.test.ts"],
    testTimeout: process.env.CHAOS === "full" ? 1_800_000 : 240_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    maxConcurrency: 12,
    disableConsoleIntercept: true,
  },
});
