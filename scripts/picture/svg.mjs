// Cells as an SVG. Each word stands at the place of its cells and takes their width, so that no font can move a column.
// Pure.

const CELL = { width: 8.4, height: 18 };
const FONT_SIZE = 14;
const BASELINE = 13.5;
const MARGIN = 14;
const BAR = 30;
const INK = "#d6dbe4";
const PAPER = "#14181f";
const FRAME = "#2b323d";

/** The sixteen named colours, dark and bright. */
const NAMED = [
  ...["#3b4252", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#c8ccd4"],
  ...["#7f8794", "#f0868f", "#b1d693", "#f0cf8f", "#7fc1f5", "#d897ea", "#74c8d3", "#ffffff"],
];

const hex = (value) => `#${value.toString(16).padStart(6, "0")}`;

/** The cube and the greys of the 256 colours. */
const fromPalette = (value) => {
  if (value < 16) return NAMED[value];
  if (value >= 232) return hex((8 + (value - 232) * 10) * 0x010101);
  const level = (step) => (step === 0 ? 0 : 55 + step * 40);
  const at = value - 16;
  return hex((level(Math.floor(at / 36)) << 16) | (level(Math.floor(at / 6) % 6) << 8) | level(at % 6));
};

const paint = (colour, otherwise) => {
  if (colour === null) return otherwise;
  return colour.kind === "rgb" ? hex(colour.value) : fromPalette(colour.value);
};

const inksOf = ({ fg, bg, inverse }) => {
  const [ink, paper] = [paint(fg, INK), paint(bg, PAPER)];
  return inverse ? { ink: paper, paper: ink } : { ink, paper };
};

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const number = (value) => String(Math.round(value * 100) / 100);

/** Which arms of a box character reach the border of its cell: up, right, down, left. */
const ARMS_OF = {
  ...{ "─": "0101", "│": "1010", "┼": "1111" },
  ...{ "┌": "0110", "┐": "0011", "└": "1100", "┘": "1001" },
  ...{ "├": "1110", "┤": "1011", "┬": "0111", "┴": "1101" },
};

/** Fonts leave gaps between box characters, so they are drawn. */
const boxPath = (sign, x, y) => {
  const [midX, midY] = [x + CELL.width / 2, y + CELL.height / 2];
  const ends = [
    [midX, y],
    [x + CELL.width, midY],
    [midX, y + CELL.height],
    [x, midY],
  ];
  return ends
    .filter((_, at) => ARMS_OF[sign][at] === "1")
    .map(([endX, endY]) => `M${number(midX)} ${number(midY)}L${number(endX)} ${number(endY)}`)
    .join("");
};

const sameStyle = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Neighbours that look alike are one run: `{ x, cells, style }`, x in cells. */
const runsOf = (row) => {
  const runs = [];
  let x = 0;
  for (const cell of row) {
    const last = runs.at(-1);
    if (last !== undefined && sameStyle(last.style, cell.style)) last.cells.push({ ...cell, x });
    else runs.push({ x, style: cell.style, cells: [{ ...cell, x }] });
    x += cell.width;
  }
  return runs;
};

/** Letters without a blank or a line between them; a wide character stands alone. */
const wordsOf = (cells) => {
  const words = [];
  for (const cell of cells) {
    if (cell.text === " " || cell.text in ARMS_OF) continue;
    const last = words.at(-1);
    const follows = last !== undefined && last.x + last.width === cell.x && cell.width === 1 && !last.isWide;
    if (follows) Object.assign(last, { text: last.text + cell.text, width: last.width + 1 });
    else words.push({ x: cell.x, text: cell.text, width: cell.width, isWide: cell.width > 1 });
  }
  return words;
};

const drawRun = ({ x, style, cells }, y) => {
  const { ink, paper } = inksOf(style);
  const left = MARGIN + x * CELL.width;
  const width = cells.reduce((sum, cell) => sum + cell.width, 0) * CELL.width;
  const parts = [];
  if (paper !== PAPER) {
    parts.push(
      `<rect x="${number(left)}" y="${number(y)}" width="${number(width)}" height="${CELL.height}" fill="${paper}"/>`,
    );
  }
  const at = (cell) => MARGIN + cell.x * CELL.width;
  const look = style.dim ? ' opacity="0.62"' : "";
  const boxes = cells.filter((cell) => cell.text in ARMS_OF);
  if (boxes.length > 0) {
    const path = boxes.map((cell) => boxPath(cell.text, at(cell), y)).join("");
    parts.push(`<path d="${path}" stroke="${ink}" fill="none"${look}/>`);
  }
  const weight = style.bold ? ' font-weight="bold"' : "";
  const slant = style.italic ? ' font-style="italic"' : "";
  const rule = style.underline ? ' text-decoration="underline"' : "";
  for (const word of wordsOf(cells)) {
    const place = `x="${number(MARGIN + word.x * CELL.width)}" y="${number(y + BASELINE)}"`;
    const length = `textLength="${number(word.width * CELL.width)}" lengthAdjust="spacingAndGlyphs"`;
    parts.push(`<text ${place} ${length} fill="${ink}"${weight}${slant}${rule}${look}>${escaped(word.text)}</text>`);
  }
  return parts;
};

/** `title` stands in the frame and is the picture's name for those who cannot see it. */
export const drawSvg = (rows, title) => {
  const cols = Math.max(...rows.map((row) => row.reduce((sum, cell) => sum + cell.width, 0)));
  const width = Math.ceil(cols * CELL.width + 2 * MARGIN);
  const height = Math.ceil(rows.length * CELL.height + BAR + MARGIN);
  const body = rows.flatMap((row, at) => runsOf(row).flatMap((run) => drawRun(run, BAR + at * CELL.height)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${PAPER}" stroke="${FRAME}"/>`,
    ...[20, 38, 56].map((x) => `<circle cx="${x}" cy="15" r="5" fill="${FRAME}"/>`),
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_SIZE}" xml:space="preserve">`,
    ...body,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
};
