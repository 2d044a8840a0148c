import { defineConfig } from "vitest/config";

/** unit: no tmux, no network beyond loopback. tmux: a real tmux server per test, one file at a time on small machines. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/*.test.ts", "test/{unit,contract,mcp,mailbox,tui,cli,store,feeds}/**/*.test.{ts,tsx}"],
          testTimeout: 20_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "tmux",
          include: ["test/tmux/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 30_000,
          fileParallelism: true,
          maxWorkers: 2,
          // Groups of different workers cannot run at once: after the unit tests.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
