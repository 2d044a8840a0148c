/** The real Gemini CLI through the contract of a listener. */
import { geminiCli } from "../../support/clis/gemini.js";
import { pressTwice } from "./hands.js";
import { listenerContract } from "./listener.js";

listenerContract({
  kind: "gemini",
  setUp: geminiCli,
  ready: /Type your message or @path/,
  quit: (stage, name) => pressTwice(stage, name, "C-c", /again to exit/),
});
