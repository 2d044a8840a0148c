/**
 * A pane's picture as cells: what `capture-pane -p -e` printed, taken apart into rows of characters with their column
 * and attributes. Says where things stand and how they look; what they mean is each CLI's own file.
 * Pure. Must not throw on any text: a capture is foreign input.
 */

export type Style = {
  readonly bold: boolean;
  readonly dim: boolean;
  readonly inverse: boolean;
  /** Colour as tmux wrote it: "" (default), "31", "5;246" or "2;30;30;30". */
  readonly fg: string;
  readonly bg: string;
};

/** One character with what is drawn over it (combining marks, joined emoji). `x` is its first column, 0-based. */
export type Cell = { readonly text: string; readonly x: number; readonly width: 1 | 2; readonly style: Style };

export type Row = { readonly cells: readonly Cell[]; readonly text: string };

const PLAIN: Style = { bold: false, dim: false, inverse: false, fg: "", bg: "" };

/** The rules ask one screen several questions in a row, and a line at rest looks the same each time. */
let lastParsed: { readonly ansi: string; readonly rows: readonly Row[] } = { ansi: "", rows: [] };

/** Rows from top to bottom. Attributes run on from one line into the next, as tmux writes them. */
export const parseScreen = (ansi: string): readonly Row[] => {
  if (ansi === "" || lastParsed.ansi !== ansi) lastParsed = { ansi, rows: parseRows(ansi) };
  return lastParsed.rows;
};

const parseRows = (ansi: string): readonly Row[] => {
  let style = PLAIN;
  return ansi.split("\n").map((line) => {
    const parsed = parseLine(line, style);
    style = parsed.style;
    return { cells: parsed.cells, text: parsed.cells.map((cell) => cell.text).join("") };
  });
};

// CSI, OSC (hyperlinks), character set choice, any other two-character escape, and stray control bytes.
const SEQUENCE =
  /\x1b(?:\[([0-?]*)[ -/]*([@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]+[0-~]?|.?)|[\x00-\x1a\x1c-\x1f\x7f]/y;

const parseLine = (line: string, before: Style): { readonly cells: readonly Cell[]; readonly style: Style } => {
  const cells: Cell[] = [];
  let style = before;
  let x = 0;
  let joins = false;
  for (let i = 0; i < line.length; ) {
    const unit = line.charCodeAt(i);
    if (unit < 0x20 || unit === 0x7f) {
      SEQUENCE.lastIndex = i;
      const sequence = SEQUENCE.exec(line);
      if (sequence?.[2] === "m") style = restyle(style, sequence[1] ?? "");
      i += sequence?.[0].length ?? 1;
      continue;
    }
    const text = String.fromCodePoint(line.codePointAt(i) ?? 0);
    i += text.length;
    const last = cells.at(-1);
    if (last !== undefined && (joins || cellWidth(text) === 0)) {
      cells[cells.length - 1] = { ...last, text: last.text + text };
    } else {
      const width = cellWidth(text) === 2 ? 2 : 1;
      cells.push({ text, x, width, style });
      x += width;
    }
    joins = text === "\u200d";
  }
  return { cells, style };
};

/** `4:2` is a kind of underline, not "underline, dim": sub-parameters stay with their parameter. */
const restyle = (before: Style, parameters: string): Style => {
  const list = parameters.split(";");
  let style = before;
  for (let i = 0; i < list.length; i++) {
    const parameter = list[i] ?? "";
    const code = Number.parseInt(parameter || "0", 10);
    if (code === 38 || code === 48 || code === 58) {
      let colour: readonly string[];
      if (parameter.includes(":")) {
        colour = parameter.split(":").slice(1).filter(Boolean);
      } else {
        const length = list[i + 1] === "2" ? 4 : 2;
        colour = list.slice(i + 1, i + 1 + length);
        i += length;
      }
      if (code === 38) style = { ...style, fg: colour.join(";") };
      if (code === 48) style = { ...style, bg: colour.join(";") };
    } else {
      style = applyCode(style, code);
    }
  }
  return style;
};

const applyCode = (style: Style, code: number): Style => {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 7 || code === 27) return { ...style, inverse: code === 7 };
  if (code === 39) return { ...style, fg: "" };
  if (code === 49) return { ...style, bg: "" };
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) return { ...style, fg: String(code) };
  if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) return { ...style, bg: String(code) };
  return style;
};

const ZERO_WIDTH = /^[\p{Mn}\p{Me}\u200b-\u200f\u2060-\u2064\ufeff\u1160-\u11ff]$/u;
const DOUBLE_WIDTH =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}])$/u;

/** Columns that one code point takes. Near enough to tmux for columns left of the text; joined emoji are the caller's. */
export const cellWidth = (character: string): 0 | 1 | 2 => {
  if (character < "\u0300") return 1;
  if (ZERO_WIDTH.test(character)) return 0;
  return DOUBLE_WIDTH.test(character) ? 2 : 1;
};

export const cellAt = (row: Row | undefined, x: number): Cell | undefined =>
  row?.cells.find((cell) => x >= cell.x && x < cell.x + cell.width);

export const isBlank = (text: string): boolean => /^\s*$/.test(text);

/** The row's text from a column on, without blanks at its end. */
export const textFrom = (row: Row | undefined, x: number): string =>
  (row?.cells ?? [])
    .filter((cell) => cell.x >= x)
    .map((cell) => cell.text)
    .join("")
    .trimEnd();

/** Cells with ink, from a column on. */
export const inkFrom = (row: Row | undefined, x: number): readonly Cell[] =>
  (row?.cells ?? []).filter((cell) => cell.x >= x && !isBlank(cell.text));

/** A `─` rule from edge to edge, which may carry one label, such as a name or `↑ 2 more`. */
export const isRule = (row: Row | undefined, cols: number): boolean => {
  const last = row?.cells.findLast((cell) => !isBlank(cell.text));
  return last !== undefined && last.x + last.width >= cols - 2 && /^─+( .+ )?─+$/u.test(textFrom(row, 0));
};

/** The rows of the rules nearest above and below row `y`; null when one of them is missing, or `y` is a rule itself. */
export const rulesAround = (
  rows: readonly Row[],
  cols: number,
  y: number,
): { readonly above: number; readonly below: number } | null => {
  if (isRule(rows[y], cols)) return null;
  const above = rows.findLastIndex((row, at) => at < y && isRule(row, cols));
  const below = rows.findIndex((row, at) => at > y && isRule(row, cols));
  return above < 0 || below < 0 ? null : { above, below };
};
