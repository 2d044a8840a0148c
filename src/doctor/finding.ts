/** One thing that the doctor looked at: how it is, in a sentence, and what to do about it. Types and counts only. */

/** `problem`: something does not work, or agents may be lost. `warning`: it works, and something is worth knowing. */
export type FindingState = "ok" | "warning" | "problem";

export type Finding = {
  /** Stable name for programs, such as `tmux.attach-crash`. */
  readonly check: string;
  readonly state: FindingState;
  readonly what: string;
  /** What to do; null when there is nothing to do. */
  readonly advice: string | null;
};

export type Section = { readonly title: string; readonly findings: readonly Finding[] };

export const ok = (check: string, what: string): Finding => ({ check, state: "ok", what, advice: null });
export const warning = (check: string, what: string, advice: string): Finding => ({
  check,
  state: "warning",
  what,
  advice,
});
export const problem = (check: string, what: string, advice: string): Finding => ({
  check,
  state: "problem",
  what,
  advice,
});

export const countOf = (sections: readonly Section[], state: FindingState): number =>
  sections.flatMap(({ findings }) => findings).filter((finding) => finding.state === state).length;
