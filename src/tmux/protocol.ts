/**
 * What `tmux -C` writes, as events. Pure: a step from state and chunk to state and events; the unread tail is
 * explicit. Bytes stay bytes: a character may be split over two lines, so nothing is decoded here but words of tmux.
 * Grammar: facts/tmux.md section 1.
 */
export type Block = {
  readonly ok: boolean;
  /** The flag of the block: true for an answer to a line of this client, false for the attach and for hooks. */
  readonly ours: boolean;
  readonly lines: readonly Buffer[];
};

export type ControlEvent =
  | { readonly kind: "block"; readonly block: Block }
  | { readonly kind: "output"; readonly pane: string; readonly bytes: Buffer }
  /** Any other notification: its name with the `%`, and the rest of the line. */
  | { readonly kind: "notify"; readonly name: string; readonly rest: string };

export type ParserState = {
  readonly pending: Buffer;
  readonly open: { readonly id: string; readonly lines: readonly Buffer[] } | null;
};

export const startParser: ParserState = { pending: Buffer.alloc(0), open: null };

/** A longer line than this is no tmux: bytes. */
const MAX_LINE = 16 * 1024 * 1024;

const LF = 0x0a;
const PERCENT = 0x25;
const BACKSLASH = 0x5c;

/** Undoes `\ooo`, the only escape of output lines. A stray backslash stays. */
export const unescapeOutput = (line: Buffer): Buffer => {
  if (!line.includes(BACKSLASH)) return line;
  const out = Buffer.allocUnsafe(line.length);
  let to = 0;
  for (let from = 0; from < line.length; from++) {
    const byte = line[from]!;
    const digits = byte === BACKSLASH ? line.subarray(from + 1, from + 4).toString("latin1") : "";
    if (/^[0-3][0-7]{2}$/.test(digits)) {
      out[to++] = Number.parseInt(digits, 8);
      from += 3;
    } else out[to++] = byte;
  }
  return out.subarray(0, to);
};

const outputOf = (line: Buffer): ControlEvent | null => {
  const head = line.subarray(0, 64).toString("latin1");
  const plain = /^%output (%\d+) /.exec(head);
  if (plain) return { kind: "output", pane: plain[1]!, bytes: unescapeOutput(line.subarray(plain[0].length)) };
  const extended = /^%extended-output (%\d+) [^:]*: /.exec(head);
  if (extended) return { kind: "output", pane: extended[1]!, bytes: unescapeOutput(line.subarray(extended[0].length)) };
  return null;
};

const notificationOf = (line: Buffer): ControlEvent => {
  const text = line.toString("utf8");
  const space = text.indexOf(" ");
  return space < 0
    ? { kind: "notify", name: text, rest: "" }
    : { kind: "notify", name: text.slice(0, space), rest: text.slice(space + 1) };
};

/** Reads one chunk. Throws RangeError when a line passes 16 MB: the other side is not tmux, drop the client. */
export const readChunk = (
  state: ParserState,
  chunk: Buffer,
): { readonly state: ParserState; readonly events: readonly ControlEvent[] } => {
  const bytes = state.pending.length === 0 ? chunk : Buffer.concat([state.pending, chunk]);
  const events: ControlEvent[] = [];
  let openId = state.open?.id ?? null;
  let lines: Buffer[] = state.open ? [...state.open.lines] : [];
  let start = 0;
  // What was pending holds no line end, so the search begins after it.
  for (let end = bytes.indexOf(LF, state.pending.length); end >= 0; end = bytes.indexOf(LF, start)) {
    const line = bytes.subarray(start, end);
    start = end + 1;
    if (openId !== null) {
      const text = line[0] === PERCENT ? line.toString("latin1") : "";
      if (text === `%end ${openId}` || text === `%error ${openId}`) {
        const block = { ok: text.startsWith("%end"), ours: openId.endsWith(" 1"), lines };
        events.push({ kind: "block", block });
        openId = null;
        lines = [];
      } else lines.push(Buffer.from(line));
      continue;
    }
    if (line[0] !== PERCENT) {
      events.push({ kind: "notify", name: "", rest: line.toString("utf8") });
      continue;
    }
    const begin = line.length < 128 ? /^%begin (\d+ \d+ \d+)$/.exec(line.toString("latin1")) : null;
    if (begin) openId = begin[1]!;
    else events.push(outputOf(line) ?? notificationOf(line));
  }
  const pending = Buffer.from(bytes.subarray(start));
  if (pending.length > MAX_LINE) throw new RangeError("a line of tmux is longer than 16 MB");
  return { state: { pending, open: openId === null ? null : { id: openId, lines } }, events };
};

/** The last block of a request is the one whose whole body is its nonce. */
export const isNonce = (block: Block, nonce: string): boolean =>
  block.ok && block.lines.length === 1 && block.lines[0]!.toString("latin1") === nonce;
