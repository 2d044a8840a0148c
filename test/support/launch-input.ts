/** What a launch is asked for in the tests of adapters: a plain terminal with the bridge on; a test says what differs. */
import type { LaunchInput, Wiring } from "../../src/adapters/adapter.js";

const WIRING: Wiring = {
  mcpUrl: "http://127.0.0.1:4000/mcp",
  eventsUrl: "http://127.0.0.1:4000/events",
  token: "tool-secret",
  eventSecret: "event-secret",
  spoolDir: "/s/t1",
  assetsDir: "/assets",
  bridge: true,
};

export const launchInput = (change: Partial<LaunchInput> = {}, wiring: Partial<Wiring> = {}): LaunchInput => ({
  id: "t1",
  name: "worker",
  cwd: "/w",
  args: [],
  env: {},
  prompt: null,
  resume: null,
  newSession: "new-session",
  command: null,
  wiring: { ...WIRING, ...wiring },
  ...change,
});
