/**
 * Paints the conversation and the composer on a terminal: new entries scroll up into the history, the block at
 * the bottom is redrawn. One write per change, with the cursor hidden while it is under way, so that a reader of
 * the screen never takes half a frame for a whole one.
 */
import { composerBlock, type Entry, entryRows, type Size } from "./frame.js";

export type Output = { write(text: string): unknown; readonly columns: number; readonly rows: number };

export type DemoScreen = {
  print(entry: Entry): void;
  compose(shown: string, footer: string): void;
  /** After a change of size: everything that fits, from the top. */
  repaint(): void;
  /** Takes the composer away and gives the terminal back as it was. */
  close(): void;
};

const ENTRIES_KEPT = 500;
const BRACKETED_PASTE = "\u001b[?2004";

export const openScreen = (output: Output): DemoScreen => {
  let entries: readonly Entry[] = [];
  let shown = "";
  let footer = "";
  let cursorRow = 0;

  const size = (): Size => ({ columns: output.columns, rows: output.rows });

  const block = (): string => {
    const composer = composerBlock(shown, footer, size());
    cursorRow = composer.y;
    const up = composer.rows.length - 1 - composer.y;
    return `${composer.rows.join("\r\n")}\u001b[${up}A\u001b[${composer.x + 1}G\u001b[?25h`;
  };

  const toBlock = (): string => `\u001b[?25l\r${cursorRow > 0 ? `\u001b[${cursorRow}A` : ""}\u001b[J`;

  const repaint = (): void => {
    const { columns, rows } = size();
    const room = Math.max(0, rows - composerBlock(shown, footer, size()).rows.length);
    const all = entries.flatMap((entry) => entryRows(entry, columns));
    const fitting = all.slice(Math.max(0, all.length - room));
    const blank = "\r\n".repeat(room - fitting.length);
    output.write(`\u001b[?25l\u001b[H\u001b[J${blank}${fitting.map((row) => `${row}\r\n`).join("")}${block()}`);
  };

  output.write(`${BRACKETED_PASTE}h`);
  repaint();
  return {
    print: (entry) => {
      entries = [...entries, entry].slice(-ENTRIES_KEPT);
      const rows = entryRows(entry, output.columns).map((row) => `${row}\r\n`);
      output.write(toBlock() + rows.join("") + block());
    },
    compose: (nextShown, nextFooter) => {
      if (nextShown === shown && nextFooter === footer) return;
      shown = nextShown;
      footer = nextFooter;
      output.write(toBlock() + block());
    },
    repaint,
    close: () => {
      output.write(`${toBlock()}${BRACKETED_PASTE}l\u001b[?25h`);
    },
  };
};
