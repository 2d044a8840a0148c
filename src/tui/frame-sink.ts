/** The stream that Ink believes is its terminal: each write is one whole frame, passed on as rows. */
import { Writable } from "node:stream";
import type { Size } from "./painter.js";
import type { Store } from "./store.js";

export class FrameSink extends Writable {
  readonly #size: Store<Size>;
  readonly #framed: (rows: readonly string[]) => void;
  /** Ink writes the terminal's cursor codes only to a tty; ours are painter.ts's. */
  readonly isTTY = false;
  #isOpen = true;

  constructor(size: Store<Size>, framed: (rows: readonly string[]) => void) {
    super({ decodeStrings: false });
    this.#size = size;
    this.#framed = framed;
  }

  get columns(): number {
    return this.#size.get().columns;
  }

  get rows(): number {
    return this.#size.get().rows;
  }

  /** What Ink still writes on its way out is no frame. */
  shut(): void {
    this.#isOpen = false;
  }

  override _write(chunk: string, _encoding: string, done: () => void): void {
    if (this.#isOpen && chunk !== "") this.#framed(chunk.split("\n"));
    done();
  }
}
