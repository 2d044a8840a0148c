/** The proof of an entry, below its message and answer: what was typed where, and which signs came when. Pure. */
import { type Line, line } from "../line.js";
import { wrap } from "../text.js";
import type { Proof } from "../ui.js";
import { counted, wordClock } from "../view-model.js";

const MARKERS: Readonly<Record<Proof["markers"], string>> = {
  nothing: "the pane's markers know nothing of it",
  pasted: "the pane's markers say: pasted, not entered",
  entered: "the pane's markers say: entered",
  "entered twice": "the pane's markers say: entered, and once more since the first Enter only broke the line",
  later: "a later message was typed there since",
  gone: "the pane is gone",
};

export const proofView = (proof: Proof, width: number): readonly Line[] => {
  const { typed } = proof;
  const facts = [
    `${proof.state}; ${counted(typed.bytes, "byte")} in ${counted(typed.lines, "line")}, SHA-256 ${typed.sha256}`,
    `pane ${proof.pane ?? "none"}: ${MARKERS[proof.markers]}`,
    `hand-offs since a person's prompt: ${proof.hops}; turn ${proof.turn ?? "none seen"}`,
    ...proof.times.map(({ at, what }) => `${wordClock(at)} ${what}`),
  ];
  return [
    [],
    line("Proof", "title"),
    ...facts.flatMap((fact) => wrap(fact, width).map((row) => line(row))),
    ...(proof.screen === null
      ? []
      : [[], line("What its screen showed", "title"), ...wrap(proof.screen, width).map((row) => line(row, "faint"))]),
  ];
};
