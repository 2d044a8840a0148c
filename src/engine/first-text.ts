/**
 * When a CLI that nobody hears from takes its first text: it has asked for bracketed paste, or was quiet for a second
 * after its first output; after ten seconds it is typed on in any case. What is typed earlier is lost, or is run by
 * whatever reads the pane until then. Knows nothing of lines and turns. Source: DECISIONS A11.
 */
import type { TerminalId } from "../bus/ids.js";
import type { Millis } from "../bus/protocol.js";
import type { Typist } from "./typist.js";

const QUIET_MS = 1_000;
const AT_MOST_MS = 10_000;

/** Private mode 2004, alone or among others. */
const ASKS_FOR_PASTES = /\u001b\[\?(?:\d+;)*2004(?:;\d+)*h/;
/** A sequence may be cut between two outputs; this many characters hold any part of it. */
const KEPT = 32;

export type FirstTexts = {
  /** The terminal's program starts, or started at this time. */
  open(terminal: TerminalId, startedAt: Millis): void;
  output(terminal: TerminalId, bytes: Uint8Array): void;
  close(terminal: TerminalId): void;
  /** Resolves when it may be typed on; at once for a terminal that was not opened. */
  taken(terminal: TerminalId): Promise<void>;
};

type Start = { readonly at: Millis; printedAt: Millis | null; asked: boolean; tail: string };

export const createFirstTexts = (parts: {
  readonly now: () => Millis;
  /** Resolves with the terminal's next output, or after this many ms. */
  readonly nextOutput: (terminal: TerminalId, ms: number) => Promise<void>;
}): FirstTexts => {
  const starts = new Map<TerminalId, Start>();

  /** ms until it may be typed on, if it says nothing meanwhile. */
  const left = ({ at, printedAt, asked }: Start): number => {
    if (asked) return 0;
    const atMost = at + AT_MOST_MS - parts.now();
    return printedAt === null ? atMost : Math.min(atMost, printedAt + QUIET_MS - parts.now());
  };

  return {
    open: (terminal, at) => void starts.set(terminal, { at, printedAt: null, asked: false, tail: "" }),
    output(terminal, bytes) {
      const start = starts.get(terminal);
      if (start === undefined || start.asked) return;
      start.printedAt = parts.now();
      const text = start.tail + Buffer.from(bytes).toString("latin1");
      start.asked = ASKS_FOR_PASTES.test(text);
      start.tail = text.slice(-KEPT);
    },
    close: (terminal) => void starts.delete(terminal),
    async taken(terminal) {
      for (;;) {
        const start = starts.get(terminal);
        if (start === undefined || left(start) <= 0) break;
        await parts.nextOutput(terminal, left(start));
      }
      // It takes texts from now on; what it prints is not looked at any more.
      starts.delete(terminal);
    },
  };
};

/** A typist that types no text before the terminal takes it. */
export const afterStart = (typist: Typist, taken: (terminal: TerminalId) => Promise<void>): Typist => ({
  ...typist,
  async paste(terminal, delivery, text) {
    await taken(terminal);
    return typist.paste(terminal, delivery, text);
  },
});
