/**
 * The one holder of the person's terminal: modes on the way in and out, keys in, frames out. A frame is written only
 * when the one before has left the process; frames made meanwhile replace each other, so a stuck terminal costs nothing
 * and stalls nobody. A terminal that is gone is reported once and never throws.
 */
import { StringDecoder } from "node:string_decoder";
import { createGuard, type Guard } from "./guard.js";
import { giveUpOn, type KeyEvent, parseInput } from "./input.js";
import { type Frame, paint, type Size } from "./painter.js";
import { type Limiter, limit, type Timing } from "./timing.js";

/** What is used of a tty's streams; process.stdin and process.stdout have it. */
export type TerminalInput = NodeJS.ReadStream;
export type TerminalOutput = NodeJS.WriteStream;

/** Alternate screen, no cursor, no wrapping at the right edge, pastes in brackets. */
const ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h";
const LEAVE = "\x1b[m\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l";
/** At most ten redraws a second. */
const FRAME_GAP_MS = 100;
/** How long an ESC may wait for the rest of its sequence: a slow SSH line splits them. */
const ESCAPE_MS = 60;
/** How long the way out may take on a terminal that takes nothing. */
const LEAVE_MS = 500;

export type TerminalEvents = {
  readonly input: (event: KeyEvent) => void;
  readonly resized: (size: Size) => void;
  readonly lost: () => void;
};

/**
 * Node makes writes to a tty block; a terminal that takes nothing would then stop the engine. The handle's method has
 * no public form, so its absence (fake streams, pipes) is fine.
 */
const setBlocking = (stream: TerminalOutput, blocking: boolean): void => {
  const { _handle: handle } = stream as unknown as { _handle?: { setBlocking?: (blocking: boolean) => void } };
  handle?.setBlocking?.(blocking);
};

export class ScreenTerminal {
  readonly #stdin: TerminalInput;
  readonly #stdout: TerminalOutput;
  readonly #timing: Timing;
  readonly #events: TerminalEvents;
  readonly #frames: Limiter;
  readonly #guard: Guard;
  readonly #decoder = new StringDecoder("utf8");
  #state: "new" | "shown" | "lent" | "left" = "new";
  #isLost = false;
  /** Writes that have not left the process. */
  #writing = 0;
  /** What the terminal shows; null: not known. */
  #shown: Frame | null = null;
  #wanted: Frame | null = null;
  #pending = "";
  #cancelEscape: (() => void) | null = null;

  constructor(stdin: TerminalInput, stdout: TerminalOutput, timing: Timing, events: TerminalEvents) {
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#timing = timing;
    this.#events = events;
    const fdOf = (stream: object): number | undefined => (stream as { fd?: number }).fd;
    this.#guard = createGuard(fdOf(stdin), fdOf(stdout), LEAVE);
    this.#frames = limit(timing, FRAME_GAP_MS, () => this.#paint());
  }

  get size(): Size {
    return { columns: this.#stdout.columns || 80, rows: this.#stdout.rows || 24 };
  }

  get isLent(): boolean {
    return this.#state === "lent";
  }

  start(): void {
    // These stay for good: an error that comes after the end must not bring the process down.
    this.#stdout.on("error", this.#lose);
    this.#stdin.on("error", this.#lose);
    this.#stdout.on("close", this.#lose);
    this.#stdin.on("end", this.#lose);
    this.#stdin.on("close", this.#lose);
    this.#stdout.on("resize", this.#resized);
    setBlocking(this.#stdout, false);
    this.#take();
  }

  /** Wants this frame on the screen; it is written when the terminal takes it, unless a newer one comes first. */
  show(frame: Frame): void {
    this.#wanted = frame;
    this.#pokeFrames();
  }

  /** Forgets what is on the screen: the next frame is written whole. */
  redraw(): void {
    this.#shown = null;
    this.#pokeFrames();
  }

  /** Gives the terminal to another program: normal screen, cooked input, nothing read. */
  lend(): void {
    if (this.#state !== "shown") return;
    this.#state = "lent";
    this.#stopReading();
    void this.#write(LEAVE);
    this.#guard.release();
    setBlocking(this.#stdout, true);
  }

  takeBack(): void {
    if (this.#state !== "lent") return;
    setBlocking(this.#stdout, false);
    this.#take();
    this.#events.resized(this.size);
    this.redraw();
  }

  /** Asks the terminal to take this text on its clipboard; nothing comes back that would tell whether it did. */
  copy(text: string): void {
    if (this.#state === "shown" && !this.#isLost)
      void this.#write(`\x1b]52;c;${Buffer.from(text).toString("base64")}\x07`);
  }

  /** Leaves the terminal as it was found. Resolves when that is written, or cannot be. */
  async leave(): Promise<void> {
    const wasShown = this.#state === "shown";
    if (this.#state === "left" || this.#state === "new") return;
    this.#state = "left";
    this.#frames.stop();
    this.#stdout.off("resize", this.#resized);
    if (wasShown) {
      this.#stopReading();
      if (!this.#isLost) await this.#inTime(this.#write(LEAVE));
      this.#guard.release();
    }
    if (!this.#isLost && this.#writing === 0) setBlocking(this.#stdout, true);
  }

  /** For the last moment of a process, when nothing asynchronous runs any more. */
  leaveAtOnce(write: (text: string) => void): void {
    if (this.#state !== "shown" || this.#isLost || this.#writing > 0) return;
    this.#state = "left";
    try {
      this.#stdin.setRawMode?.(false);
      write(LEAVE);
      this.#guard.release();
    } catch {
      this.#isLost = true;
    }
  }

  #take(): void {
    this.#state = "shown";
    this.#shown = null;
    this.#guard.hold();
    try {
      this.#stdin.setRawMode?.(true);
    } catch {
      this.#lose();
      return;
    }
    this.#stdin.on("data", this.#read);
    this.#stdin.resume();
    void this.#write(ENTER);
  }

  #stopReading(): void {
    this.#cancelEscape?.();
    this.#cancelEscape = null;
    this.#pending = "";
    this.#stdin.off("data", this.#read);
    this.#stdin.pause();
    try {
      this.#stdin.setRawMode?.(false);
    } catch {
      // The terminal is gone; there is no mode to restore.
    }
  }

  readonly #read = (chunk: Buffer | string): void => {
    this.#cancelEscape?.();
    this.#cancelEscape = null;
    const parsed = parseInput(this.#pending, typeof chunk === "string" ? chunk : this.#decoder.write(chunk));
    this.#pending = parsed.pending;
    for (const event of parsed.events) this.#events.input(event);
    if (this.#pending === "" || this.#state !== "shown") return;
    this.#cancelEscape = this.#timing.after(ESCAPE_MS, () => {
      this.#cancelEscape = null;
      const given = giveUpOn(this.#pending);
      this.#pending = given.pending;
      for (const event of given.events) this.#events.input(event);
    });
  };

  readonly #resized = (): void => {
    if (this.#state !== "shown") return;
    this.#shown = null;
    this.#events.resized(this.size);
    // After the reader of the new size has made its frame: the old one would flash up in the wrong shape.
    queueMicrotask(() => this.#pokeFrames());
  };

  readonly #lose = (): void => {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#frames.stop();
    if (this.#state !== "left") this.#events.lost();
  };

  /** While a write is under way its end will ask again. */
  #pokeFrames(): void {
    if (this.#state === "shown" && !this.#isLost && this.#writing === 0) this.#frames.poke();
  }

  #inTime(written: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#timing.after(LEAVE_MS, resolve);
      void written.then(() => {
        cancel();
        resolve();
      });
    });
  }

  #paint(): void {
    if (this.#state !== "shown" || this.#writing > 0 || this.#wanted === null) return;
    const bytes = paint(this.#shown, this.#wanted, this.size);
    this.#shown = this.#wanted;
    if (bytes !== "") void this.#write(bytes);
  }

  /** Resolves when the bytes have left the process, or never will. */
  #write(bytes: string): Promise<void> {
    this.#writing += 1;
    return new Promise((resolve) => {
      const done = (error?: Error | null): void => {
        this.#writing -= 1;
        if (error) this.#lose();
        else if (this.#wanted !== this.#shown) this.#pokeFrames();
        resolve();
      };
      try {
        this.#stdout.write(bytes, done);
      } catch (error) {
        done(error as Error);
      }
    });
  }
}
