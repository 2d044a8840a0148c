import { join } from "node:path";
import { terminalHostContract } from "../contract/terminal-host.js";
import { createTmuxServer } from "../support/tmux-server.js";
import { createTmuxPrograms } from "../support/tmux-world.js";

terminalHostContract("on tmux", () => {
  const server = createTmuxServer();
  const programs = createTmuxPrograms(server);
  return {
    host: () => server.host(),
    receiver: programs.receiver,
    ending: programs.ending,
    missingFolder: join(server.folder, "gone"),
    missingProgram: "quay-no-such-program",
    received: programs.received,
    ready: programs.ready,
    end: server.end,
  };
});
