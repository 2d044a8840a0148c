/** Every number of the bus's rules, in ms unless said, each with its source. */

/** 60 s of the product text, less what a client that counts 60 s itself needs ("Waits" in docs/architecture.md). */
export const WAIT_MS = 58_000;
/** A delivery without turn evidence is unconfirmed after this. */
export const EVIDENCE_MS = 15_000;
/** An Enter without any sign of a turn is looked after this long later: a paste guard of 2 s is over then. */
export const SECOND_ENTER_MS = 3_000;
/** A Stop is final when no other signal of its turn came for this long. */
export const STOP_SETTLES_MS = 400;
/** OSC idle in an open turn is an interrupt when no hook of that turn follows within this. */
export const INTERRUPT_MS = 1_000;
/** OSC done or error without the bridge's end signal: the reporter contradicts itself after this. */
export const CONTRADICTION_MS = 3_000;
/** OSC working alone opens a turn of unknown cause after this. */
export const UNKNOWN_TURN_MS = 2_000;
/** OSC working for this long after our Enter without a prompt signal: the reporter is lost. */
export const PROMPT_SIGNAL_MS = 10_000;
/** A message that joined a running turn moves to a turn that begins within this of its end. */
export const JOINED_MS = 1_500;
/** A dialog that only a hook told of stands for this long, when OSC is known to speak. */
export const PROVISIONAL_PROMPT_MS = 2_000;
/** Working or waiting without any sign for this long is looked into. */
export const SILENCE_MS = 120_000;
/** The same call again is the same delivery up to this age, while its answer was not written (DECISIONS A4). */
export const SAME_CALL_MS = 120_000;
/** How many ended turns of a terminal are remembered: late signals amend them. */
export const REMEMBER_TURNS = 8;
/** Hand-offs since a person's prompt (DECISIONS A6). */
export const MAX_HOPS = 32;
/** UTF-8 bytes of a body (DECISIONS A8). */
export const MAX_BODY_BYTES = 262_144;
/** A queue held by its terminal's line for this long raises a toast. */
export const HELD_TOAST_MS = 60_000;
/** Tries of a paste into a pane whose input is off, before the message fails. */
export const MAX_TRIES = 20;
/** Trail entries kept in memory; exited terminals are listed for seven days (DECISIONS S20). */
export const MAX_TRAIL = 5_000;
/** Approvals by rule that the trail keeps. */
export const MAX_APPROVALS = 1_000;
export const KEEP_EXITED_MS = 7 * 24 * 3_600_000;
