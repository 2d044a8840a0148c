/**
 * Pi, and PiG, its rebuild in Go: one CLI in two programs, with the same extension, line and OSC 7501.
 * PiG is a full peer; Pi is a listener, and a full peer by the setting `adapters.pi.level`.
 * Source: "Peers and Their Levels" of the product text; DECISIONS A11.
 */
import type { Remedy, Traits } from "../bus/terminal.js";
import type { Adapter } from "./adapter.js";
import { interpretPi } from "./pi-interpret.js";
import { launchPi } from "./pi-launch.js";
import { piLine } from "./pi-line.js";

/** Unheard in the 30 seconds after its first output, it counts as a listener. */
const fullPeer = (remedy: Remedy): Traits => ({
  level: "full peer",
  typing: "between turns",
  turns: "bridge",
  reporter: { graceMs: 30_000, remedy },
});

const common = {
  line: piLine,
  enterAfterMs: 0,
  // It is told by its environment to report without asking.
  programStatus: null,
  interpret: interpretPi,
  bridgeSwitch: null,
  // The extension tells the state of a turn or a dialog again, every minute.
  resync: null,
} as const;

export const pig: Adapter = {
  ...common,
  kind: "pig",
  title: "PiG",
  program: "pig",
  traits: fullPeer("compare the PiG version"),
  launch: launchPi("pig", "full peer"),
};

export const pi: Adapter = {
  ...common,
  kind: "pi",
  title: "Pi",
  program: "pi",
  traits: { level: "listener", typing: "at once", turns: "none", reporter: null },
  raised: fullPeer("compare the Pi version"),
  launch: launchPi("pi", "listener"),
};
