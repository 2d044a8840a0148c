/**
 * What the tap of a pane reports out of a program's output: the few sequences that mean something to Quay.
 * Types only, so that the tap, the feed and the store of program status share one word for each.
 */

export type OscSequence = {
  readonly kind: "osc";
  /** The number, as its exact text. */
  readonly code: string;
  /** What stands behind the first `;`: one character per byte (latin1), control bytes left out. */
  readonly body: string;
  readonly terminator: "bel" | "st";
};

export type TerminalSequence =
  | OscSequence
  /** `ESC c`: the terminal starts anew. */
  | { readonly kind: "ris" }
  | { readonly kind: "altScreen"; readonly on: boolean }
  /** `ESC [ ? number h` (on) or `l`; the alternate screen's numbers come as `altScreen`. */
  | { readonly kind: "privateMode"; readonly number: number; readonly on: boolean };
