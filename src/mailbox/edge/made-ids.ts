/**
 * Ids that nobody can guess and that rise with time, so that a large table grows at one end. They hold an underscore, which no
 * agent's name can: an id and a name are never mistaken for each other.
 */
import { randomLetters } from "../../lib/ids.js";

export type IdKind = "agt" | "ses" | "thr" | "msg" | "key" | "acc";

/** 31^16 guesses. */
const SECRET_LETTERS = 16;
/** Milliseconds in base 32, until the year 36812. */
const TIME_LETTERS = 10;

export const madeId = (kind: IdKind, now: number): string =>
  `${kind}_${Math.floor(now).toString(32).padStart(TIME_LETTERS, "0")}${randomLetters(SECRET_LETTERS)}`;
