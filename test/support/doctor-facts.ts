/** Facts of a machine on which all is well; a test changes what it is about. */
import type { AnsweringServer, CliFacts, Facts } from "../../src/doctor/facts.js";

export const goodServer: AnsweringServer = {
  kind: "answers",
  whose: "user",
  socket: "/tmp/tmux-1000/default",
  version: "3.7",
  windowSize: "latest",
  exitUnattached: "off",
  hooks: [],
};

export const goodCli: CliFacts = {
  kind: "claude",
  title: "Claude Code",
  program: "claude",
  isNamed: false,
  path: "/usr/bin/claude",
  version: "2.1.332 (Claude Code)",
  tested: "2.1.332",
  switchedOffBy: null,
};

export const goodFacts: Facts = {
  tmux: { kind: "there", path: "/usr/bin/tmux", version: "tmux 3.7", hasUtempter: false },
  servers: [goodServer],
  machine: {
    platform: "linux",
    node: "v20.19.0",
    locale: "C.UTF-8",
    curl: true,
    logout: { killsProcesses: false, lingers: false },
  },
  state: {
    home: "/home/u/.local/state/quay",
    exists: true,
    isForeign: false,
    open: [],
    freeBytes: 50 * 1024 ** 3,
    isNetwork: false,
    settingsFault: null,
  },
  clis: [goodCli],
  engine: { kind: "none" },
  port: { port: 47100, isTaken: false },
};
