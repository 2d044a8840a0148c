/**
 * Makes ids and secrets from the system's random source. Ids avoid letters that are mistaken for one another, since
 * people type them. Nothing here remembers what it gave out: the lengths make a clash unlikely enough.
 */
import { randomBytes } from "node:crypto";
import { callId, deliveryId, terminalId } from "../bus/ids.js";
import type { Ids } from "../engine/ports.js";

/** Without 0 and o, 1, i and l. */
const LETTERS = "23456789abcdefghjkmnpqrstuvwxyz";

/** Bytes at or above this would make some letters likelier than others. */
const FAIR = 256 - (256 % LETTERS.length);

export const randomLetters = (length: number): string => {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < FAIR && text.length < length) text += LETTERS[byte % LETTERS.length];
    }
  }
  return text;
};

export const randomIds = (): Ids => ({
  terminal: () => terminalId(`term-${randomLetters(8)}`),
  delivery: () => deliveryId(`msg-${randomLetters(12)}`),
  call: () => callId(`call-${randomLetters(12)}`),
  /** 256 bits, safe in a header and in a file's name. */
  secret: () => randomBytes(32).toString("base64url"),
});
