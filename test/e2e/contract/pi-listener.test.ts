/** The real Pi as it is without a setting, through the contract of a listener. */
import { piCli } from "../../support/clis/pi.js";
import { pressTwice } from "./hands.js";
import { listenerContract } from "./listener.js";

listenerContract({
  kind: "pi",
  setUp: piCli,
  ready: /fake-1/,
  quit: (stage, name) => pressTwice(stage, name, "C-c", /fake-1/),
});
