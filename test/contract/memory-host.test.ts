import { terminalId } from "../../src/bus/ids.js";
import type { PaneLaunch } from "../../src/engine/ports.js";
import { createMemoryHost, createMemoryWorld } from "../support/memory-host.js";
import { terminalHostContract } from "./terminal-host.js";

terminalHostContract("in memory", () => {
  const world = createMemoryWorld();
  world.missingFolders.add("/gone");
  world.missingPrograms.add("nothing");
  world.endsAtOnce.set("end-3", 3);
  const plan = (terminal: string, change: Partial<PaneLaunch> = {}): PaneLaunch => ({
    terminal: terminalId(terminal),
    name: terminal,
    cwd: "/work",
    argv: ["receiver"],
    env: {},
    unsetEnv: [],
    ...change,
  });
  return {
    host: () => createMemoryHost({ world }),
    receiver: plan,
    ending: (terminal, status) => plan(terminal, { argv: [`end-${status}`] }),
    missingFolder: "/gone",
    missingProgram: "nothing",
    received: (terminal) =>
      world.typed
        .filter((typed) => typed.terminal === terminal)
        .map((typed) => typed.text)
        .join(""),
    ready: async () => {},
    end: async () => {},
  };
});
