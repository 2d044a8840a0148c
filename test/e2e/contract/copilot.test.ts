/** The real Copilot CLI through the contract of a listener. */
import { copilotCli } from "../../support/clis/copilot.js";
import { pressTwice } from "./hands.js";
import { listenerContract } from "./listener.js";

listenerContract({
  kind: "copilot",
  setUp: copilotCli,
  ready: /^❯\s*$/m,
  quit: (stage, name) => pressTwice(stage, name, "C-c", /again to exit/),
  // Twice in some forty starts on a busy machine its empty-looking line was not understood for 30 s, and the message held.
  startsAnew: 1,
  // It tells the model the time with each prompt.
  heard: (prompt) => prompt.replace(/^<current_datetime>[^<]*<\/current_datetime>\s*/, ""),
});
