/**
 * Whose events count: those of the one CLI that a terminal was started for. What that CLI starts inherits its secret and
 * its pane, so a second CLI below it looks the same but for its process. Pure; the caller looks processes up and keeps
 * what is bound here. Promise: `hazard:own-cli-only`.
 *
 * The pane's own process is the CLI, or a wrapper that started it (a script, a version switcher). So the process nearest
 * to the pane counts: the pane's itself if it ever speaks, else the first one below it, for as long as that lives there.
 * A process elsewhere never does, one with a number of its own name space included.
 */

export type ProcessFacts = {
  /** What the event says of itself; null: nothing. */
  readonly cli: number | null;
  /** The pane's process; null: it is not known any more. */
  readonly pane: number | null;
  /** The process whose events counted until now; null: none yet. */
  readonly bound: number | null;
};

export type ProcessVerdict =
  /** `isNew`: this process takes the place of another one, whose memory means nothing any more. `bind` null: keep what is bound. */
  | { readonly kind: "counts"; readonly bind: number | null; readonly isNew: boolean }
  | { readonly kind: "foreign"; readonly why: string };

const counts = (bind: number | null, isNew = false): ProcessVerdict => ({ kind: "counts", bind, isNew });
const foreign = (why: string): ProcessVerdict => ({ kind: "foreign", why });

/** @param ancestorsOf parent, grandparent …; null when the process is over. */
export const judgeProcess = (
  { cli, pane, bound }: ProcessFacts,
  ancestorsOf: (pid: number) => readonly number[] | null,
): ProcessVerdict => {
  if (cli === null) return bound === null ? counts(null) : foreign("no process is named");
  if (cli === bound) return counts(null);
  if (cli === pane) return counts(cli, bound !== null);
  if (bound !== null && bound === pane) return foreign("a CLI below the terminal's own");
  const ancestors = pane === null ? null : ancestorsOf(cli);
  // What left its event and ended can no longer be placed: a CLI that was bound before is believed, nobody else.
  if (pane === null || ancestors === null) {
    return bound === null ? counts(null) : foreign("another process than the terminal's CLI, and over");
  }
  if (!ancestors.includes(pane)) return foreign("not a process of the terminal");
  if (bound === null) return counts(cli);
  const ofBound = ancestorsOf(bound);
  const boundIsThere = ofBound?.includes(pane) ?? false;
  if (!boundIsThere || ofBound?.includes(cli)) return counts(cli, true);
  return foreign("a CLI beside or below the terminal's own");
};
