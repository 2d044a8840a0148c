/** A terminal without a tty: streams that a screen takes for one, and the screen that a person would see. */
import { PassThrough, Writable } from "node:stream";
import { Terminal } from "@xterm/headless";
import type { TerminalInput, TerminalOutput } from "../../src/tui/terminal.js";

class FakeInput extends PassThrough {
  readonly isTTY = true;
  isRaw = false;
  setRawMode(isRaw: boolean): this {
    this.isRaw = isRaw;
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}

class FakeOutput extends Writable {
  readonly isTTY = true;
  columns: number;
  rows: number;
  /** Takes no byte until it is false again. */
  isStuck = false;
  #release: (() => void)[] = [];
  readonly #written: (text: string) => void;

  constructor(columns: number, rows: number, written: (text: string) => void) {
    super({ decodeStrings: false });
    this.columns = columns;
    this.rows = rows;
    this.#written = written;
  }

  override _write(chunk: string, _encoding: string, done: () => void): void {
    const take = (): void => {
      this.#written(chunk);
      done();
    };
    if (this.isStuck) this.#release.push(take);
    else take();
  }

  unstick(): void {
    this.isStuck = false;
    const waiting = this.#release;
    this.#release = [];
    for (const take of waiting) take();
  }
}

export type VirtualTerminal = {
  readonly stdin: TerminalInput;
  readonly stdout: TerminalOutput;
  /** All that was written, as text. */
  readonly written: () => string;
  /** UTF-8 bytes written since the last call. */
  readonly takeBytes: () => number;
  /** The rows as seen, without trailing spaces. */
  readonly rows: () => Promise<readonly string[]>;
  /** Rows joined by line breaks. */
  readonly text: () => Promise<string>;
  readonly isAlternate: () => Promise<boolean>;
  readonly isCursorShown: () => boolean;
  readonly cursor: () => Promise<{ readonly row: number; readonly column: number }>;
  /** Column of the first cell of `text` in a row, counted in cells; -1 when it is not there. */
  readonly columnOf: (row: number, text: string) => Promise<number>;
  readonly isRaw: () => boolean;
  readonly type: (text: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  readonly stick: () => void;
  readonly unstick: () => void;
  readonly pieces: () => number;
};

export const virtualTerminal = (columns: number, rows: number): VirtualTerminal => {
  const screen = new Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });
  let written = "";
  let taken = 0;
  let pieces = 0;
  const stdin = new FakeInput();
  const stdout = new FakeOutput(columns, rows, (text) => {
    written += text;
    pieces += 1;
    screen.write(text);
  });
  const flushed = (): Promise<void> => new Promise((resolve) => screen.write("", resolve));
  const readRows = async (): Promise<readonly string[]> => {
    await flushed();
    const buffer = screen.buffer.active;
    return Array.from(
      { length: screen.rows },
      (_, row) => buffer.getLine(row)?.translateToString(true, 0, screen.cols).trimEnd() ?? "",
    );
  };
  return {
    stdin: stdin as unknown as TerminalInput,
    stdout: stdout as unknown as TerminalOutput,
    written: () => written,
    takeBytes: () => {
      const bytes = Buffer.byteLength(written.slice(taken));
      taken = written.length;
      return bytes;
    },
    rows: readRows,
    text: async () => (await readRows()).join("\n"),
    isAlternate: async () => {
      await flushed();
      return screen.buffer.active.type === "alternate";
    },
    isCursorShown: () => written.lastIndexOf("\x1b[?25h") > written.lastIndexOf("\x1b[?25l"),
    cursor: async () => {
      await flushed();
      return { row: screen.buffer.active.cursorY, column: screen.buffer.active.cursorX };
    },
    columnOf: async (row, text) => {
      await flushed();
      const line = screen.buffer.active.getLine(row);
      const cells: { text: string; column: number }[] = [];
      for (let column = 0; column < screen.cols; column += 1) {
        const cell = line?.getCell(column);
        if (cell !== undefined && cell.getWidth() > 0) cells.push({ text: cell.getChars() || " ", column });
      }
      const at = cells.findIndex((_, index) => {
        let seen = "";
        for (let next = index; seen.length < text.length && next < cells.length; next += 1) seen += cells[next]?.text;
        return seen.startsWith(text);
      });
      return at < 0 ? -1 : (cells[at]?.column ?? -1);
    },
    isRaw: () => stdin.isRaw,
    type: (text) => void stdin.write(text),
    resize: (nextColumns, nextRows) => {
      screen.resize(nextColumns, nextRows);
      stdout.columns = nextColumns;
      stdout.rows = nextRows;
      stdout.emit("resize");
    },
    stick: () => {
      stdout.isStuck = true;
    },
    unstick: () => stdout.unstick(),
    pieces: () => pieces,
  };
};
