/**
 * Text that strangers wrote, made safe and measurable for a grid of cells. Nothing that is shown may move the cursor,
 * change a colour or reorder a line: control, bidi and invisible characters become visible marks. Clusters whose width
 * terminals disagree on (joined emoji, flags, skin tones, variation selectors) are reduced to a part that all agree on.
 * Pure; knows nothing of colours or of the screen.
 */

const PLAIN = /^[\x20-\x7e]*$/;
const MARK = /^\p{M}$/u;
const PICTURE = /^\p{Extended_Pictographic}$/u;
/** Nothing to see, or a layout instruction: controls, formats (bidi, zero width), separators, lone surrogates, unassigned. */
const UNSHOWABLE =
  /^(?:[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Zl}\p{Zp}]|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u2800|\u3164|\uffa0)$/u;
const ZERO = /^[\p{Mn}\p{Me}\u1160-\u11ff\ud7b0-\ud7ff]$/u;
const WIDE =
  /^[\p{Emoji_Presentation}\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]$/u;

const isVariationSelector = (code: number): boolean =>
  (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef) || (code >= 0x180b && code <= 0x180d);
const isRegionalIndicator = (code: number): boolean => code >= 0x1f1e6 && code <= 0x1f1ff;

/** More marks than this on one letter only serve to smear over the rows above. */
const MAX_MARKS = 2;

/** The visible stand-in of one character that must not reach a terminal. */
const markOf = (code: number): string => {
  if (code === 0x0a) return "↵";
  if (code === 0x09) return "⇥";
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "␡";
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
};

const ZWJ = 0x200d;
const KEYCAP = 0x20e3;
const isSkinTone = (code: number): boolean => code >= 0x1f3fb && code <= 0x1f3ff;
const isTag = (code: number): boolean => code >= 0xe0020 && code <= 0xe007f;
const isJoiner = (code: number): boolean => code === ZWJ || code === 0x200c;

/**
 * One line without any control: a newline shows as ↵, ESC as ␛, a bidi override as <U+202E>. One pass over code points
 * (the platform's own segmenter takes time that grows with the square of the text).
 */
export const clean = (text: string): string => {
  if (PLAIN.test(text)) return text;
  let shown = "";
  /** What a mark, a joiner or a skin tone would hang on. */
  let base: "none" | "ascii" | "letter" | "picture" = "none";
  let marks = 0;
  let isJoined = false;
  for (const point of text.replace(/\r\n?/g, "\n").normalize("NFC")) {
    const code = point.codePointAt(0) as number;
    const follows = isJoined;
    isJoined = false;
    if (code >= 0x20 && code < 0x7f) {
      shown += point;
      base = code === 0x20 ? "none" : "ascii";
      marks = 0;
    } else if (isVariationSelector(code) || code === KEYCAP) {
      if (base === "none") shown += markOf(code);
    } else if (isJoiner(code) && (base === "letter" || base === "picture")) {
      isJoined = code === ZWJ && base === "picture";
    } else if (base === "picture" && (isSkinTone(code) || isTag(code) || (follows && PICTURE.test(point)))) {
      // Part of the picture before it, which stands for the whole.
    } else if (isRegionalIndicator(code)) {
      shown += String.fromCharCode(code - 0x1f1e6 + 0x41);
      base = "none";
    } else if (UNSHOWABLE.test(point)) {
      shown += markOf(code);
      base = "none";
    } else if (MARK.test(point)) {
      marks = base === "none" ? 1 : marks + 1;
      if (base === "none") shown += "\u25cc";
      if (marks <= MAX_MARKS) shown += point;
      if (base === "none") base = "letter";
    } else {
      shown += point;
      base = PICTURE.test(point) ? "picture" : "letter";
      marks = 0;
    }
  }
  return shown;
};

/** Cells of one code point of cleaned text: 0, 1 or 2. East Asian ambiguous characters count as 1. */
export const pointWidth = (point: string): 0 | 1 | 2 => {
  if (point >= " " && point <= "~") return 1;
  if (ZERO.test(point)) return 0;
  return WIDE.test(point) ? 2 : 1;
};

/** Cells that cleaned text takes. */
export const cellWidth = (text: string): number => {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const point of text) width += pointWidth(point);
  return width;
};

export type Cell = { readonly text: string; readonly width: 1 | 2 };

/** Cleaned text as cells: each base character with the marks that stand on it. */
export const cellsOf = (text: string): readonly Cell[] => {
  const cells: { text: string; width: 1 | 2 }[] = [];
  for (const point of text) {
    const width = pointWidth(point);
    const last = cells.at(-1);
    if (width === 0) {
      if (last !== undefined) last.text += point;
    } else cells.push({ text: point, width });
  }
  return cells;
};

/** The part of cleaned text that fits `width` cells; a cut shows as … in the last cell. */
export const cut = (text: string, width: number): string => {
  if (width <= 0) return "";
  if (cellWidth(text) <= width) return text;
  let shown = "";
  let used = 0;
  for (const cell of cellsOf(text)) {
    if (used + cell.width > width - 1) break;
    shown += cell.text;
    used += cell.width;
  }
  return `${shown}…`;
};

/** Cleaned text cut or filled to exactly `width` cells. */
export const fill = (text: string, width: number): string => {
  const shown = cut(text, width);
  return shown + " ".repeat(Math.max(0, width - cellWidth(shown)));
};

/** The start of a long text, cleaned as one line and cut; only as much is looked at as can be shown. */
export const glimpse = (text: string, width: number): string => {
  const part = text.slice(0, Math.max(0, width) * 8 + 64);
  return cut(clean(part === text ? text.trim() : `${part.trimStart()}…`), width);
};

const wrapLine = (line: string, width: number): readonly string[] => {
  const rows: string[] = [];
  let row = "";
  let used = 0;
  const breakRow = (): void => {
    rows.push(row.trimEnd());
    row = "";
    used = 0;
  };
  for (const word of line.split(/(?<= )(?=[^ ])/)) {
    const wordWidth = cellWidth(word.trimEnd());
    if (used > 0 && used + wordWidth > width && wordWidth <= width) breakRow();
    for (const cell of cellsOf(word)) {
      if (used + cell.width > width) {
        if (cell.text === " ") continue;
        breakRow();
      }
      row += cell.text;
      used += cell.width;
    }
  }
  rows.push(row.trimEnd());
  return rows;
};

/** Raw text as cleaned rows of at most `width` cells, broken at words where they fit; line breaks of the text stay. */
export const wrap = (text: string, width: number): readonly string[] =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/\t/g, "    ")
    .split("\n")
    .flatMap((line) => wrapLine(clean(line), Math.max(2, width)));
