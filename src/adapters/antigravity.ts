/**
 * Antigravity (`agy`): a responder. It has no tools of Quay; its status and its answers are what it prints by OSC 7501.
 * Pure. Source: "Peers and Their Levels" and quay_send_message of the product text.
 */
import type { Observation } from "../bus/protocol.js";
import type { Adapter, Interpretation, Memory, Signal } from "./adapter.js";
import { wirePeer } from "./launch-wiring.js";
import { type Blocked, interpretProgramStatus } from "./osc-interpret.js";

/** Characters (code points) of an answer that it reports. */
const ANSWER_LENGTH = 199;

/** An answer that fills its room is taken for one that was longer (DECISIONS A9). */
const withLimit = (observation: Observation): Observation => {
  if (observation.kind !== "programStatus" || observation.state !== "done") return observation;
  const points = [...observation.text];
  return points.length < ANSWER_LENGTH
    ? observation
    : { ...observation, text: points.slice(0, ANSWER_LENGTH).join(""), cutAt: ANSWER_LENGTH };
};

const interpret = (memory: Memory, signal: Signal): Interpretation => {
  switch (signal.kind) {
    case "programStatus": {
      const known = (memory.blocked ?? null) as Blocked;
      const { blocked, observations } = interpretProgramStatus(known, signal);
      return { memory: { blocked }, observations: observations.map(withLimit) };
    }
    case "gap":
      return { memory: {}, observations: [{ kind: "programStatusLost" }] };
    default:
      // Nothing else of it is read.
      return { memory, observations: [] };
  }
};

export const antigravity: Adapter = {
  kind: "antigravity",
  title: "Antigravity",
  program: "agy",
  traits: {
    level: "responder",
    typing: "between turns",
    turns: "osc",
    reporter: { graceMs: 30_000, remedy: "file mailbox" },
  },
  // Its screens are not measured: what it prints of its status says when it may be typed on.
  line: null,
  // Safe with every CLI that was measured (facts/other-clis.md section 5).
  enterAfterMs: 300,
  programStatus: { answerAt: null },
  launch: (input) => ({
    argv: [
      input.command ?? "agy",
      ...(input.resume === null ? [] : ["--conversation", input.resume]),
      ...input.args,
      ...(input.prompt === null ? [] : [`--prompt-interactive=${input.prompt}`]),
    ],
    // Its events come by OSC: a bridge would have nobody to fill it.
    ...wirePeer(input, false),
  }),
  interpret,
  bridgeSwitch: null,
  resync: null,
};
