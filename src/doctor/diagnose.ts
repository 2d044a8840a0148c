/** All checks over all facts, in the order in which a person reads them. Pure. */
import { checkClis, checkEngine } from "./agent-checks.js";
import type { Facts } from "./facts.js";
import type { Section } from "./finding.js";
import { checkMachine, checkState } from "./machine-checks.js";
import { checkServer, checkTmux } from "./tmux-checks.js";

export const diagnose = (facts: Facts): readonly Section[] => [
  {
    title: "tmux",
    findings: [...checkTmux(facts.tmux), ...facts.servers.flatMap((server) => checkServer(server, facts.tmux))],
  },
  { title: "coding CLIs", findings: checkClis(facts.clis) },
  { title: "engine", findings: checkEngine(facts.engine, facts.port) },
  { title: "state folder", findings: checkState(facts.state) },
  { title: "machine", findings: checkMachine(facts.machine) },
];
